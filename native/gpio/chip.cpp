#include "gpio/chip.h"

#include <fcntl.h>
#include <linux/gpio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace singulate::gpio {

namespace {

constexpr const char* kConsumer = "singulate";
// Edges of each input that the kernel keeps for us while we are busy.
constexpr std::uint32_t kKernelEdges = 64;
constexpr std::size_t kEdgesAtOnce = 64;

std::string reason(long result) {
  return std::generic_category().message(static_cast<int>(-result));
}

std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index; }

std::uint64_t all(std::size_t lines) {
  return lines >= kMaxLines ? ~std::uint64_t{0} : bit(lines) - 1;
}

std::uint64_t flags_of(Bias bias) {
  switch (bias) {
    case Bias::kPullUp:
      return GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
    case Bias::kPullDown:
      return GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    case Bias::kOff:
      return GPIO_V2_LINE_FLAG_BIAS_DISABLED;
    case Bias::kAsIs:
      break;
  }
  return 0;
}

gpio_v2_line_request request_of(const std::vector<std::uint32_t>& offsets) {
  gpio_v2_line_request request{};
  std::copy(offsets.begin(), offsets.end(), request.offsets);
  (void)std::strncpy(request.consumer, kConsumer, sizeof request.consumer - 1);
  request.num_lines = static_cast<std::uint32_t>(offsets.size());
  return request;
}

std::uint64_t polarity(bool active_low) {
  return active_low ? static_cast<std::uint64_t>(GPIO_V2_LINE_FLAG_ACTIVE_LOW) : 0;
}

gpio_v2_line_config output_config(bool active_low, std::uint64_t levels, std::size_t lines) {
  gpio_v2_line_config config{};
  config.flags = GPIO_V2_LINE_FLAG_OUTPUT | polarity(active_low);
  config.num_attrs = 1;
  config.attrs[0].mask = all(lines);
  config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
  config.attrs[0].attr.values = levels;
  return config;
}

// Closes the chip's own descriptor, which the lines do not need.
class OpenFile {
 public:
  OpenFile(Kernel& kernel, int fd) : kernel_(kernel), fd_(fd) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile(OpenFile&&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() { kernel_.close(fd_); }

 private:
  Kernel& kernel_;
  int fd_;
};

}  // namespace

Error Chip::failed(const std::string& what, long result) const {
  return {ErrorCode::kModule, options_.path + ": " + what + ": " + reason(result)};
}

Status Chip::open() {
  if (options_.inputs.size() > kMaxLines || options_.outputs.size() > kMaxLines) {
    return Error{ErrorCode::kBadSettings, options_.path + ": more than 64 lines"};
  }
  const int chip = kernel_.open(options_.path.c_str());
  if (chip < 0) return failed("cannot be opened", chip);
  const OpenFile file(kernel_, chip);
  auto status = check_lines(chip);
  if (status.ok() && !options_.inputs.empty()) status = open_inputs(chip);
  if (status.ok() && !options_.outputs.empty()) status = open_outputs(chip);
  if (!status.ok()) close();
  return status;
}

void Chip::close() {
  for (int* fd : {&inputs_fd_, &outputs_fd_}) {
    if (*fd >= 0) kernel_.close(*fd);
    *fd = -1;
  }
}

// A request for many lines fails as a whole, and does not say for which of them.
Status Chip::check_lines(int chip) {
  gpiochip_info chip_info{};
  if (const int result = kernel_.ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &chip_info); result < 0) {
    return failed("is no GPIO chip", result);
  }
  const auto check = [&](std::uint32_t offset, gpio_v2_line_info& info) -> Status {
    const std::string name = "line " + std::to_string(offset);
    if (offset >= chip_info.lines) {
      return Error{ErrorCode::kBadSettings, options_.path + " has no " + name + "; allowed: 0.." +
                                                std::to_string(chip_info.lines - 1)};
    }
    info.offset = offset;
    if (const int result = kernel_.ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info); result < 0) {
      return failed(name, result);
    }
    if ((info.flags & GPIO_V2_LINE_FLAG_USED) != 0) {
      const std::string holder(info.consumer, strnlen(info.consumer, sizeof info.consumer));
      return Error{ErrorCode::kBadSettings, options_.path + ": " + name + " is in use by " +
                                                (holder.empty() ? "the kernel" : holder)};
    }
    return {};
  };
  for (const std::uint32_t offset : options_.inputs) {
    gpio_v2_line_info info{};
    if (auto status = check(offset, info); !status.ok()) return status;
  }
  are_outputs_ = 0;
  for (std::size_t i = 0; i < options_.outputs.size(); ++i) {
    gpio_v2_line_info info{};
    if (auto status = check(options_.outputs[i], info); !status.ok()) return status;
    if ((info.flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0) are_outputs_ |= bit(i);
  }
  return {};
}

