// The replies of an inventory as bits (reference section 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gen2/bit_frame.h"

namespace singulate::gen2 {

inline constexpr std::size_t kMaxEpcBytes = 62;
inline constexpr unsigned kRn16Bits = 16;

// The PC word of an EPC of that many bytes (even, 0..62): its length in words, all else 0.
constexpr std::uint16_t pc_for_epc_bytes(std::size_t bytes) {
  return static_cast<std::uint16_t>((bytes / 2) << 11U);
}
// The bytes of EPC that a PC word announces.
constexpr std::size_t epc_bytes_of_pc(std::uint16_t pc) {
  return static_cast<std::size_t>(pc >> 11U) * 2;
}
// Bits of the reply to ACK: PC, EPC, CRC-16.
constexpr unsigned epc_reply_bits(std::size_t epc_bytes) {
  return 16U + static_cast<unsigned>(epc_bytes) * 8U + 16U;
}

BitFrame encode_rn16(std::uint16_t rn16);

// PC + EPC + packet CRC. `epc` must be as long as the PC announces.
BitFrame encode_epc_reply(std::uint16_t pc, std::span<const std::uint8_t> epc);

struct EpcReply {
  std::uint16_t pc = 0;
  std::uint16_t crc = 0;
  std::uint8_t epc_bytes = 0;
  std::array<std::uint8_t, kMaxEpcBytes> epc{};
};

// Nothing if the CRC is wrong or the PC announces another length.
std::optional<EpcReply> decode_epc_reply(const BitFrame& frame);

}  // namespace singulate::gen2
