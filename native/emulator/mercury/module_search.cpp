// Searches of a module that end by themselves: op 22 and op 21.
#include <algorithm>

#include "emulator/mercury/module.h"
#include "gen2/units.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
using radio::mercury::SearchRequest;
namespace search_flag = radio::mercury::search_flag;
namespace status = radio::mercury::status;

Answer Module::search(std::span<const std::uint8_t> data) {
  const auto request = radio::mercury::decode_search(data);
  if (!request) return bad_parameter();
  if ((request->flags & search_flag::kStream) != 0) return bad_parameter();
  if (request->select.multi && !profile_.multi_select) return bad_parameter();
  std::uint32_t added = 0;
  std::uint32_t seen = 0;
  radio::mercury::SearchReply counts;
  bool full = false;
  interrupted_ = false;
  auto& radio = air_.radio();
  if (const std::uint16_t refused = begin_air(); refused != 0) return fault(refused);
  radio::RoundResult slots;
  const std::uint64_t from = radio.now_ns();
  const std::uint64_t until = from + request->timeout_ms * kNsPerMs;
  const bool configured =
      (request->flags & search_flag::kConfiguredAntennas) == search_flag::kConfiguredAntennas;
  const std::vector<std::uint8_t> ports =
      configured ? settings_.antennas().search_list()
                 : std::vector<std::uint8_t>{settings_.antennas().single()};
  bool enough = false;
  const auto on_tag = [&](const KeptRecord& kept) {
    ++seen;
    if (request->embedded) {
      auto& count =
          kept.record.data_fault == 0 ? counts.embedded_succeeded : counts.embedded_failed;
      ++count;
    }
    const auto now = buffer_.keep(kept, settings_);
    full = now == RecordBuffer::Kept::kFull;
    if (now == RecordBuffer::Kept::kNew) ++added;
    enough = full || (request->stop_after_tags && seen >= *request->stop_after_tags);
    return !enough;
  };
  bool any_antenna = false;
  while (!enough && radio.now_ns() < until && !stopped()) {
    const std::uint64_t before = radio.now_ns();
    for (std::size_t i = 0; i < ports.size() && !enough; ++i) {
      if (!settings_.antennas().is_there(ports[i])) continue;
      any_antenna = true;
      air_.switch_on(ports[i], [this] { return !stopped(); });
      const std::uint64_t left = until > radio.now_ns() ? until - radio.now_ns() : 0;
      const std::uint64_t told = settings_.antennas().on_time_ms(ports[i]) * kNsPerMs;
      const std::uint64_t share = told != 0 ? std::min(told, left) : left / (ports.size() - i);
      const std::uint16_t refused = air_.visit(
          settings_, *request,
          {.port = ports[i],
           .from_ns = from,
           .until_ns = radio.now_ns() + share,
           .fresh_carrier = true},
          [this] { return !stopped(); }, on_tag, slots);
      if (refused != 0) return fault(refused);
    }
    if (!any_antenna) return fault(status::kNoAntenna);
    if (radio.now_ns() == before) break;
  }
  if (full) return fault(status::kBufferFull);
  if (seen == 0) return fault(status::kNoTags);
  counts.new_records = added;
  return {.data = encode_search_reply(*request, counts)};
}

Answer Module::read_single(std::span<const std::uint8_t> data) {
  if (data.size() < 2) return bad_count();
  SearchRequest request;
  request.select.multi = false;
  ByteReader reader(data);
  request.timeout_ms = reader.u16();
  if (!reader.at_end()) {
    // One select; without metadata.
    const std::uint8_t option = reader.u8();
    if ((option & radio::mercury::option::kMetadata) != 0) return bad_parameter();
    request.select = read_selects(reader, false, option);
    if (!reader.ok() || !reader.at_end()) return bad_parameter();
  }
  std::optional<KeptRecord> found;
  radio::RoundResult slots;
  if (const std::uint16_t refused = begin_air(); refused != 0) return fault(refused);
  const std::uint64_t from = air_.now_ns();
  const std::uint16_t refused = air_.visit(
      settings_, request,
      {.port = settings_.antennas().single(),
       .from_ns = from,
       .until_ns = from + request.timeout_ms * kNsPerMs},
      [&] { return !found && !stopped(); },
      [&](const KeptRecord& kept) {
        found = kept;
        return false;
      },
      slots);
  if (refused != 0) return fault(refused);
  if (!found) return fault(status::kNoTags);
  ByteWriter writer;
  return {.data = writer.bytes(found->epc).u16(found->record.crc).take()};
}

}  // namespace singulate::emulator::mercury
