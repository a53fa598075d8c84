// CRC-5 and CRC-16 of EPC Gen2 (reference section 5: parameters and vectors).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace singulate::gen2 {

// CRC-5 over the lowest `bits` bits of `value`, most significant first
// (polynomial x5 + x3 + 1, preset 01001, no final inversion). bits <= 32.
constexpr std::uint8_t crc5(std::uint32_t value, unsigned bits) {
  unsigned crc = 0b01001;
  for (unsigned i = bits; i-- > 0;) {
    const unsigned in = (value >> i) & 1U;
    const unsigned top = (crc >> 4U) & 1U;
    crc = (crc << 1U) & 0x1FU;
    if (in != top) crc ^= 0x09U;
  }
  return static_cast<std::uint8_t>(crc);
}

namespace detail {
constexpr std::array<std::uint16_t, 256> make_crc16_table() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    }
    table[byte] = static_cast<std::uint16_t>(crc & 0xFFFFU);
  }
  return table;
}
inline constexpr std::array<std::uint16_t, 256> kCrc16Table = make_crc16_table();
}  // namespace detail

// The CRC-16 shift register (polynomial 1021h, preset FFFFh), fed with whole
// bytes or single bits in any order of calls.
class Crc16 {
 public:
  constexpr void byte(std::uint8_t value) {
    const unsigned index = (static_cast<unsigned>(register_) >> 8U) ^ value;
    register_ = static_cast<std::uint16_t>((static_cast<unsigned>(register_) << 8U) ^
                                           detail::kCrc16Table[index]);
  }
  constexpr void word(std::uint16_t value) {
    byte(static_cast<std::uint8_t>(value >> 8U));
    byte(static_cast<std::uint8_t>(value & 0xFFU));
  }
  constexpr void bit(bool value) {
    const bool top = (register_ & 0x8000U) != 0;
    register_ = static_cast<std::uint16_t>(static_cast<unsigned>(register_) << 1U);
    if (top != value) register_ = static_cast<std::uint16_t>(register_ ^ 0x1021U);
  }
  // The bare register. Over message + CRC it is kCrc16Residue if the frame is whole.
  [[nodiscard]] constexpr std::uint16_t residue() const { return register_; }
  // The CRC as sent.
  [[nodiscard]] constexpr std::uint16_t value() const {
    return static_cast<std::uint16_t>(~static_cast<unsigned>(register_) & 0xFFFFU);
  }

 private:
  std::uint16_t register_ = 0xFFFF;
};

inline constexpr std::uint16_t kCrc16Residue = 0x1D0F;

// CRC-16 of whole bytes, as sent.
constexpr std::uint16_t crc16(std::span<const std::uint8_t> bytes) {
  Crc16 crc;
  for (const std::uint8_t byte : bytes) crc.byte(byte);
  return crc.value();
}

// The packet CRC: over PC and EPC.
constexpr std::uint16_t packet_crc(std::uint16_t pc, std::span<const std::uint8_t> epc) {
  Crc16 crc;
  crc.word(pc);
  for (const std::uint8_t byte : epc) crc.byte(byte);
  return crc.value();
}

}  // namespace singulate::gen2
