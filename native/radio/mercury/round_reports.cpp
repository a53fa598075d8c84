#include "radio/mercury/round_reports.h"

#include <algorithm>

#include "gen2/units.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/round_search.h"
#include "radio/mercury/silion.h"
#include "radio/wall_clock.h"

namespace singulate::radio::mercury {

namespace {

// Records of a cycle come in the order of their times, but for a little.
constexpr std::uint32_t kDisorderMs = 20;

}  // namespace

void RoundReports::begin_stream(std::uint32_t baud) {
  stream_.begin(wall_ns(), baud);
  broken_ = false;
  no_antenna_ = false;
  heard_ = false;
}

void RoundReports::take(const Frame& frame) {
  if (frame.opcode != op::kSearch && frame.opcode != op::kSilion) {
    // A module that boots says so.
    if (frame.opcode == op::kBootApplication) broken_ = true;
    return;
  }
  stream_.last_report_ns = wall_ns();
  stream_.overflow_ns = 0;
  const Report report =
      frame.opcode == op::kSilion ? read_silion_report(frame) : read_report(frame, form_);
  if (const auto* tag = std::get_if<TagRecord>(&report)) {
    if (wanted_) take_tag(*tag);
  } else if (const auto* slots = std::get_if<RoundSummary>(&report)) {
    take_summary(*slots);
  } else if (const auto* statistics = std::get_if<Statistics>(&report)) {
    if (statistics->temperature_celsius) temperature_ = statistics->temperature_celsius;
  } else if (const auto* fault = std::get_if<Fault>(&report)) {
    take_fault(fault->status);
  } else if (std::holds_alternative<CycleEnd>(report)) {
    // Times of asynchronous reading go on from its start.
    if (frame.opcode == op::kSearch) {
      stream_.cycle_start_ns = stream_.last_report_ns;
      stream_.last_time_ms = 0;
    }
    end_cycle();
  }
}

void RoundReports::take_summary(const RoundSummary& slots) {
  result_.empty_slots += slots.empty;
  result_.single_slots += slots.single;
  result_.collided_slots += slots.collided;
  stream_.summary_in_cycle = true;
  stream_.summaries.take_summary();
  if (request_.several) result_.rounds = ++summaries_;
  if (request_.cycle.empty()) complete_ = true;
}

void RoundReports::end_cycle() {
  // No round was possible, or the module does not tell of them: then a cycle is one.
  if (!stream_.summary_in_cycle || !request_.cycle.empty()) complete_ = true;
  stream_.summary_in_cycle = false;
  stream_.summaries.end_cycle(stream_.last_report_ns);
}

void RoundReports::take_fault(std::uint16_t status) {
  complaint_ = status;
  switch (status) {
    case status::kBufferFull:
      ++overflows_;
      // Some modules read on, some wait for another start.
      stream_.overflow_ns = stream_.last_report_ns;
      break;
    case status::kNoAntenna:
      no_antenna_ = true;
      break;
    case status::kOverTemperature:
    case status::kHighReturnLoss:
    case status::kChannelBusy:
    case status::kAuthentication:
      // Reading goes on as soon as it can.
      break;
    default:
      broken_ = true;
      break;
  }
}

std::vector<AccessResult> RoundReports::access_of(const TagRecord& record) const {
  if (request_.access.empty()) return {};
  if (other_round_) {
    return std::vector<AccessResult>(request_.access.size(), {.status = AccessStatus::kNoTime});
  }
  std::vector<AccessResult> results;
  const bool with_password = request_.access.front().kind == AccessKind::kAccess;
  AccessResult last = access_result(request_.access.back(), record.data_fault, record.data);
  if (with_password) {
    // A tag that falls silent did so at the password, as far as one can tell.
    const bool secured = last.status != AccessStatus::kNoReply;
    results.push_back({.status = secured ? AccessStatus::kDone : AccessStatus::kNoReply});
    if (!secured) last.status = AccessStatus::kSkipped;
  }
  results.push_back(std::move(last));
  return results;
}

void RoundReports::take_tag(const TagRecord& record) {
  const std::uint64_t now = wall_ns();
  pins_ = record.gpio;
  heard_ = true;
  // The end of the cycle before was lost: this is a new one.
  if (record.time_ms + kDisorderMs < stream_.last_time_ms) {
    stream_.cycle_start_ns = now - std::min(now, record.time_ms * kNsPerMs);
  }
  stream_.last_time_ms = record.time_ms;
  const std::uint64_t told = stream_.cycle_start_ns + record.time_ms * kNsPerMs;
  // Not before the read before it, and not in the future.
  stream_.last_read_ns = std::clamp(told, std::min(stream_.last_read_ns, now), now);
  constexpr int kCentis = 100;
  const auto rssi = static_cast<std::int16_t>(record.rssi_dbm * kCentis);
  const std::vector<AccessResult> access = access_of(record);
  wanted_ = sink_.on_read(
      {.time_ns = stream_.last_read_ns,
       .frequency_khz = record.frequency_khz,
       .rssi_cdbm = rssi,
       .phase_cdeg = static_cast<std::uint16_t>(record.phase_degrees * kCentis),
       .pc = record.pc,
       .crc = record.crc,
       .antenna = record.antenna,
       .xpc_w1 = record.xpc_w1.value_or(0),
       .xpc_words = static_cast<std::uint8_t>((record.xpc_w1 ? 1 : 0) + (record.xpc_w2 ? 1 : 0)),
       .epc = record.epc,
       .access = access});
}

}  // namespace singulate::radio::mercury
