// Words of a tag's memory as they stand in frames: the high byte first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace singulate::emulator::mercury {

inline std::vector<std::uint8_t> bytes_of(std::span<const std::uint16_t> words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint16_t word : words) {
    bytes.push_back(static_cast<std::uint8_t>(word >> 8U));
    bytes.push_back(static_cast<std::uint8_t>(word & 0xFFU));
  }
  return bytes;
}

// An odd byte at the end is no word.
inline std::vector<std::uint16_t> words_of(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint16_t> words;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    words.push_back(static_cast<std::uint16_t>(bytes[i] << 8U | bytes[i + 1]));
  }
  return words;
}

}  // namespace singulate::emulator::mercury
