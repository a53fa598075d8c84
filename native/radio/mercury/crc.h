// The CRC of Mercury frames. Not that of Gen2: message bits enter at the low end of the register,
// and no zeros are appended.
#pragma once

#include <cstdint>
#include <span>

#include "gen2/crc.h"

namespace singulate::radio::mercury {

// Over LEN up to the last byte of data, without the start byte.
constexpr std::uint16_t frame_crc(std::span<const std::uint8_t> bytes) {
  unsigned crc = 0xFFFF;
  for (const std::uint8_t byte : bytes) {
    crc = ((crc << 8U | byte) ^ gen2::detail::kCrc16Table[crc >> 8U]) & 0xFFFFU;
  }
  return static_cast<std::uint16_t>(crc);
}

}  // namespace singulate::radio::mercury
