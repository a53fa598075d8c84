// What a module answers to a command.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

struct Answer {
  std::uint16_t status = 0;
  std::vector<std::uint8_t> data{};
};

inline Answer fault(std::uint16_t code) { return {.status = code}; }
inline Answer bad_parameter() { return fault(radio::mercury::status::kBadParameter); }
inline Answer bad_count() { return fault(radio::mercury::status::kDataCount); }

inline Answer answer_of(std::initializer_list<unsigned> values) {
  Answer answer;
  for (const unsigned value : values) answer.data.push_back(static_cast<std::uint8_t>(value));
  return answer;
}

// Of 1 to 4 bytes, the high one first.
inline std::uint32_t value_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8U | byte;
  return value;
}

}  // namespace singulate::emulator::mercury
