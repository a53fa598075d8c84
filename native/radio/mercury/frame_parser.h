// Finds frames in a stream of bytes that may be cut anywhere, and may hold anything between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "radio/mercury/frame.h"

namespace singulate::radio::mercury {

struct ParserCounters {
  std::uint64_t frames = 0;
  // Bytes that belong to no frame. Runs of FF that wake a module are among them.
  std::uint64_t discarded_bytes = 0;
  // Candidates of the right length whose CRC was wrong; their bytes are looked through again.
  std::uint64_t crc_errors = 0;
};

class FrameParser {
 public:
  explicit FrameParser(Kind kind) : kind_(kind) {}

  // Where the next bytes go: room for at least one whole frame. Call added() after filling it.
  // Frames of next() are no longer valid then.
  std::span<std::uint8_t> room();
  void added(std::size_t bytes);

  // The next whole frame; nothing if more bytes are needed. Valid until the next room().
  std::optional<Frame> next();

  // The line has been quiet for so long that a frame that has begun will not be finished: what
  // looked like its start is discarded, and next() looks through the rest.
  // False: nothing had begun.
  bool give_up();

  // Begins again after a change of the baud rate or a new connection; what was there is discarded.
  void clear();

  // Without a CRC every candidate of the right length is a frame: only while nothing else is sent.
  void expect_crc(bool expected) { has_crc_ = expected; }

  [[nodiscard]] const ParserCounters& counters() const { return counters_; }

 private:
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  [[nodiscard]] std::span<const std::uint8_t> unread() const {
    return std::span(buffer_).subspan(begin_, size());
  }
  void discard(std::size_t bytes);

  // As much as a tty delivers at a time, and always more than a frame.
  static constexpr std::size_t kBuffer = 4096;
  static constexpr std::size_t kLongestFrame = 260;

  const Kind kind_;
  bool has_crc_ = true;
  std::array<std::uint8_t, kBuffer> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  ParserCounters counters_;
};

}  // namespace singulate::radio::mercury
