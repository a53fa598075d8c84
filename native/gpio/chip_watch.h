// Watches the inputs of a chip on a thread of its own, and keeps what it sees for one consumer.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gpio/chip.h"

namespace singulate::gpio {

// Changes that wait for the consumer at most.
inline constexpr std::size_t kMaxWaiting = 1024;

// What came since the last time.
struct Taken {
  std::vector<Change> changes{};
  // After all changes, as bits: right also where changes were lost.
  std::uint64_t inputs = 0;
  // Changes lost so far: by the kernel, or because the consumer did not come.
  std::uint64_t lost = 0;
  // Why nothing more comes; empty = it goes on.
  std::string fault{};
};

class ChipWatch {
 public:
  // The chip must be open. `wake` is called from the thread when there is something to take, and
  // again only after a take().
  ChipWatch(Chip& chip, std::function<void()> wake);
  ChipWatch(const ChipWatch&) = delete;
  ChipWatch& operator=(const ChipWatch&) = delete;
  ChipWatch(ChipWatch&&) = delete;
  ChipWatch& operator=(ChipWatch&&) = delete;
  ~ChipWatch();

  Taken take();

 private:
  void run();
  // True: the consumer is to be woken.
  bool keep(const std::vector<Change>& changes, const Status& status);

  Chip& chip_;
  const std::function<void()> wake_;
  int stop_fd_;

  std::mutex mutex_;
  Taken waiting_;
  std::uint64_t dropped_ = 0;
  bool woken_ = false;

  std::thread thread_;
};

}  // namespace singulate::gpio
