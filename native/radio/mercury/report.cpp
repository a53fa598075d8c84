#include "radio/mercury/report.h"

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/search.h"

namespace singulate::radio::mercury {

namespace {

enum class Type : std::uint8_t { kEnd = 0, kTag = 1, kStatistics = 2, kRoundSummary = 3 };

Report read_statistics(ByteReader& bytes) {
  Statistics statistics;
  bytes.ebv();  // which will follow
  while (bytes.ok() && !bytes.at_end()) {
    const std::uint32_t flag = bytes.ebv();
    const auto value = bytes.take(bytes.u8());
    if (flag == statistic::kTemperature && value.size() == 1) {
      statistics.temperature_celsius = static_cast<std::int8_t>(value[0]);
    }
  }
  if (!bytes.ok()) return Unreadable{};
  return statistics;
}

Report read_summary(ByteReader& bytes) {
  RoundSummary summary;
  summary.slots = bytes.u16();
  summary.empty = bytes.u16();
  summary.single = bytes.u16();
  summary.collided = bytes.u16();
  if (!bytes.ok()) return Unreadable{};
  return summary;
}

// 88 10 flags metadata 01 elapsed4, or nothing at all.
Report read_cycle_end(ByteReader bytes) {
  if (bytes.at_end()) return CycleEnd{};
  const auto head = read_search_head(bytes);
  if (head.metadata) bytes.u8();
  const std::uint32_t elapsed = bytes.u32();
  if (!bytes.ok()) return CycleEnd{};
  return CycleEnd{.elapsed_ms = elapsed};
}

}  // namespace

Report read_report(const Frame& frame, AntennaForm form) {
  ByteReader bytes(frame.data);
  if (frame.status == status::kNoTags) return read_cycle_end(bytes);
  if (frame.status != status::kSuccess) return Fault{.status = frame.status};
  const auto head = read_search_head(bytes);
  const std::uint8_t type = bytes.u8();
  if (!bytes.ok()) return Unreadable{};
  switch (static_cast<Type>(type)) {
    case Type::kTag: {
      const auto record = read_tag_record(bytes, head.metadata.value_or(0), form);
      if (!record) return Unreadable{};
      return *record;
    }
    case Type::kStatistics:
      return read_statistics(bytes);
    case Type::kRoundSummary:
      return read_summary(bytes);
    case Type::kEnd:
      return CycleEnd{};
  }
  return Unreadable{};
}

}  // namespace singulate::radio::mercury
