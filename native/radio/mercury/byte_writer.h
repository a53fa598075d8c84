// Appends big-endian fields.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace singulate::radio::mercury {

class ByteWriter {
 public:
  // The lowest `bytes` bytes of the value, 1..4.
  ByteWriter& integer(std::uint32_t value, unsigned bytes) {
    for (unsigned i = bytes; i-- > 0;) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i) & 0xFFU));
    }
    return *this;
  }
  ByteWriter& u8(std::uint32_t value) { return integer(value, 1); }
  ByteWriter& u16(std::uint32_t value) { return integer(value, 2); }
  ByteWriter& u32(std::uint32_t value) { return integer(value, 4); }
  // An extended bit vector: seven bits in each byte, the top bit says that another follows.
  ByteWriter& ebv(std::uint32_t value) {
    unsigned more = 0;
    while (value >> (7U * (more + 1)) != 0) ++more;
    for (; more > 0; --more) u8((value >> (7U * more) & 0x7FU) | 0x80U);
    return u8(value & 0x7FU);
  }
  ByteWriter& bytes(std::span<const std::uint8_t> values) {
    bytes_.insert(bytes_.end(), values.begin(), values.end());
    return *this;
  }

  [[nodiscard]] std::span<const std::uint8_t> view() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace singulate::radio::mercury
