// The read record that crosses into JavaScript: 104 bytes, little-endian. The other side is
// src/radio-control/record.ts; both must agree.
//
// What came of access operations follows its record in continuation records: as many as `more`
// says, filled with bytes from the first to the last (stream/access_bytes.h).
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
  std::uint8_t flags = 0;      // kHasXpc, kAccessFailed
  std::uint8_t more = 0;       // continuation records that follow
  std::array<std::uint8_t, 62> epc{};
  std::uint16_t xpc_w1 = 0;  // with kHasXpc
  std::uint16_t beam = 0;    // of an array antenna, from 1; 0 = the antenna as a whole
  std::uint8_t plan = 0;     // which plan of the inventory: 0, then counted at each change
  std::uint8_t period = 0;   // counted at each start of reading by a start condition
  std::array<std::uint8_t, 4> pad{};
};

inline constexpr std::uint8_t kHasXpc = 0x01;
// At least one access operation, or read of a memory bank, did not succeed.
inline constexpr std::uint8_t kAccessFailed = 0x02;

static_assert(std::endian::native == std::endian::little, "records are copied as they lie");
static_assert(sizeof(ReadRecord) == 104 && std::is_trivially_copyable_v<ReadRecord>);
static_assert(offsetof(ReadRecord, time_ns) == 0 && offsetof(ReadRecord, sequence) == 8);
static_assert(offsetof(ReadRecord, frequency_khz) == 16 && offsetof(ReadRecord, rssi_cdbm) == 20);
static_assert(offsetof(ReadRecord, phase_cdeg) == 22 && offsetof(ReadRecord, pc) == 24);
static_assert(offsetof(ReadRecord, crc) == 26 && offsetof(ReadRecord, antenna) == 28);
static_assert(offsetof(ReadRecord, epc_bytes) == 29 && offsetof(ReadRecord, flags) == 30);
static_assert(offsetof(ReadRecord, more) == 31 && offsetof(ReadRecord, epc) == 32);
static_assert(offsetof(ReadRecord, xpc_w1) == 94 && offsetof(ReadRecord, beam) == 96);
static_assert(offsetof(ReadRecord, plan) == 98 && offsetof(ReadRecord, period) == 99);

}  // namespace singulate::stream
