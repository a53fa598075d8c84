// Tags with memory and passwords for access requests, and what access requests are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inventory/access_request.h"
#include "simulation.h"

namespace singulate::test {

using Epc = std::vector<std::uint8_t>;

inline constexpr std::uint32_t kAccessPassword = 0x11223344;
inline constexpr std::uint32_t kKillPassword = 0x55667788;
inline constexpr std::size_t kAccessTags = 5;

inline Epc epc_of(std::uint8_t tag) { return {0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, tag}; }

// Each with the TID E2801160 00000000 + its number, and four words of USER.
inline radio::VirtualOptions access_field() {
  auto field = field_of(kAccessTags);
  field.models[0].user_words = 4;
  field.models[0].block_write = true;
  for (std::uint8_t i = 0; i < kAccessTags; ++i) {
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

inline inventory::AccessRequest request_for(Epc epc, std::vector<radio::AccessOp> operations) {
  inventory::AccessRequest request;
  request.match.epc = std::move(epc);
  request.operations = std::move(operations);
  return request;
}

// By the last word of the TID.
inline inventory::AccessRequest request_by_tid(std::uint8_t tag,
                                               std::vector<radio::AccessOp> operations) {
  inventory::AccessRequest request;
  request.match.bank = gen2::Bank::kTid;
  request.match.pointer = 48;
  for (unsigned bit = 16; bit-- > 0;) request.match.mask.append((tag >> bit & 1U) != 0);
  request.operations = std::move(operations);
  return request;
}

}  // namespace singulate::test
