#include "radio/replay/replay_radio.h"

#include <algorithm>
#include <utility>

#include "gen2/crc.h"
#include "gen2/link_profile.h"
#include "gen2/replies.h"

namespace singulate::radio {

namespace {

// Paced: how often a dense recording wakes the thread at most.
constexpr std::uint64_t kQuantumNs = 1'000'000;

// In a gap between two reads: how often the watch is asked.
constexpr std::uint64_t kGapStepNs = 20'000'000;

// Recordings do not say their power; this is what a plan may name for them.
constexpr std::int32_t kMostPowerCdbm = 3300;

void complete(RecordedRead& read) {
  if (read.pc == 0) read.pc = gen2::pc_for_epc_bytes(read.epc_bytes);
  if (read.crc == 0) read.crc = gen2::packet_crc(read.pc, {read.epc.data(), read.epc_bytes});
}

Capabilities describe(const ReplayOptions& options) {
  Capabilities result;
  result.module = "replay";
  result.model = options.model.empty() ? "recorded reads" : options.model;
  result.firmware = "1.0";
  std::bitset<256> ports;
  for (const RecordedRead& read : options.reads) ports.set(read.antenna);
  for (unsigned port = 1; port < 256; ++port) {
    if (ports.test(port)) result.antennas.push_back(static_cast<std::uint8_t>(port));
  }
  result.max_transmit_power_cdbm = kMostPowerCdbm;
  for (const gen2::LinkProfile& profile : gen2::link_profiles()) {
    result.link_profiles.emplace_back(profile.name);
  }
  result.paced = options.paced;
  result.sequences_antennas = true;
  result.features = *find_features("replay");
  return result;
}

}  // namespace

ReplayRadio::ReplayRadio(ReplayOptions options)
    : capabilities_(describe(options)),
      reads_(std::move(options.reads)),
      clock_(options.paced, options.start_ns) {
  const auto by_time = [](const RecordedRead& a, const RecordedRead& b) {
    return a.time_ns < b.time_ns;
  };
  if (!std::is_sorted(reads_.begin(), reads_.end(), by_time)) {
    std::stable_sort(reads_.begin(), reads_.end(), by_time);
  }
  for (RecordedRead& read : reads_) complete(read);
}

Status ReplayRadio::configure(const RadioSettings& settings) {
  hear(settings);
  clock_.start();
  origin_ns_ = clock_.now_ns();
  next_ = 0;
  return {};
}

Status ReplayRadio::change(const RadioSettings& settings) {
  hear(settings);
  return {};
}

void ReplayRadio::hear(const RadioSettings& settings) {
  heard_.reset();
  for (const RadioSettings::Antenna& antenna : settings.antennas) heard_.set(antenna.port);
}

bool ReplayRadio::idle_until(std::uint64_t time_ns) {
  clock_.advance_to(time_ns);
  return clock_.wait();
}

Result<RoundResult> ReplayRadio::run_round(const RoundRequest& request, TagSink& sink) {
  // What was recorded was recorded: it cannot be asked for something else.
  const bool selects = request.selects != nullptr && !request.selects->selects.empty();
  if (selects || !request.access.empty() || request.min_rssi_cdbm || request.beam != 0) {
    return Error{ErrorCode::kNotSupported,
                 "a recording takes no Selects, access, RSSI limit or beams"};
  }
  RoundResult result;
  const auto ended = [&result](RoundEnd end) {
    result.end = end;
    return result;
  };
  std::uint64_t woken_ns = clock_.now_ns();
  for (; next_ < reads_.size(); ++next_) {
    const RecordedRead& read = reads_[next_];
    if (!heard_.test(read.antenna)) continue;
    if (clock_.interrupted()) return ended(RoundEnd::kInterrupted);
    if (request.watch != nullptr && !request.watch->goes_on()) return ended(RoundEnd::kWatch);
    const std::uint64_t due_ns = origin_ns_ + read.time_ns;
    if (due_ns >= request.deadline_ns) {
      clock_.advance_to(request.deadline_ns);
      return ended(clock_.wait() ? RoundEnd::kDeadline : RoundEnd::kInterrupted);
    }
    if (request.watch != nullptr && !pass_gap(due_ns, *request.watch)) {
      return ended(clock_.interrupted() ? RoundEnd::kInterrupted : RoundEnd::kWatch);
    }
    if (clock_.paced() && due_ns > woken_ns) {
      // Reads that follow closely wait for one another, so as to wake once for them all.
      clock_.advance_to(std::max(due_ns, std::min(woken_ns + kQuantumNs, request.deadline_ns)));
      if (!clock_.wait()) return ended(RoundEnd::kInterrupted);
      woken_ns = std::max(clock_.now_ns(), clock_.real_ns());
    }
    clock_.advance_to(due_ns);
    if (!deliver(read, sink)) return ended(RoundEnd::kInterrupted);
  }
  return ended(RoundEnd::kEndOfRecording);
}

bool ReplayRadio::pass_gap(std::uint64_t due_ns, RoundWatch& watch) {
  while (due_ns > clock_.now_ns() + kGapStepNs) {
    clock_.advance_ns(kGapStepNs);
    if (!clock_.wait() || !watch.goes_on()) return false;
  }
  return true;
}

bool ReplayRadio::deliver(const RecordedRead& read, TagSink& sink) const {
  return sink.on_read({
      .time_ns = origin_ns_ + read.time_ns,
      .frequency_khz = read.frequency_khz,
      .rssi_cdbm = read.rssi_cdbm,
      .phase_cdeg = read.phase_cdeg,
      .pc = read.pc,
      .crc = read.crc,
      .antenna = read.antenna,
      .epc = {read.epc.data(), read.epc_bytes},
  });
}

}  // namespace singulate::radio
