#include "emulator/mercury/record_buffer.h"

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
namespace status = radio::mercury::status;

RecordBuffer::Kept RecordBuffer::keep(const KeptRecord& kept, const Settings& settings) {
  constexpr std::uint8_t kByAntenna = 0x00;
  constexpr std::uint8_t kHighestRssi = 0x06;
  constexpr std::uint8_t kByData = 0x08;
  // The sense of these two keys is inverted: 0 = they make a record of its own.
  const bool by_antenna = settings.keys().reader(kByAntenna) == 0;
  const bool by_data = settings.keys().reader(kByData) == 0;
  for (KeptRecord& one : records_) {
    if (one.epc != kept.epc) continue;
    if (by_antenna && one.record.antenna != kept.record.antenna) continue;
    if (by_data && one.data != kept.data) continue;
    const auto count = one.record.read_count;
    const bool stronger = kept.record.rssi_dbm > one.record.rssi_dbm;
    if (settings.keys().reader(kHighestRssi) != 0 && stronger) one = kept;
    constexpr std::uint8_t kMost = 255;
    one.record.read_count = count == kMost ? kMost : static_cast<std::uint8_t>(count + 1);
    return Kept::kSeenBefore;
  }
  if (records_.size() >= profile_.buffer_records) return Kept::kFull;
  records_.push_back(kept);
  return Kept::kNew;
}

Answer RecordBuffer::answer(std::span<const std::uint8_t> data) {
  if (data.empty()) {
    return {.data = ByteWriter().u16(0).u16(static_cast<std::uint32_t>(records_.size())).take()};
  }
  if (data.size() != 3) return bad_count();
  ByteReader reader(data);
  const std::uint16_t fields = profile_.metadata_for(reader.u16());
  const std::uint8_t option = reader.u8();
  ByteWriter whole;
  std::uint8_t count = 0;
  constexpr std::size_t kHead = 4;
  // Whole records only.
  while (!records_.empty()) {
    ByteWriter one;
    write_tag_record(one, records_.front().with_spans(), fields, profile_.antenna_form);
    if (kHead + whole.view().size() + one.view().size() > radio::mercury::kMostReplyData) break;
    whole.bytes(one.view());
    records_.pop_front();
    ++count;
  }
  return {.data = ByteWriter().u16(fields).u8(option).u8(count).bytes(whole.view()).take()};
}

}  // namespace singulate::emulator::mercury
