// Selects as searches and access commands carry them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"

namespace singulate::radio::mercury {

// Low bits of the option byte: what a select compares.
enum class SelectKind : std::uint8_t {
  kNone = 0,
  kEpc = 1,  // the EPC from its first bit
  kTid = 2,
  kUser = 3,
  kEpcBank = 4,      // the EPC bank from bit_pointer: 20h is the first bit of the EPC
  kPassword = 5,     // nothing: there is an access password only
  kEpcLength = 6,    // tags whose EPC has so many bits: a length in two bytes, without mask
  kEpcTruncate = 7,  // as kEpcBank; the tag's reply begins after the mask
};

namespace option {
inline constexpr std::uint8_t kKind = 0x07;
inline constexpr std::uint8_t kInvert = 0x08;
inline constexpr std::uint8_t kMetadata = 0x10;
inline constexpr std::uint8_t kLongMask = 0x20;  // the length of the mask has two bytes
// Before the option: selects with target and action, of which there may be several.
inline constexpr std::uint8_t kMultiSelect = 0x88;
}  // namespace option

// One select cannot be told to hold more.
inline constexpr std::size_t kMostSelects = 3;

struct SelectSpec {
  SelectKind kind = SelectKind::kEpcBank;
  bool invert = false;
  std::uint32_t bit_pointer = 0;
  std::uint16_t bit_length = 0;
  std::vector<std::uint8_t> mask{};
  std::uint8_t target = 4;  // 0..3 = S0..S3, 4 = SL; only in multi-select form
  std::uint8_t action = 0;  // 0..7 as in Gen2; only in multi-select form
};

// What stands after the fixed part of a search or an access command.
struct SelectPart {
  bool multi = true;  // with the 88 form
  std::optional<std::uint32_t> access_password{};
  std::vector<SelectSpec> selects{};
};

// The option byte of the first select; without selects, of the password alone.
std::uint8_t option_of(const SelectPart& part);

// password_first: false where the command has carried the password before (lock, kill).
void write_selects(ByteWriter& bytes, const SelectPart& part, bool password_first = true);

// option: the byte that was read before. bytes.ok() is false if it cannot be.
SelectPart read_selects(ByteReader& bytes, bool multi, std::uint8_t option,
                        bool password_first = true);

}  // namespace singulate::radio::mercury
