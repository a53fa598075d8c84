// Tag memory: banks, and the protocol control words (reference sections 8.1 and 8.2).
#pragma once

#include <cstdint>

namespace singulate::gen2 {

enum class Bank : std::uint8_t { kReserved = 0, kEpc = 1, kTid = 2, kUser = 3 };

// Words of the Reserved bank: kill password 0..1, access password 2..3.
inline constexpr unsigned kReservedWords = 4;
// Words of the EPC bank.
inline constexpr unsigned kStoredCrcWord = 0x00;
inline constexpr unsigned kPcWord = 0x01;
inline constexpr unsigned kEpcWord = 0x02;
inline constexpr unsigned kXpcW1Word = 0x21;
inline constexpr unsigned kXpcW2Word = 0x22;
// The most EPC that L can announce; one with XPC_W1 after it has two words less.
inline constexpr unsigned kMaxEpcWords = 31;
inline constexpr unsigned kMaxEpcWordsWithXpc = 29;

// The PC word: L in its five highest bits.
inline constexpr std::uint16_t kPcUmi = 0x0400;
inline constexpr std::uint16_t kPcXi = 0x0200;
inline constexpr std::uint16_t kPcToggle = 0x0100;  // T: 1 = not an EPC, the low byte is an AFI
constexpr unsigned pc_words(std::uint16_t pc) { return static_cast<unsigned>(pc) >> 11U; }
// The bits of a PC word that an interrogator writes. The tag computes UMI and XI itself.
inline constexpr std::uint16_t kPcWritable = static_cast<std::uint16_t>(~(kPcUmi | kPcXi));

// XPC_W1, bits 210h..21Fh from the highest.
inline constexpr std::uint16_t kXpcXeb = 0x8000;
inline constexpr std::uint16_t kXpcSli = 0x0020;          // SL is asserted
inline constexpr std::uint16_t kXpcUntraceable = 0x0008;  // U
inline constexpr std::uint16_t kXpcKillable = 0x0004;     // K

// XI: with T = 0 the OR of XPC_W1 bits 210h..217h, with T = 1 of all its bits.
constexpr bool xi_of(std::uint16_t pc, std::uint16_t xpc_w1) {
  const bool toggle = (pc & kPcToggle) != 0;
  return (xpc_w1 & (toggle ? 0xFFFFU : 0xFF00U)) != 0;
}

// The PC that a tag with XPC_W1 backscatters: with T = 0 and XI = 0 the low byte of XPC_W1 takes
// the place of its own. With XI = 1 the whole XPC_W1 follows the PC instead.
constexpr std::uint16_t packet_pc(std::uint16_t pc, std::uint16_t xpc_w1) {
  const auto bare = static_cast<std::uint16_t>(pc & ~kPcXi);
  if (xi_of(pc, xpc_w1)) return static_cast<std::uint16_t>(bare | kPcXi);
  if ((pc & kPcToggle) != 0) return bare;
  return static_cast<std::uint16_t>((bare & 0xFF00U) | (xpc_w1 & 0x00FFU));
}

}  // namespace singulate::gen2
