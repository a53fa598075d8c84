#include "test/fake_gpio.h"

#include <fcntl.h>
#include <linux/gpio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace singulate::test {

FakeGpio::~FakeGpio() {
  if (edges_in_ >= 0) (void)::close(edges_in_);
  for (const int fd : files_) (void)::close(fd);
}

void FakeGpio::edge(std::uint32_t offset, bool high) {
  gpio_v2_line_event event{};
  event.id = high ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE;
  event.offset = offset;
  {
    const std::scoped_lock lock(mutex_);
    line(offset).high = high;
    event.seqno = sequence_++;
  }
  // A full pipe waits for the reader, who needs the lock.
  [[maybe_unused]] const auto written = ::write(edges_in_, &event, sizeof event);
}

void FakeGpio::lost_edge(std::uint32_t offset, bool high) {
  const std::scoped_lock lock(mutex_);
  line(offset).high = high;
  ++sequence_;
}

void FakeGpio::unplug() {
  const std::scoped_lock lock(mutex_);
  unplugged_ = true;
  // The other end of the pipe sees a hang-up.
  if (edges_in_ >= 0) (void)::close(edges_in_);
  edges_in_ = -1;
}

int FakeGpio::open(const char* path) {
  const std::scoped_lock lock(mutex_);
  if (unplugged_ || std::strcmp(path, kPath) != 0) return -ENOENT;
  const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  files_.insert(fd);
  return fd;
}

void FakeGpio::close(int fd) {
  const std::scoped_lock lock(mutex_);
  files_.erase(fd);
  (void)::close(fd);
  if (fd == inputs_fd_ && edges_in_ >= 0) {
    (void)::close(edges_in_);
    edges_in_ = -1;
  }
}

int FakeGpio::ioctl(int fd, unsigned long request, void* argument) {
  const std::scoped_lock lock(mutex_);
  if (unplugged_) return -ENODEV;
  if (const int error = failures_[request]; error != 0) return -error;
  const bool is_input = fd == inputs_fd_;
  const auto& offsets = is_input ? inputs_ : outputs_;
  switch (request) {
    case GPIO_GET_CHIPINFO_IOCTL: {
      static_cast<gpiochip_info*>(argument)->lines = static_cast<std::uint32_t>(lines_.size());
      return 0;
    }
    case GPIO_V2_GET_LINEINFO_IOCTL: {
      auto& info = *static_cast<gpio_v2_line_info*>(argument);
      const FakeLine& found = lines_.at(info.offset);
      info.flags = found.is_output ? GPIO_V2_LINE_FLAG_OUTPUT : GPIO_V2_LINE_FLAG_INPUT;
      if (!found.holder.empty()) info.flags |= GPIO_V2_LINE_FLAG_USED;
      (void)std::strncpy(info.consumer, found.holder.c_str(), sizeof info.consumer - 1);
      return 0;
    }
    case GPIO_V2_GET_LINE_IOCTL:
      return get_lines(argument);
    case GPIO_V2_LINE_GET_VALUES_IOCTL: {
      auto& values = *static_cast<gpio_v2_line_values*>(argument);
      values.bits = 0;
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((values.mask & bit) != 0 && lines_.at(offsets[i]).high) values.bits |= bit;
      }
      return 0;
    }
    case GPIO_V2_LINE_SET_VALUES_IOCTL: {
      const auto& values = *static_cast<gpio_v2_line_values*>(argument);
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        if ((values.mask >> i & 1) != 0) drive(offsets[i], (values.bits >> i & 1) != 0);
      }
      return 0;
    }
    case GPIO_V2_LINE_SET_CONFIG_IOCTL: {
      const auto& config = *static_cast<gpio_v2_line_config*>(argument);
      output_flags = config.flags;
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        drive(offsets[i], (config.attrs[0].attr.values >> i & 1) != 0);
      }
      return 0;
    }
    default:
      return -ENOTTY;
  }
}

int FakeGpio::get_lines(void* argument) {
  auto& request = *static_cast<gpio_v2_line_request*>(argument);
  const std::vector<std::uint32_t> offsets(request.offsets, request.offsets + request.num_lines);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -errno;
  request.fd = ends[0];
  files_.insert(ends[0]);
  if ((request.config.flags & GPIO_V2_LINE_FLAG_INPUT) != 0) {
    inputs_ = offsets;
    inputs_fd_ = ends[0];
    edges_in_ = ends[1];
    input_flags = request.config.flags;
    event_buffer_size = request.event_buffer_size;
    if (request.config.num_attrs == 1) {
      debounce_us = request.config.attrs[0].attr.debounce_period_us;
      debounce_mask = request.config.attrs[0].mask;
    }
    return 0;
  }
  (void)::close(ends[1]);
  outputs_ = offsets;
  outputs_fd_ = ends[0];
  output_flags = request.config.flags;
  if ((request.config.flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0) {
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      drive(offsets[i], (request.config.attrs[0].attr.values >> i & 1) != 0);
    }
  }
  return 0;
}

void FakeGpio::drive(std::uint32_t offset, bool high) {
  line(offset).is_output = true;
  line(offset).high = high;
  driven.emplace_back(offset, high);
}

long FakeGpio::read(int fd, void* into, std::size_t size) {
  {
    const std::scoped_lock lock(mutex_);
    if (unplugged_) return -ENODEV;
  }
  const auto count = ::read(fd, into, size);
  return count < 0 ? -errno : static_cast<long>(count);
}

int FakeGpio::poll(std::span<pollfd> fds, int timeout_ms) {
  int outputs = -1;
  {
    const std::scoped_lock lock(mutex_);
    outputs = outputs_fd_;
    if (unplugged_) timeout_ms = 0;
  }
  // The pipe that stands for the outputs has no other end: its hang-up means nothing.
  for (pollfd& one : fds) {
    if (one.fd == outputs) one.fd = -1;
  }
  const int count = ::poll(fds.data(), static_cast<nfds_t>(fds.size()), timeout_ms);
  const std::scoped_lock lock(mutex_);
  for (pollfd& one : fds) {
    if (unplugged_ && one.fd < 0) one.revents = POLLHUP | POLLERR;
  }
  return count < 0 ? -errno : count;
}

}  // namespace singulate::test
