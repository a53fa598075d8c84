// A kernel with one GPIO chip, for tests. What waits and what is read is real: edges go through a
// pipe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gpio/kernel.h"

namespace singulate::test {

struct FakeLine {
  bool is_output = false;
  bool high = false;
  std::string holder{};  // who else uses it
};

class FakeGpio final : public gpio::Kernel {
 public:
  static constexpr const char* kPath = "/dev/gpiochip7";

  explicit FakeGpio(std::uint32_t lines) : lines_(lines) {}
  FakeGpio(const FakeGpio&) = delete;
  FakeGpio& operator=(const FakeGpio&) = delete;
  FakeGpio(FakeGpio&&) = delete;
  FakeGpio& operator=(FakeGpio&&) = delete;
  ~FakeGpio() override;

  // --- What a test does to the chip.
  FakeLine& line(std::uint32_t offset) { return lines_.at(offset); }
  // The level changes, and the edge is told.
  void edge(std::uint32_t offset, bool high);
  // The level changes; the kernel has no room for the edge.
  void lost_edge(std::uint32_t offset, bool high);
  // The number of the next edge.
  void number_edges_from(std::uint32_t number) { sequence_ = number; }
  // From now on this ioctl fails with that error number; 0 = it does not.
  void fail(unsigned long request, int error) { failures_[request] = error; }
  // Every call fails from now on, as with a chip that was unplugged.
  void unplug();

  // --- What was asked of it.
  [[nodiscard]] std::size_t open_files() const { return files_.size(); }
  std::uint64_t input_flags = 0;
  std::uint64_t output_flags = 0;
  std::uint32_t debounce_us = 0;
  std::uint64_t debounce_mask = 0;
  std::uint32_t event_buffer_size = 0;
  // Levels that outputs had, in the order in which they were set: {offset, high}.
  std::vector<std::pair<std::uint32_t, bool>> driven{};

  // --- Kernel
  int open(const char* path) override;
  void close(int fd) override;
  int ioctl(int fd, unsigned long request, void* argument) override;
  long read(int fd, void* into, std::size_t size) override;
  int poll(std::span<pollfd> fds, int timeout_ms) override;

 private:
  int get_lines(void* argument);
  void drive(std::uint32_t offset, bool high);

  // A test and a watching thread.
  mutable std::recursive_mutex mutex_;
  std::vector<FakeLine> lines_;
  std::set<int> files_;
  int edges_in_ = -1;
  int inputs_fd_ = -1;
  int outputs_fd_ = -1;
  std::vector<std::uint32_t> inputs_;
  std::vector<std::uint32_t> outputs_;
  std::uint32_t sequence_ = 1;
  std::map<unsigned long, int> failures_;
  bool unplugged_ = false;
};

}  // namespace singulate::test
