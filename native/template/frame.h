// TODO(driver): how your module's frames begin and end. Pure functions over bytes: tests and
// fuzzers reach them without a port.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "protocol.h"

namespace mymodule {

struct Frame {
  std::uint8_t code = 0;
  Bytes data{};
};

Bytes encode_frame(std::uint8_t code, std::span<const std::uint8_t> data);

// Finds frames in bytes that may be cut anywhere, and may hold anything between them.
class FrameParser {
 public:
  void add(std::span<const std::uint8_t> bytes);
  // The next whole frame; nothing if more bytes are needed.
  std::optional<Frame> next();
  // The line has fallen silent: what looked like the start of a frame was none.
  void give_up();
  void clear();

  [[nodiscard]] std::uint64_t discarded_bytes() const { return discarded_; }
  [[nodiscard]] std::uint64_t crc_errors() const { return crc_errors_; }

 private:
  Bytes buffer_;
  std::uint64_t discarded_ = 0;
  std::uint64_t crc_errors_ = 0;
};

}  // namespace mymodule
