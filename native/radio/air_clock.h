// The clock of a module that runs on virtual time: it moves when air time is paid,
// either as fast as the processor goes or held back to real time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace singulate::radio {

class AirClock {
 public:
  // start_ns: time of the first start(), nanoseconds since the Unix epoch; without
  // it the wall clock is asked then.
  AirClock(bool paced, std::optional<std::uint64_t> start_ns)
      : paced_(paced), start_ns_(start_ns) {}

  // Begins an inventory: the first call sets the time, later ones catch up with
  // real time if paced. Forgets an interrupt.
  void start();

  [[nodiscard]] bool paced() const { return paced_; }
  [[nodiscard]] bool started() const { return started_; }
  // From any thread.
  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_.load(std::memory_order_relaxed); }
  // Time of the first start(). From any thread.
  [[nodiscard]] std::uint64_t origin_ns() const {
    return origin_ns_.load(std::memory_order_relaxed);
  }
  // Since then; 0 before. From any thread, also while the first start() is under way.
  [[nodiscard]] std::uint64_t elapsed_ns() const {
    const std::uint64_t origin = origin_ns();
    const std::uint64_t now = now_ns();
    return origin == 0 || now < origin ? 0 : now - origin;
  }

  void advance_ps(std::uint64_t picoseconds) {
    const std::uint64_t sum = remainder_ps_ + picoseconds;
    advance_ns(sum / 1000);
    remainder_ps_ = sum % 1000;
  }
  // One thread alone moves the clock: no need for an addition in one step.
  void advance_ns(std::uint64_t nanoseconds) { set_ns(now_ns() + nanoseconds); }
  void advance_to(std::uint64_t time_ns) {
    if (time_ns > now_ns()) set_ns(time_ns);
  }

  // Beyond this lag the clock gives up running after real time.
  static constexpr std::uint64_t kLongestLagNs = 5'000'000'000;

  // Paced: sleeps until real time has come to now_ns(). A clock that was held up
  // for long (a suspended machine) jumps forward instead of running after it.
  // False if interrupted.
  bool wait();

  // Paced only: real time on the scale of this clock.
  [[nodiscard]] std::uint64_t real_ns() const;

  // From any thread.
  void interrupt();
  [[nodiscard]] bool interrupted() const { return interrupted_.load(std::memory_order_relaxed); }

 private:
  void set_ns(std::uint64_t time_ns) { now_ns_.store(time_ns, std::memory_order_relaxed); }

  const bool paced_;
  const std::optional<std::uint64_t> start_ns_;
  bool started_ = false;
  std::atomic<std::uint64_t> origin_ns_{0};
  std::atomic<std::uint64_t> now_ns_{0};
  std::uint64_t remainder_ps_ = 0;
  std::chrono::steady_clock::time_point origin_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> interrupted_{false};
};

}  // namespace singulate::radio
