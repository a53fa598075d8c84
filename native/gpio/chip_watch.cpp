#include "gpio/chip_watch.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace singulate::gpio {

namespace {

// Kernels before 6.6 do not end a poll when a chip goes: we look by ourselves.
constexpr int kLookMs = 1000;

}  // namespace

ChipWatch::ChipWatch(Chip& chip, std::function<void()> wake)
    : chip_(chip), wake_(std::move(wake)), stop_fd_(::eventfd(0, EFD_CLOEXEC)) {
  if (stop_fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  waiting_.inputs = chip.inputs();
  thread_ = std::thread([this] { run(); });
}

ChipWatch::~ChipWatch() {
  const std::uint64_t one = 1;
  // An eventfd that nobody else writes takes this always.
  [[maybe_unused]] const auto written = ::write(stop_fd_, &one, sizeof one);
  thread_.join();
  (void)::close(stop_fd_);
}

Taken ChipWatch::take() {
  const std::scoped_lock lock(mutex_);
  woken_ = false;
  Taken taken = waiting_;
  waiting_.changes.clear();
  return taken;
}

void ChipWatch::run() {
  std::vector<Change> changes;
  for (;;) {
    changes.clear();
    const Status status = chip_.take(changes, stop_fd_, kLookMs);
    pollfd stop{stop_fd_, POLLIN, 0};
    if (::poll(&stop, 1, 0) != 0) return;
    if (keep(changes, status)) wake_();
    if (!status.ok()) return;
  }
}

bool ChipWatch::keep(const std::vector<Change>& changes, const Status& status) {
  const std::scoped_lock lock(mutex_);
  if (waiting_.changes.size() + changes.size() > kMaxWaiting) {
    // Without the old ones the new ones would tell a wrong story; the levels tell the end of it.
    dropped_ += waiting_.changes.size() + changes.size();
    waiting_.changes.clear();
  } else {
    waiting_.changes.insert(waiting_.changes.end(), changes.begin(), changes.end());
  }
  waiting_.inputs = chip_.inputs();
  waiting_.lost = chip_.lost() + dropped_;
  if (!status.ok()) waiting_.fault = status.error().message;
  const bool news = !changes.empty() || !status.ok();
  return news && !std::exchange(woken_, true);
}

}  // namespace singulate::gpio
