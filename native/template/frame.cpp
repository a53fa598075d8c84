#include "frame.h"

#include <algorithm>
#include <cstddef>

#include "gen2/crc.h"

namespace mymodule {

namespace {

constexpr std::uint8_t kMark = 0xA5;
constexpr std::size_t kMostBytes = 100;
constexpr std::size_t kCrcBytes = 2;

}  // namespace

Bytes encode_frame(std::uint8_t code, std::span<const std::uint8_t> data) {
  Bytes frame;
  frame.reserve(3 + data.size() + kCrcBytes);
  frame.push_back(kMark);
  frame.push_back(static_cast<std::uint8_t>(1 + data.size()));
  frame.push_back(code);
  frame.insert(frame.end(), data.begin(), data.end());
  const std::uint16_t crc = singulate::gen2::crc16(std::span(frame).subspan(1));
  frame.push_back(static_cast<std::uint8_t>(crc >> 8U));
  frame.push_back(static_cast<std::uint8_t>(crc & 0xFFU));
  return frame;
}

void FrameParser::add(std::span<const std::uint8_t> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

std::optional<Frame> FrameParser::next() {
  for (;;) {
    const auto mark = std::find(buffer_.begin(), buffer_.end(), kMark);
    discarded_ += static_cast<std::uint64_t>(mark - buffer_.begin());
    buffer_.erase(buffer_.begin(), mark);
    if (buffer_.size() < 2) return std::nullopt;
    const std::size_t length = buffer_[1];
    const std::size_t size = 2 + length + kCrcBytes;
    const bool plausible = length >= 1 && length <= kMostBytes;
    if (plausible && buffer_.size() < size) return std::nullopt;
    if (plausible) {
      const auto covered = std::span(buffer_).subspan(1, 1 + length);
      const auto told = static_cast<std::uint16_t>(buffer_[size - 2] << 8U | buffer_[size - 1]);
      if (singulate::gen2::crc16(covered) == told) {
        Frame frame{.code = covered[1], .data = {covered.begin() + 2, covered.end()}};
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(size));
        return frame;
      }
      ++crc_errors_;
    }
    // Its bytes may hold the beginning of a whole one.
    buffer_.erase(buffer_.begin());
    ++discarded_;
  }
}

void FrameParser::give_up() {
  if (buffer_.empty()) return;
  buffer_.erase(buffer_.begin());
  ++discarded_;
}

void FrameParser::clear() {
  discarded_ += buffer_.size();
  buffer_.clear();
}

}  // namespace mymodule
