// One tag of a report: metadata in the order of its bits, then the tag's reply.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"

namespace singulate::radio::mercury {

// How the antenna byte is written: TX and RX nibbles, or one number.
enum class AntennaForm : std::uint8_t { kNibbles, kPlain };

// Fields that the metadata leaves out are zero. Spans live as long as the bytes they are from.
struct TagRecord {
  std::uint8_t read_count = 0;
  std::int8_t rssi_dbm = 0;
  std::uint8_t antenna = 0;  // the port that transmits
  std::uint32_t frequency_khz = 0;
  std::uint32_t time_ms = 0;        // since the start of the search, or of the on-cycle
  std::uint16_t phase_degrees = 0;  // 0..180
  std::uint8_t protocol = 0;
  std::span<const std::uint8_t> data{};  // of the embedded access
  std::uint16_t data_fault = 0;          // status; 0 = the access succeeded
  std::uint8_t gpio = 0;                 // low nibble outputs, high nibble inputs
  std::uint8_t q = 0;
  std::uint8_t blf = 0;
  std::uint8_t target = 0;
  std::uint16_t brand = 0;
  std::uint16_t layer1 = 0;
  std::uint16_t pc = 0;
  std::optional<std::uint16_t> xpc_w1{};
  std::optional<std::uint16_t> xpc_w2{};
  std::span<const std::uint8_t> epc{};
  std::uint16_t crc = 0;
};

// How the length of the tag's reply is written: in bits as two bytes, or in bytes as one.
enum class LengthForm : std::uint8_t { kBits16, kBytes8 };

// Nothing if the bytes cannot be a record: then the rest of the report means nothing either.
std::optional<TagRecord> read_tag_record(ByteReader& bytes, std::uint16_t metadata,
                                         AntennaForm form, LengthForm length = LengthForm::kBits16);

void write_tag_record(ByteWriter& bytes, const TagRecord& record, std::uint16_t metadata,
                      AntennaForm form, LengthForm length = LengthForm::kBits16);

}  // namespace singulate::radio::mercury
