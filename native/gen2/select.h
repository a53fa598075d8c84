// The Select command (reference sections 3.1 and 7.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gen2/bit_frame.h"
#include "gen2/memory.h"

namespace singulate::gen2 {

// What a Select acts on: a session's inventoried flag, or SL.
enum class SelectTarget : std::uint8_t { kS0 = 0, kS1 = 1, kS2 = 2, kS3 = 3, kSl = 4 };
inline constexpr unsigned kSelectTargets = 5;
inline constexpr unsigned kSelectActions = 8;

// What an action does to the flag of a tag, matching or not.
enum class FlagChange : std::uint8_t {
  kNone,
  kAssertOrA,    // SL asserted; inventoried flag A
  kDeassertOrB,  // SL deasserted; inventoried flag B
  kNegate,       // SL negated; A to B and B to A
};
FlagChange flag_change(unsigned action, bool matches);

// 0..255 bits, most significant first.
struct SelectMask {
  std::array<std::uint8_t, 32> bytes{};  // zeros after the mask
  std::uint8_t bits = 0;

  [[nodiscard]] bool bit(unsigned position) const {
    return ((static_cast<unsigned>(bytes[position / 8]) >> (7U - position % 8U)) & 1U) != 0;
  }
  void append(bool one);

  friend bool operator==(const SelectMask&, const SelectMask&) = default;
};

// 45 bits and the mask (8 more for each further block of the pointer); ends with CRC-16.
struct Select {
  SelectTarget target = SelectTarget::kSl;
  std::uint8_t action = 0;  // 0..7
  Bank bank = Bank::kEpc;
  std::uint32_t pointer = 0;  // bit address in the bank
  SelectMask mask{};          // no bits: every tag matches
  bool truncate = false;      // the tag's next reply to ACK begins after the mask

  friend bool operator==(const Select&, const Select&) = default;
};

BitFrame encode(const Select& command);
// Nothing for another code or length, a wrong CRC or a target that is reserved.
std::optional<Select> decode_select(const BitFrame& frame);

}  // namespace singulate::gen2
