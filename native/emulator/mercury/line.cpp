#include "emulator/mercury/line.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "emulator/mercury/host_rate.h"

namespace singulate::emulator::mercury {

namespace {

constexpr std::uint64_t kBitsOfByte = 10;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
// A machine wakes late. While something waits, so much of the wire's time is made up for.
constexpr std::chrono::milliseconds kCatchUp{200};
// What a poll may wait without looking up, in milliseconds.
constexpr int kShortestWaitMs = 1;

// As a receiver at another rate hears it.
void garble(std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((byte << 1U) & 0x7EU);
}

}  // namespace

Line::Line(int descriptor, bool paced) : paced_(paced) { replace(descriptor); }

void Line::replace(int descriptor) {
  descriptor_ = descriptor;
  pieces_.clear();
  written_ = 0;
  waiting_ = 0;
  closed_ = descriptor < 0;
  if (descriptor < 0) return;
  ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

bool Line::rates_differ(std::uint32_t baud) const {
  if (!heeds_host_rate_) return false;
  const std::uint32_t host = host_rate(descriptor_);
  return host != 0 && host != baud;
}

std::size_t Line::spoil(std::span<std::uint8_t> bytes) {
  const std::size_t gone = std::min<std::size_t>(lost_, bytes.size());
  lost_ -= static_cast<unsigned>(gone);
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(gone), bytes.end(), bytes.begin());
  const std::size_t left = bytes.size() - gone;
  for (std::size_t i = 0; i < left && flipped_ > 0; ++i, --flipped_) {
    bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ 1U << random_.bits(3));
  }
  return left;
}

void Line::add_noise(unsigned bytes) {
  std::vector<std::uint8_t> noise(bytes);
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random_.bits(8));
  waiting_ += noise.size();
  pieces_.push_back({.bytes = std::move(noise), .baud = baud()});
}

std::size_t Line::read(std::span<std::uint8_t> into) {
  const ssize_t count = ::read(descriptor_, into.data(), into.size());
  if (count > 0) {
    closed_ = false;
    if (rates_differ(baud())) garble(into.first(static_cast<std::size_t>(count)));
    return spoil(into.first(static_cast<std::size_t>(count)));
  }
  // A pty without another end gives EIO, a socket the end of its stream.
  closed_ = count == 0 || (errno != EAGAIN && errno != EINTR);
  return 0;
}

void Line::send(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> sent(bytes.begin(), bytes.end());
  sent.resize(spoil(sent));
  if (sent.empty()) return;
  // A wire that was idle saves no time.
  if (pieces_.empty()) free_at_ = std::max(free_at_, Clock::now());
  waiting_ += sent.size();
  pieces_.push_back({.bytes = std::move(sent), .baud = baud()});
}

void Line::change_rate(std::uint32_t baud) { baud_.store(baud, std::memory_order_relaxed); }

std::chrono::nanoseconds Line::time_of_byte(std::uint32_t baud) const {
  return std::chrono::nanoseconds(kBitsOfByte * kNsPerSecond / baud);
}

bool Line::flush() {
  const auto now = Clock::now();
  if (now < held_until_) return false;
  if (paced_) free_at_ = std::max(free_at_, now - kCatchUp);
  while (!pieces_.empty()) {
    const Piece& piece = pieces_.front();
    std::size_t count = piece.bytes.size() - written_;
    if (paced_) {
      if (free_at_ > now) return false;
      const auto due = static_cast<std::size_t>((now - free_at_) / time_of_byte(piece.baud)) + 1;
      count = std::min(count, due);
    }
    std::vector<std::uint8_t> garbled;
    const std::uint8_t* bytes_now = piece.bytes.data() + written_;
    if (rates_differ(piece.baud)) {
      garbled.assign(bytes_now, bytes_now + count);
      garble(garbled);
      bytes_now = garbled.data();
    }
    const ssize_t done = ::write(descriptor_, bytes_now, count);
    if (done <= 0) {
      if (done < 0 && errno != EAGAIN && errno != EINTR) {
        // Nobody is there: on a wire the bytes would be gone as well.
        waiting_ = 0;
        written_ = 0;
        pieces_.clear();
        return true;
      }
      return false;
    }
    const auto bytes = static_cast<std::size_t>(done);
    if (paced_) free_at_ += time_of_byte(piece.baud) * done;
    written_ += bytes;
    waiting_ -= bytes;
    bytes_sent_ += bytes;
    if (written_ < piece.bytes.size()) continue;
    pieces_.pop_front();
    written_ = 0;
  }
  return true;
}

void Line::wait(std::chrono::nanoseconds longest) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(longest);
  pollfd one{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (!pieces_.empty()) {
    if (paced_ || Clock::now() < held_until_) {
      left = std::min(left, std::chrono::milliseconds(kShortestWaitMs));
    } else {
      one.events = static_cast<short>(one.events | POLLOUT);
    }
  }
  ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
  if ((one.revents & (POLLHUP | POLLERR)) != 0 && (one.revents & POLLIN) == 0) {
    // A hang-up is told at once, again and again: wait by the clock.
    ::poll(nullptr, 0, static_cast<int>(std::min<std::int64_t>(left.count(), 20)));
  }
}

}  // namespace singulate::emulator::mercury
