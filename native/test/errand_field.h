// Tags with memory and passwords for errands, and what errands are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inventory/tag_errand.h"
#include "simulation.h"

namespace singulate::test {

using Epc = std::vector<std::uint8_t>;

inline constexpr std::uint32_t kAccessPassword = 0x11223344;
inline constexpr std::uint32_t kKillPassword = 0x55667788;
inline constexpr std::size_t kErrandTags = 5;

inline Epc epc_of(std::uint8_t tag) { return {0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, tag}; }

// Each with the TID E2801160 00000000 + its number, and four words of USER.
inline radio::VirtualOptions errand_field() {
  auto field = field_of(kErrandTags);
  field.models[0].user_words = 4;
  field.models[0].block_write = true;
  for (std::uint8_t i = 0; i < kErrandTags; ++i) {
    auto& tag = field.groups[0].tags[i];
    tag.tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, 0, i};
    tag.user = {0, 1, 0, 2, 0, 3, 0, i};
    tag.access_password = kAccessPassword;
    tag.kill_password = kKillPassword;
  }
  return field;
}

inline radio::AccessOp read_of(gen2::Bank bank, std::uint32_t from, std::uint8_t words) {
  return {.bank = bank, .word_pointer = from, .word_count = words};
}

inline radio::AccessOp write_of(gen2::Bank bank, std::uint32_t from,
                                std::vector<std::uint16_t> words) {
  return {.kind = radio::AccessKind::kWrite,
          .bank = bank,
          .word_pointer = from,
          .words = std::move(words)};
}

inline radio::AccessOp password_of(std::uint32_t password) {
  return {.kind = radio::AccessKind::kAccess, .password = password};
}

inline radio::AccessOp kill_of(std::uint32_t password) {
  return {.kind = radio::AccessKind::kKill, .password = password};
}

inline inventory::TagErrand errand_for(Epc epc, std::vector<radio::AccessOp> operations) {
  inventory::TagErrand errand;
  errand.match.epc = std::move(epc);
  errand.operations = std::move(operations);
  return errand;
}

// By the last word of the TID.
inline inventory::TagErrand errand_by_tid(std::uint8_t tag,
                                          std::vector<radio::AccessOp> operations) {
  inventory::TagErrand errand;
  errand.match.bank = gen2::Bank::kTid;
  errand.match.pointer = 48;
  for (unsigned bit = 16; bit-- > 0;) errand.match.mask.append((tag >> bit & 1U) != 0);
  errand.operations = std::move(operations);
  return errand;
}

}  // namespace singulate::test
