#include "emulator/mercury/stream_reports.h"

#include <algorithm>

#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/silion.h"

namespace singulate::emulator::mercury {

using radio::mercury::ByteWriter;
using radio::mercury::SearchRequest;

namespace {

// What a report is of, after its head.
enum class ReportKind : std::uint8_t { kEnd = 0, kTag = 1, kStatistics = 2, kRoundSummary = 3 };

ByteWriter begin_without_metadata(const SearchRequest& stream, ReportKind kind) {
  auto head = head_of(stream);
  head.metadata.reset();
  ByteWriter writer;
  write_search_head(writer, head);
  writer.u8(static_cast<std::uint8_t>(kind));
  return writer;
}

ByteWriter begin(const SearchRequest& stream, ReportKind kind, const Profile& profile) {
  auto head = head_of(stream);
  if (head.metadata) head.metadata = profile.metadata_for(*head.metadata);
  ByteWriter writer;
  write_search_head(writer, head);
  writer.u8(static_cast<std::uint8_t>(kind));
  return writer;
}

}  // namespace

std::vector<std::uint8_t> tag_report(const SearchRequest& stream, const KeptRecord& kept,
                                     const Profile& profile) {
  auto writer = begin(stream, ReportKind::kTag, profile);
  write_tag_record(writer, kept.with_spans(), profile.metadata_for(stream.metadata.value_or(0)),
                   profile.antenna_form);
  return writer.take();
}

std::vector<std::uint8_t> silion_tag_report(const SearchRequest& stream, const KeptRecord& kept,
                                            const Profile& profile) {
  return radio::mercury::encode_silion_tag(kept.with_spans(),
                                           profile.metadata_for(stream.metadata.value_or(0)));
}

std::vector<std::uint8_t> round_summary_report(const SearchRequest& stream,
                                               const radio::RoundResult& slots) {
  const auto word = [](std::uint64_t value) {
    constexpr std::uint64_t kMost = 0xFFFF;
    return static_cast<std::uint32_t>(std::min(value, kMost));
  };
  auto writer = begin_without_metadata(stream, ReportKind::kRoundSummary);
  writer.u16(word(slots.empty_slots + slots.single_slots + slots.collided_slots));
  writer.u16(word(slots.empty_slots)).u16(word(slots.single_slots));
  return writer.u16(word(slots.collided_slots)).take();
}

std::vector<std::uint8_t> temperature_report(const SearchRequest& stream, std::int8_t celsius) {
  auto writer = begin_without_metadata(stream, ReportKind::kStatistics);
  // What is there, and what comes now.
  constexpr std::uint32_t kTemperature = radio::mercury::statistic::kTemperature;
  writer.ebv(kTemperature).ebv(kTemperature).u8(1);
  return writer.u8(static_cast<std::uint8_t>(celsius)).take();
}

std::vector<std::uint8_t> cycle_end_report(const SearchRequest& stream, std::uint32_t elapsed_ms) {
  if (!stream.select.multi) return {};
  auto head = head_of(stream);
  head.option = radio::mercury::option::kMetadata;
  head.metadata = radio::mercury::metadata::kTime;
  ByteWriter writer;
  write_search_head(writer, head);
  return writer.u8(1).u32(elapsed_ms).take();
}

std::vector<std::uint8_t> enough_tags_report(const SearchRequest& stream, const Profile& profile) {
  return begin(stream, ReportKind::kEnd, profile).take();
}

}  // namespace singulate::emulator::mercury
