// Reads big-endian fields one after the other; remembers when the bytes ran out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace singulate::radio::mercury {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // All fields so far were there. After a field that was not, everything reads as zero.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] bool at_end() const { return left() == 0; }

  // An integer of 1..4 bytes.
  std::uint32_t integer(unsigned bytes) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : take(bytes)) value = value << 8U | byte;
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(integer(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(integer(2)); }
  std::uint32_t u32() { return integer(4); }
  // An extended bit vector: seven bits in each byte, the top bit says that another follows; four
  // bytes at most.
  std::uint32_t ebv() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4 && ok_; ++i) {
      const std::uint8_t byte = u8();
      value = value << 7U | (byte & 0x7FU);
      if ((byte & 0x80U) == 0) return value;
    }
    fail();
    return 0;
  }

  // Empty if there are not so many left.
  std::span<const std::uint8_t> take(std::size_t bytes) {
    if (bytes > left()) {
      ok_ = false;
      at_ = bytes_.size();
      return {};
    }
    const auto taken = bytes_.subspan(at_, bytes);
    at_ += bytes;
    return taken;
  }
  std::span<const std::uint8_t> rest() { return take(left()); }

  // For checks of the caller's own: a value that cannot be.
  void fail() {
    ok_ = false;
    at_ = bytes_.size();
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace singulate::radio::mercury
