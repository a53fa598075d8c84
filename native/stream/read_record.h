// The read record that crosses into JavaScript: 96 bytes, little-endian. The other side is
// src/radio-control/record.ts; both must agree.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace singulate::stream {

struct ReadRecord {
  std::uint64_t time_ns = 0;   // since the Unix epoch
  std::uint64_t sequence = 0;  // from 1; counts every singulation, dropped ones too
  std::uint32_t frequency_khz = 0;
  std::int16_t rssi_cdbm = 0;
  std::uint16_t phase_cdeg = 0;  // 0..35999
  std::uint16_t pc = 0;
  std::uint16_t crc = 0;       // packet CRC-16
  std::uint8_t antenna = 0;    // port
  std::uint8_t epc_bytes = 0;  // 0..62
  std::uint8_t flags = 0;      // none defined yet
  std::uint8_t reserved = 0;
  std::array<std::uint8_t, 62> epc{};
  std::array<std::uint8_t, 2> pad{};
};

static_assert(std::endian::native == std::endian::little, "records are copied as they lie");
static_assert(sizeof(ReadRecord) == 96 && std::is_trivially_copyable_v<ReadRecord>);
static_assert(offsetof(ReadRecord, time_ns) == 0 && offsetof(ReadRecord, sequence) == 8);
static_assert(offsetof(ReadRecord, frequency_khz) == 16 && offsetof(ReadRecord, rssi_cdbm) == 20);
static_assert(offsetof(ReadRecord, phase_cdeg) == 22 && offsetof(ReadRecord, pc) == 24);
static_assert(offsetof(ReadRecord, crc) == 26 && offsetof(ReadRecord, antenna) == 28);
static_assert(offsetof(ReadRecord, epc_bytes) == 29 && offsetof(ReadRecord, flags) == 30);
static_assert(offsetof(ReadRecord, reserved) == 31 && offsetof(ReadRecord, epc) == 32);
static_assert(offsetof(ReadRecord, pad) == 94);

}  // namespace singulate::stream
