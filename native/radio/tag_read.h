// One singulated tag, as a radio module hands it over.
#pragma once

#include <cstdint>
#include <span>

#include "radio/access_op.h"

namespace singulate::radio {

struct TagRead {
  std::uint64_t time_ns = 0;            // air clock, nanoseconds since the Unix epoch
  std::uint32_t frequency_khz = 0;      // carrier
  std::int16_t rssi_cdbm = 0;           // hundredths of a dBm
  std::uint16_t phase_cdeg = 0;         // hundredths of a degree, 0..35999
  std::uint16_t pc = 0;                 // protocol control word as backscattered
  std::uint16_t crc = 0;                // packet CRC-16 as backscattered
  std::uint8_t antenna = 0;             // port, 1..255
  std::uint16_t xpc_w1 = 0;             // only with xpc_words > 0
  std::uint8_t xpc_words = 0;           // XPC words that were backscattered, 0..2
  std::span<const std::uint8_t> epc{};  // 0..62 bytes; valid during the call only
  // Of RoundRequest::access, in its order; valid during the call only.
  std::span<const AccessResult> access{};
};

// Where a module delivers its reads. Called on the thread that called run_round.
class TagSink {
 public:
  TagSink() = default;
  TagSink(const TagSink&) = delete;
  TagSink& operator=(const TagSink&) = delete;
  TagSink(TagSink&&) = delete;
  TagSink& operator=(TagSink&&) = delete;
  virtual ~TagSink() = default;

  // May block while nobody has room for the read (modules that are not paced).
  // False: the inventory is being stopped, end the round without further reads.
  virtual bool on_read(const TagRead& read) = 0;

  // Around reads that belong together, for modules that hand over many at once: those who wait for
  // reads need not be woken before the end. The reads of several rounds may be one batch. A module
  // that delivers its reads one by one calls neither.
  virtual void begin_batch() {}
  virtual void end_batch() {}
};

}  // namespace singulate::radio
