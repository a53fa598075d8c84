#include "gen2/crc.h"

#include <array>
#include <string_view>
#include <vector>

#include "gen2/bit_frame.h"
#include "gen2/commands.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

namespace {

std::vector<std::uint8_t> words(std::initializer_list<unsigned> values) {
  std::vector<std::uint8_t> bytes;
  for (const unsigned value : values) {
    bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
    bytes.push_back(static_cast<std::uint8_t>(value & 0xFFU));
  }
  return bytes;
}

// A frame from text: 0 and 1, everything else is for the eye.
BitFrame bits(std::string_view text) {
  BitFrame frame;
  for (const char c : text) {
    if (c == '0' || c == '1') frame.append(c == '1' ? 1 : 0, 1);
  }
  return frame;
}

}  // namespace

TEST_CASE("CRC-5 has the residue 0 and the values of the Query vectors") {
  CHECK(crc5(0b1000'0'00'0'00'00'0'0000, 17) == 0b10000);
  CHECK(crc5(0b1000'0'01'1'10'01'0'0011, 17) == 0b01000);
  CHECK(crc5(0b1000'1'00'0'00'00'0'0100, 17) == 0b00101);
  CHECK(crc5(0b1000'1'10'1'00'01'0'0100, 17) == 0b11001);
  CHECK(crc5(0b1000'0'00'1'00'00'0'0000, 17) == 0b10011);
  CHECK(crc5(0b1000'1'10'1'00'01'0'0100'11001, 22) == 0);
}

TEST_CASE("CRC-16 gives the check value and the residue") {
  constexpr std::string_view kText = "123456789";
  Crc16 crc;
  for (const char c : kText) crc.byte(static_cast<std::uint8_t>(c));
  CHECK(crc.value() == 0xD64E);
  crc.word(0xD64E);
  CHECK(crc.residue() == kCrc16Residue);
}

TEST_CASE("CRC-16 gives the StoredCRC vectors") {
  CHECK(crc16(words({0x0000})) == 0xE2F0);
  CHECK(crc16(words({0x0800, 0x1111})) == 0xCCAE);
  CHECK(crc16(words({0x1000, 0x1111, 0x2222})) == 0x968F);
  CHECK(crc16(words({0x1800, 0x1111, 0x2222, 0x3333})) == 0x78F6);
  CHECK(crc16(words({0x2000, 0x1111, 0x2222, 0x3333, 0x4444})) == 0xC241);
  CHECK(crc16(words({0x2800, 0x1111, 0x2222, 0x3333, 0x4444, 0x5555})) == 0x2A91);
  const auto epc = words({0x1111, 0x2222, 0x3333, 0x4444, 0x5555, 0x6666});
  CHECK(packet_crc(0x3000, epc) == 0x1835);
}

TEST_CASE("CRC-16 over bits gives the whole-frame vectors") {
  CHECK(frame_crc16(bits("1010 100 100 01 00011011 00001011 01110001110 1"), 100) == 0xBB01);
  BitFrame req_rn;
  req_rn.append(0xC1, 8);
  req_rn.append(0x05FC, 16);
  CHECK(frame_crc16(req_rn, req_rn.size()) == 0xF3C2);
  BitFrame read = bits("11000010 00 00000000 00000010");
  read.append(0x0BF8, 16);
  CHECK(frame_crc16(read, read.size()) == 0xAB8F);
  BitFrame lock = bits("11000101");
  lock.append(0xC0300, 20);
  lock.append(0x0BF8, 16);
  CHECK(frame_crc16(lock, lock.size()) == 0x43D5);
  BitFrame kill = bits("11000100");
  kill.append(0xC4A7, 16);
  kill.append(0, 3);
  kill.append(0x0BF8, 16);
  CHECK(frame_crc16(kill, kill.size()) == 0x6AAD);
}
