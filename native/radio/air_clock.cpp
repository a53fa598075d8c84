#include "radio/air_clock.h"

namespace singulate::radio {

namespace {

std::uint64_t nanoseconds(std::chrono::nanoseconds duration) {
  return static_cast<std::uint64_t>(duration.count());
}

}  // namespace

void AirClock::start() {
  interrupted_.store(false, std::memory_order_relaxed);
  if (!started_) {
    started_ = true;
    origin_ = std::chrono::steady_clock::now();
    origin_ns_ =
        start_ns_.value_or(nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::system_clock::now().time_since_epoch())));
    set_ns(origin_ns());
  } else if (paced_) {
    advance_to(real_ns());
  }
}

std::uint64_t AirClock::real_ns() const {
  return origin_ns() + nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(
                           std::chrono::steady_clock::now() - origin_));
}

bool AirClock::wait() {
  if (!paced_) return !interrupted();
  const std::uint64_t real = real_ns();
  if (real > now_ns() + kLongestLagNs) set_ns(real);
  if (real >= now_ns()) return !interrupted();
  const auto until = origin_ + std::chrono::nanoseconds(now_ns() - origin_ns());
  std::unique_lock lock(mutex_);
  return !wake_.wait_until(lock, until, [this] { return interrupted(); });
}

void AirClock::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    interrupted_.store(true, std::memory_order_relaxed);
  }
  wake_.notify_all();
}

}  // namespace singulate::radio
