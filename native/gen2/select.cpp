#include "gen2/select.h"

#include "gen2/ebv.h"

namespace singulate::gen2 {

namespace {

constexpr std::uint32_t kSelectCode = 0b1010;

struct Changes {
  FlagChange match;
  FlagChange other;
};

// Section 7.2, by action.
constexpr std::array<Changes, kSelectActions> kActions{{
    {.match = FlagChange::kAssertOrA, .other = FlagChange::kDeassertOrB},
    {.match = FlagChange::kAssertOrA, .other = FlagChange::kNone},
    {.match = FlagChange::kNone, .other = FlagChange::kDeassertOrB},
    {.match = FlagChange::kNegate, .other = FlagChange::kNone},
    {.match = FlagChange::kDeassertOrB, .other = FlagChange::kAssertOrA},
    {.match = FlagChange::kDeassertOrB, .other = FlagChange::kNone},
    {.match = FlagChange::kNone, .other = FlagChange::kAssertOrA},
    {.match = FlagChange::kNone, .other = FlagChange::kNegate},
}};

}  // namespace

FlagChange flag_change(unsigned action, bool matches) {
  const Changes& changes = kActions[action % kSelectActions];
  return matches ? changes.match : changes.other;
}

void SelectMask::append(bool one) {
  if (bits == 255) return;
  if (one) {
    std::uint8_t& byte = bytes[bits / 8U];
    byte = static_cast<std::uint8_t>(byte | (0x80U >> (bits % 8U)));
  }
  ++bits;
}

BitFrame encode(const Select& command) {
  BitFrame frame;
  frame.append(kSelectCode, 4);
  frame.append(static_cast<std::uint32_t>(command.target), 3);
  frame.append(command.action, 3);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.pointer);
  frame.append(command.mask.bits, 8);
  for (unsigned i = 0; i < command.mask.bits; ++i) frame.append(command.mask.bit(i) ? 1 : 0, 1);
  frame.append(command.truncate ? 1 : 0, 1);
  append_crc16(frame);
  return frame;
}

std::optional<Select> decode_select(const BitFrame& frame) {
  if (frame.read(0, 4) != kSelectCode) return std::nullopt;
  if (frame.read(4, 3) >= kSelectTargets) return std::nullopt;
  Select command{.target = static_cast<SelectTarget>(frame.read(4, 3)),
                 .action = static_cast<std::uint8_t>(frame.read(7, 3)),
                 .bank = static_cast<Bank>(frame.read(10, 2))};
  std::size_t position = 12;
  const auto pointer = read_ebv(frame, position);
  if (!pointer) return std::nullopt;
  command.pointer = *pointer;
  const unsigned length = frame.read(position, 8);
  position += 8;
  if (frame.size() != position + length + 1 + 16 || !has_valid_crc16(frame)) return std::nullopt;
  for (unsigned i = 0; i < length; ++i) command.mask.append(frame.bit(position + i));
  command.truncate = frame.bit(position + length);
  return command;
}

}  // namespace singulate::gen2
