#include "radio/mercury/frame.h"

#include "radio/mercury/crc.h"

namespace singulate::radio::mercury {

namespace {

void append16(std::vector<std::uint8_t>& bytes, std::uint16_t value) {
  bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
  bytes.push_back(static_cast<std::uint8_t>(value & 0xFFU));
}

void append_crc(std::vector<std::uint8_t>& bytes) {
  append16(bytes, frame_crc(std::span(bytes).subspan(1)));
}

}  // namespace

std::vector<std::uint8_t> encode_command(std::uint8_t opcode, std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> bytes{kStartByte, static_cast<std::uint8_t>(data.size()), opcode};
  bytes.insert(bytes.end(), data.begin(), data.end());
  append_crc(bytes);
  return bytes;
}

std::vector<std::uint8_t> encode_reply(const Frame& frame, bool with_crc) {
  std::vector<std::uint8_t> bytes{kStartByte, static_cast<std::uint8_t>(frame.data.size()),
                                  frame.opcode};
  append16(bytes, frame.status);
  bytes.insert(bytes.end(), frame.data.begin(), frame.data.end());
  if (with_crc) append_crc(bytes);
  return bytes;
}

}  // namespace singulate::radio::mercury
