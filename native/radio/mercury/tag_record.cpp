#include "radio/mercury/tag_record.h"

#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::uint16_t kDataFailed = 0x8000;
constexpr std::uint16_t kHasXpc1 = 0x0200;  // of PC
constexpr std::uint16_t kHasXpc2 = 0x8000;  // of XPC_W1
constexpr std::size_t kWord = 2;

void read_data(ByteReader& bytes, TagRecord& record) {
  const std::uint16_t bits = bytes.u16();
  if (bits == kDataFailed) {
    record.data_fault = bytes.u16();
    return;
  }
  record.data = bytes.take((bits + 7U) / 8U);
}

// PC, [XPC_W1, [XPC_W2]], EPC, CRC, after their length.
void read_reply(ByteReader& bytes, TagRecord& record, LengthForm length) {
  const std::size_t size = length == LengthForm::kBits16 ? bytes.u16() / 8U : bytes.u8();
  ByteReader reply(bytes.take(size));
  record.pc = reply.u16();
  if ((record.pc & kHasXpc1) != 0) {
    record.xpc_w1 = reply.u16();
    if ((*record.xpc_w1 & kHasXpc2) != 0) record.xpc_w2 = reply.u16();
  }
  if (!reply.ok() || reply.left() < kWord) return bytes.fail();
  record.epc = reply.take(reply.left() - kWord);
  record.crc = reply.u16();
}

}  // namespace

std::optional<TagRecord> read_tag_record(ByteReader& bytes, std::uint16_t metadata,
                                         AntennaForm form, LengthForm length) {
  const auto has = [&](std::uint16_t bit) { return (metadata & bit) != 0; };
  TagRecord record;
  if (has(metadata::kReadCount)) record.read_count = bytes.u8();
  if (has(metadata::kRssi)) record.rssi_dbm = static_cast<std::int8_t>(bytes.u8());
  if (has(metadata::kAntenna)) {
    const std::uint8_t antenna = bytes.u8();
    record.antenna =
        form == AntennaForm::kNibbles ? static_cast<std::uint8_t>(antenna >> 4U) : antenna;
  }
  if (has(metadata::kFrequency)) record.frequency_khz = bytes.integer(3);
  if (has(metadata::kTime)) record.time_ms = bytes.u32();
  if (has(metadata::kPhase)) record.phase_degrees = bytes.u16();
  if (has(metadata::kProtocol)) record.protocol = bytes.u8();
  if (has(metadata::kData)) read_data(bytes, record);
  if (has(metadata::kGpio)) record.gpio = bytes.u8();
  if (has(metadata::kQ)) record.q = bytes.u8();
  if (has(metadata::kBlf)) record.blf = bytes.u8();
  if (has(metadata::kTarget)) record.target = bytes.u8();
  if (has(metadata::kBrand)) record.brand = bytes.u16();
  if (has(metadata::kTagType)) bytes.ebv();
  if (has(metadata::kLayer1)) record.layer1 = bytes.u16();
  read_reply(bytes, record, length);
  if (!bytes.ok()) return std::nullopt;
  return record;
}

void write_tag_record(ByteWriter& bytes, const TagRecord& record, std::uint16_t metadata,
                      AntennaForm form, LengthForm length) {
  const auto has = [&](std::uint16_t bit) { return (metadata & bit) != 0; };
  if (has(metadata::kReadCount)) bytes.u8(record.read_count);
  if (has(metadata::kRssi)) bytes.u8(static_cast<std::uint8_t>(record.rssi_dbm));
  if (has(metadata::kAntenna)) {
    const unsigned port = record.antenna;
    bytes.u8(form == AntennaForm::kNibbles ? (port << 4U | port) & 0xFFU : port);
  }
  if (has(metadata::kFrequency)) bytes.integer(record.frequency_khz, 3);
  if (has(metadata::kTime)) bytes.u32(record.time_ms);
  if (has(metadata::kPhase)) bytes.u16(record.phase_degrees);
  if (has(metadata::kProtocol)) bytes.u8(record.protocol);
  if (has(metadata::kData)) {
    if (record.data_fault != 0) {
      bytes.u16(kDataFailed).u16(record.data_fault);
    } else {
      bytes.u16(static_cast<std::uint32_t>(record.data.size() * 8)).bytes(record.data);
    }
  }
  if (has(metadata::kGpio)) bytes.u8(record.gpio);
  if (has(metadata::kQ)) bytes.u8(record.q);
  if (has(metadata::kBlf)) bytes.u8(record.blf);
  if (has(metadata::kTarget)) bytes.u8(record.target);
  if (has(metadata::kBrand)) bytes.u16(record.brand);
  if (has(metadata::kTagType)) bytes.u8(0);
  if (has(metadata::kLayer1)) bytes.u16(record.layer1);
  const std::size_t xpc = (record.xpc_w1 ? kWord : 0) + (record.xpc_w2 ? kWord : 0);
  const auto size = static_cast<std::uint32_t>(kWord + xpc + record.epc.size() + kWord);
  if (length == LengthForm::kBits16) {
    bytes.u16(size * 8);
  } else {
    bytes.u8(size);
  }
  bytes.u16(record.pc);
  if (record.xpc_w1) bytes.u16(*record.xpc_w1);
  if (record.xpc_w2) bytes.u16(*record.xpc_w2);
  bytes.bytes(record.epc).u16(record.crc);
}

}  // namespace singulate::radio::mercury
