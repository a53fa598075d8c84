#include "radio/mercury/frame_parser.h"

#include <algorithm>

#include "radio/mercury/crc.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::size_t kCrcBytes = 2;

std::uint16_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8U | bytes[at + 1]);
}

}  // namespace

std::span<std::uint8_t> FrameParser::room() {
  if (kBuffer - end_ < kLongestFrame) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    // A caller that adds without taking would fill it for ever: the oldest bytes go.
    if (kBuffer - end_ < kLongestFrame) {
      const std::size_t kept = kBuffer - kLongestFrame;
      const std::size_t gone = end_ - kept;
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(gone),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      counters_.discarded_bytes += gone;
      end_ = kept;
    }
  }
  return std::span(buffer_).subspan(end_);
}

void FrameParser::added(std::size_t bytes) { end_ = std::min(end_ + bytes, kBuffer); }

std::optional<Frame> FrameParser::next() {
  const std::size_t head = kind_ == Kind::kReply ? 5 : 3;
  const std::size_t most = kind_ == Kind::kReply ? kMostReplyData : kMostCommandData;
  for (;;) {
    const auto bytes = unread();
    const auto start = std::find(bytes.begin(), bytes.end(), kStartByte);
    discard(static_cast<std::size_t>(start - bytes.begin()));
    const auto candidate = unread();
    if (candidate.size() < 2) return std::nullopt;
    const std::size_t length = candidate[1];
    // An FF after an FF is the start of the frame, or one more byte of a run that wakes.
    if (length > most) {
      discard(1);
      continue;
    }
    const std::size_t content = head + length;
    const std::size_t whole = content + (has_crc_ ? kCrcBytes : 0);
    if (candidate.size() < whole) return std::nullopt;
    if (has_crc_ && frame_crc(candidate.subspan(1, content - 1)) != word_at(candidate, content)) {
      ++counters_.crc_errors;
      discard(1);
      continue;
    }
    begin_ += whole;
    ++counters_.frames;
    return Frame{.opcode = candidate[2],
                 .status = kind_ == Kind::kReply ? word_at(candidate, 3) : std::uint16_t{0},
                 .data = candidate.subspan(head, length)};
  }
}

bool FrameParser::give_up() {
  if (size() == 0) return false;
  discard(1);
  return true;
}

void FrameParser::clear() { discard(size()); }

void FrameParser::discard(std::size_t bytes) {
  begin_ += bytes;
  counters_.discarded_bytes += bytes;
}

}  // namespace singulate::radio::mercury
