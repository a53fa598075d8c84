// TODO(driver): the protocol of your module in place of this made-up one.
//
// "MyModule" talks over a serial line at 115,200 baud, 8N1. A frame, in both directions:
//
//   A5 | length | code | data ... | CRC-16 (high byte first)
//
// length: bytes of code and data, 1..100. The CRC is that of Gen2, over length, code and data.
// Numbers of more than a byte have the high byte first.
//
//   host     0x01 version  -                      0x81 status, antennas u8, power i16 i16, text
//            0x02 power    antenna u8, cdBm i16   0x82 status
//            0x03 start    antenna u8, session u8, target u8, Q u8, carrier stays u8, ms u16
//                                                 0x83 status
//            0x04 stop     -                      0x84 status, after the end of the round
//   module   0x41 tag      antenna u8, ms since the start u16, kHz u32, RSSI cdBm i16,
//                          phase cdeg u16, PC u16, CRC u16, EPC
//            0x42 end      why u8, empty u16, single u16 and collided slots u16
//
// After the end of a round the carrier stays on for a second, or until a stop; a start may say
// that it has stayed. Tags of S0 are back at A when it was off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radio/tag_read.h"

namespace mymodule {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint32_t kBaud = 115'200;

enum class Code : std::uint8_t {
  kVersion = 0x01,
  kPower = 0x02,
  kStart = 0x03,
  kStop = 0x04,
  kTag = 0x41,
  kEnd = 0x42,
};
inline constexpr std::uint8_t kAnswer = 0x80;

enum class Refusal : std::uint8_t {
  kNone = 0,
  kUnknownCommand = 1,
  kBadValue = 2,
  kBusy = 3,
  kNoPower = 4,  // none was told for this antenna since the module was switched on
};
std::string_view text_of(Refusal refusal);

enum class Why : std::uint8_t { kNoMoreTags = 0, kTimeOver = 1, kStopped = 2 };

struct Version {
  std::uint8_t antennas = 0;
  std::int16_t min_power_cdbm = 0;
  std::int16_t max_power_cdbm = 0;
  std::string firmware{};
};

struct Power {
  std::uint8_t antenna = 0;
  std::int16_t cdbm = 0;
};

struct Start {
  std::uint8_t antenna = 0;
  std::uint8_t session = 0;
  std::uint8_t target = 0;  // 0 = A, 1 = B
  std::uint8_t q = 0;       // 0 = the module finds out
  bool carrier_stays = false;
  std::uint16_t ms = 0;
};

// The EPC is a view of the data.
struct Tag {
  std::uint8_t antenna = 0;
  std::uint16_t ms = 0;
  std::uint32_t khz = 0;
  std::int16_t rssi_cdbm = 0;
  std::uint16_t phase_cdeg = 0;
  std::uint16_t pc = 0;
  std::uint16_t crc = 0;
  std::span<const std::uint8_t> epc{};
};

struct End {
  Why why{};
  std::uint16_t empty = 0;
  std::uint16_t single = 0;
  std::uint16_t collided = 0;
};

// Both directions: the module of the tests has the other ends. Nothing: it is none.
Bytes encode(const Version& version);
Bytes encode(const Power& power);
Bytes encode(const Start& start);
Bytes encode(const Tag& tag);
Bytes encode(const End& end);
std::optional<Version> decode_version(std::span<const std::uint8_t> data);
std::optional<Power> decode_power(std::span<const std::uint8_t> data);
std::optional<Start> decode_start(std::span<const std::uint8_t> data);
std::optional<Tag> decode_tag(std::span<const std::uint8_t> data);
std::optional<End> decode_end(std::span<const std::uint8_t> data);

}  // namespace mymodule
