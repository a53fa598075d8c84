// What came of access operations, as the bytes of continuation records: their number (2 bytes,
// little-endian; after the last one the records hold whatever lay there before), then for each
//   status      AccessStatus; kMemoryRead is added for a bank that the report carries
//   error       TagError, with status kTagError
//   written     words that a write which failed midway did write
//   count       words that were read, 0..255
//   words       2 bytes each, the high one first
// The other side is src/radio-control/reports/access-bytes.ts; both must agree.
#pragma once

#include <cstddef>
#include <cstdint>

namespace singulate::stream {

inline constexpr std::uint8_t kMemoryRead = 0x80;
inline constexpr std::size_t kAccessHeaderBytes = 4;

}  // namespace singulate::stream
