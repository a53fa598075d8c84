// Extensible bit vectors of 8-bit blocks (reference section 0.2): 7 bits of data a block, the
// extension bit is 1 on all blocks but the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gen2/bit_frame.h"

namespace singulate::gen2 {

// Blocks that a value needs: 1..5.
constexpr unsigned ebv_blocks(std::uint32_t value) {
  unsigned blocks = 1;
  while (value > 0x7F) {
    value >>= 7U;
    ++blocks;
  }
  return blocks;
}

// Appends the value in as few blocks as it takes.
inline void append_ebv(BitFrame& frame, std::uint32_t value) {
  for (unsigned block = ebv_blocks(value); block-- > 0;) {
    const std::uint32_t data = (value >> (7U * block)) & 0x7FU;
    frame.append((block > 0 ? 0x80U : 0U) | data, 8);
  }
}

// Reads the value at `position` and moves past it. Nothing if the frame ends inside it or it
// is above 32 bits. Blocks of leading zeros are tolerated.
inline std::optional<std::uint32_t> read_ebv(const BitFrame& frame, std::size_t& position) {
  std::uint64_t value = 0;
  for (int block = 0; block < 5 && position + 8 <= frame.size(); ++block) {
    const std::uint32_t bits = frame.read(position, 8);
    position += 8;
    value = (value << 7U) | (bits & 0x7FU);
    if (value > 0xFFFFFFFFU) return std::nullopt;
    if ((bits & 0x80U) == 0) return static_cast<std::uint32_t>(value);
  }
  return std::nullopt;
}

}  // namespace singulate::gen2
