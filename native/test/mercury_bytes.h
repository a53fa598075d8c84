// Bytes from text, for tests of the Mercury protocol.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace singulate::radio::mercury::vectors {

// "ff 00 03" as bytes.
inline std::vector<std::uint8_t> bytes_of(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = 0; at + 1 < text.size(); at += 3) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(text.substr(at, 2)), nullptr, 16)));
  }
  return bytes;
}

}  // namespace singulate::radio::mercury::vectors
