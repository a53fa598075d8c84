#include "radio/serial/serial_port.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "radio/serial/tty.h"

namespace singulate::radio {

namespace {

constexpr int kWriteTimeoutMs = 1000;

Error failure(const std::string& what) {
  return {.code = ErrorCode::kModule,
          .message = what + ": " + std::generic_category().message(errno)};
}

timespec timespec_of(std::chrono::nanoseconds time) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  return {.tv_sec = static_cast<time_t>(time.count() / kNsPerSecond),
          .tv_nsec = static_cast<long>(time.count() % kNsPerSecond)};
}

}  // namespace

SerialPort::SerialPort() : wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

SerialPort::~SerialPort() {
  close();
  if (wake_ >= 0) ::close(wake_);
}

Status SerialPort::open(const std::string& path, std::uint32_t baud) {
  close();
  descriptor_ = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) return failure(path);
  // Two hosts on one line would hear each other's answers.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close();
    return Error{.code = ErrorCode::kModule, .message = path + ": in use by another program"};
  }
  ::ioctl(descriptor_, TIOCEXCL);
  if (!tty_rate(descriptor_)) {
    const Error error = failure(path + " is no serial line");
    close();
    return error;
  }
  if (!make_tty_raw(descriptor_, baud)) {
    const Error error = failure(path + " at " + std::to_string(baud) + " baud");
    close();
    return error;
  }
  return {};
}

void SerialPort::close() {
  if (descriptor_ < 0) return;
  ::ioctl(descriptor_, TIOCNXCL);
  ::close(descriptor_);
  descriptor_ = -1;
}

Status SerialPort::set_baud(std::uint32_t baud) const {
  if (!set_tty_rate(descriptor_, baud)) return failure(std::to_string(baud) + " baud");
  return {};
}

SerialPort::Wait SerialPort::wait(std::chrono::nanoseconds longest) const {
  std::array<pollfd, 2> both{pollfd{.fd = descriptor_, .events = POLLIN, .revents = 0},
                             pollfd{.fd = wake_, .events = POLLIN, .revents = 0}};
  const timespec timeout = timespec_of(longest);
  const int ready = ::ppoll(both.data(), both.size(), &timeout, nullptr);
  if (ready <= 0) return Wait::kTimeout;
  if ((both[1].revents & POLLIN) != 0 && take_wake()) return Wait::kWoken;
  if ((both[0].revents & POLLIN) != 0) return Wait::kInput;
  return Wait::kGone;
}

bool SerialPort::rest(std::chrono::nanoseconds time) const {
  pollfd one{.fd = wake_, .events = POLLIN, .revents = 0};
  const timespec timeout = timespec_of(time);
  return ::ppoll(&one, 1, &timeout, nullptr) > 0 && take_wake();
}

bool SerialPort::take_wake() const {
  std::uint64_t count = 0;
  return ::read(wake_, &count, sizeof count) == sizeof count;
}

std::size_t SerialPort::read(std::span<std::uint8_t> into) const {
  const ssize_t count = ::read(descriptor_, into.data(), into.size());
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

Status SerialPort::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return failure("serial line");
    pollfd room{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    if (::poll(&room, 1, kWriteTimeoutMs) == 0) {
      return Error{.code = ErrorCode::kModule, .message = "the serial line takes nothing"};
    }
    if ((room.revents & (POLLHUP | POLLERR)) != 0) {
      return Error{.code = ErrorCode::kModule, .message = "the serial line is gone"};
    }
  }
  return {};
}

std::size_t SerialPort::discard_input() const { return discard_tty_input(descriptor_); }

void SerialPort::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

}  // namespace singulate::radio