Status Chip::open_inputs(int chip) {
  gpio_v2_line_request request = request_of(options_.inputs);
  request.event_buffer_size = kKernelEdges * request.num_lines;
  gpio_v2_line_config& config = request.config;
  config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING |
                 GPIO_V2_LINE_FLAG_EDGE_FALLING | flags_of(options_.bias) |
                 polarity(options_.inputs_active_low);
  if (options_.debounce_us > 0) {
    config.num_attrs = 1;
    config.attrs[0].mask = all(options_.inputs.size());
    config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
    config.attrs[0].attr.debounce_period_us = options_.debounce_us;
  }
  if (const int result = kernel_.ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request); result < 0) {
    return failed("the inputs cannot be had", result);
  }
  inputs_fd_ = request.fd;
  next_sequence_ = 1;
  inputs_ = 0;
  std::vector<Change> ignored;
  return look(ignored);
}

Status Chip::open_outputs(int chip) {
  gpio_v2_line_request request = request_of(options_.outputs);
  const std::size_t lines = options_.outputs.size();
  const bool active_low = options_.outputs_active_low;
  const bool as_is = !options_.output_levels;
  if (as_is) {
    // Without a direction: nothing moves before the levels are known.
    request.config.flags = polarity(active_low);
  } else {
    request.config = output_config(active_low, *options_.output_levels, lines);
  }
  if (const int result = kernel_.ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request); result < 0) {
    return failed("the outputs cannot be had", result);
  }
  outputs_fd_ = request.fd;
  first_outputs_ = options_.output_levels.value_or(0) & all(lines);
  if (!as_is) return {};
  if (are_outputs_ != 0) {
    gpio_v2_line_values values{};
    values.mask = are_outputs_;
    if (const int result = kernel_.ioctl(outputs_fd_, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
        result < 0) {
      return failed("the levels of the outputs", result);
    }
    first_outputs_ = values.bits & are_outputs_;
  }
  gpio_v2_line_config config = output_config(active_low, first_outputs_, lines);
  if (const int result = kernel_.ioctl(outputs_fd_, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config);
      result < 0) {
    return failed("the outputs cannot be made outputs", result);
  }
  return {};
}

Status Chip::take(std::vector<Change>& into, int wake, int timeout_ms) {
  // A descriptor below 0 is left out by poll().
  std::array<pollfd, 3> fds{{{inputs_fd_, POLLIN, 0}, {outputs_fd_, 0, 0}, {wake, POLLIN, 0}}};
  if (const int result = kernel_.poll(fds, timeout_ms); result < 0) return failed("poll", result);
  if ((fds[0].revents & POLLIN) != 0) {
    if (auto status = drain(into); !status.ok()) return status;
  }
  constexpr int kGone = POLLERR | POLLHUP | POLLNVAL;
  if (((fds[0].revents | fds[1].revents) & kGone) != 0) return failed("the chip is gone", -ENODEV);
  return {};
}

Status Chip::drain(std::vector<Change>& into) {
  std::array<gpio_v2_line_event, kEdgesAtOnce> edges{};
  const long size = kernel_.read(inputs_fd_, edges.data(), sizeof edges);
  if (size < 0) return failed("the chip is gone", size);
  const std::size_t count = static_cast<std::size_t>(size) / sizeof edges[0];
  for (std::size_t i = 0; i < count; ++i) {
    const gpio_v2_line_event& edge = edges[i];
    // The kernel drops its oldest edges; the numbers go on, also over their end.
    const std::uint32_t gap = edge.seqno - next_sequence_;
    if (gap != 0) {
      lost_ += gap;
      missed_ = true;
    }
    next_sequence_ = edge.seqno + 1;
    const auto found = std::find(options_.inputs.begin(), options_.inputs.end(), edge.offset);
    if (found == options_.inputs.end()) continue;
    note(into, static_cast<std::uint32_t>(found - options_.inputs.begin()),
         edge.id == GPIO_V2_LINE_EVENT_RISING_EDGE);
  }
  // Only after the last edge: what still waits is older than the levels of now.
  if (!missed_ || count == kEdgesAtOnce) return {};
  missed_ = false;
  return look(into);
}

Status Chip::look(std::vector<Change>& into) {
  gpio_v2_line_values values{};
  values.mask = all(options_.inputs.size());
  if (const int result = kernel_.ioctl(inputs_fd_, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
      result < 0) {
    return failed("the levels of the inputs", result);
  }
  for (std::uint32_t i = 0; i < options_.inputs.size(); ++i) {
    note(into, i, (values.bits & bit(i)) != 0);
  }
  return {};
}

// Beside lost edges an edge may also be told twice: by a look, and then by itself.
void Chip::note(std::vector<Change>& into, std::uint32_t index, bool high) {
  if (((inputs_ & bit(index)) != 0) == high) return;
  inputs_ ^= bit(index);
  into.push_back({index, high});
}

Status Chip::set_output(std::size_t index, bool high) {
  gpio_v2_line_values values{};
  values.mask = bit(index);
  values.bits = high ? bit(index) : 0;
  const int result = kernel_.ioctl(outputs_fd_, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
  if (result < 0) {
    return failed("line " + std::to_string(options_.outputs[index]) + " cannot be set", result);
  }
  return {};
}

}  // namespace singulate::gpio
