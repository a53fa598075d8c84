#include "emulator/mercury/air.h"

#include <algorithm>
#include <cmath>

#include "emulator/mercury/access_status.h"
#include "emulator/mercury/embedded_access.h"
#include "gen2/units.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

namespace {

namespace status = radio::mercury::status;
using radio::AccessKind;
using radio::AccessOp;
using radio::mercury::SelectKind;
using radio::mercury::SelectPart;
using radio::mercury::SelectSpec;

constexpr std::uint32_t kFirstEpcBit = 0x20;
constexpr std::uint8_t kSlTarget = 4;

// Gen2 parameters.
constexpr std::uint8_t kSession = 0x00;
constexpr std::uint8_t kTarget = 0x01;
constexpr std::uint8_t kQ = 0x12;
constexpr std::uint8_t kT4 = 0x15;
constexpr std::uint8_t kInitialQ = 0x16;
constexpr std::uint32_t kOnlyA = 0x0100;
constexpr std::uint32_t kOnlyB = 0x0101;
constexpr std::uint32_t kBThenA = 0x0001;
constexpr std::uint32_t kStatic = 0x0100;

gen2::Bank bank_of(SelectKind kind) {
  if (kind == SelectKind::kTid) return gen2::Bank::kTid;
  if (kind == SelectKind::kUser) return gen2::Bank::kUser;
  return gen2::Bank::kEpc;
}

// Without target and action a select asserts SL on what matches, or on what does not.
gen2::Select select_of(const SelectSpec& spec, bool multi) {
  gen2::Select select;
  select.target =
      static_cast<gen2::SelectTarget>(multi ? std::min(spec.target, kSlTarget) : kSlTarget);
  constexpr unsigned kOpposite = 4;
  const unsigned action = multi ? spec.action & 7U : 0U;
  select.action = static_cast<std::uint8_t>(spec.invert ? action ^ kOpposite : action);
  if (spec.kind == SelectKind::kEpcLength) {
    // The length in words stands in the first five bits of the PC.
    constexpr std::uint32_t kLengthBit = 0x10;
    constexpr unsigned kLengthBits = 5;
    constexpr unsigned kBitsOfWord = 16;
    select.pointer = kLengthBit;
    for (unsigned i = kLengthBits; i-- > 0;) {
      select.mask.append((spec.bit_length / kBitsOfWord >> i & 1U) != 0);
    }
    return select;
  }
  select.bank = bank_of(spec.kind);
  select.truncate = spec.kind == SelectKind::kEpcTruncate;
  select.pointer = spec.kind == SelectKind::kEpc ? kFirstEpcBit : spec.bit_pointer;
  constexpr std::uint16_t kLongest = 255;
  const std::uint16_t bits = std::min(spec.bit_length, kLongest);
  for (std::uint16_t i = 0; i < bits && i / 8U < spec.mask.size(); ++i) {
    select.mask.append((static_cast<unsigned>(spec.mask[i / 8U]) >> (7U - i % 8U) & 1U) != 0);
  }
  return select;
}

class WatchAdapter : public radio::RoundWatch {
 public:
  explicit WatchAdapter(const Air::Watch& watch) : watch_(watch) {}
  bool goes_on() override { return watch_(); }

 private:
  const Air::Watch& watch_;
};

class Sink : public radio::TagSink {
 public:
  using Take = std::function<bool(const radio::TagRead&)>;
  explicit Sink(Take take) : take_(std::move(take)) {}
  bool on_read(const radio::TagRead& read) override { return take_(read); }

 private:
  Take take_;
};

// The carrier is on as long as this is there.
class CountsRfOn {
 public:
  CountsRfOn(const radio::VirtualRadio& radio, std::uint8_t port, Statistics& statistics)
      : radio_(radio), port_(port), statistics_(statistics), from_ns_(radio.now_ns()) {}
  CountsRfOn(const CountsRfOn&) = delete;
  CountsRfOn& operator=(const CountsRfOn&) = delete;
  CountsRfOn(CountsRfOn&&) = delete;
  CountsRfOn& operator=(CountsRfOn&&) = delete;
  ~CountsRfOn() { statistics_.count_rf_on(port_, radio_.now_ns() - from_ns_); }

 private:
  const radio::VirtualRadio& radio_;
  const std::uint8_t port_;
  Statistics& statistics_;
  const std::uint64_t from_ns_;
};

radio::mercury::TagRecord record_of(const radio::TagRead& read, std::uint64_t from_ns) {
  constexpr unsigned kHalfTurn = 180;
  radio::mercury::TagRecord record;
  record.read_count = 1;
  record.rssi_dbm = static_cast<std::int8_t>(
      std::clamp(std::lround(static_cast<double>(read.rssi_cdbm) / 100), -128L, 127L));
  record.antenna = read.antenna;
  record.frequency_khz = read.frequency_khz;
  record.time_ms = static_cast<std::uint32_t>((read.time_ns - from_ns) / kNsPerMs);
  record.phase_degrees = static_cast<std::uint16_t>(read.phase_cdeg / 100U % kHalfTurn);
  record.protocol = radio::mercury::kGen2;
  record.pc = read.pc;
  if (read.xpc_words > 0) record.xpc_w1 = read.xpc_w1;
  record.crc = read.crc;
  return record;
}

}  // namespace

KeptRecord::KeptRecord(const radio::mercury::TagRecord& from,
                       std::span<const std::uint8_t> epc_bytes,
                       std::span<const std::uint8_t> data_bytes)
    : record(from),
      epc(epc_bytes.begin(), epc_bytes.end()),
      data(data_bytes.begin(), data_bytes.end()) {}

radio::mercury::TagRecord KeptRecord::with_spans() const {
  radio::mercury::TagRecord result = record;
  result.epc = epc;
  result.data = data;
  return result;
}

Air::Air(const Profile& profile, const radio::VirtualOptions& field, bool ramps)
    : profile_(profile),
      radio_(field),
      carrier_(ramps ? profile.ramp : std::chrono::milliseconds(0)) {
  // A module of its own does not know what its host has time for.
  constexpr std::uint64_t kCollectNs = 2'000'000;
  radio_.collect(kCollectNs);
}

std::vector<std::uint8_t> Air::antennas() const {
  constexpr std::uint8_t kLastPort = 4;
  std::vector<std::uint8_t> ports;
  for (const std::uint8_t port : radio_.capabilities().antennas) {
    if (port <= kLastPort) ports.push_back(port);
  }
  return ports;
}

radio::RadioSettings Air::wanted(const Settings& settings, bool writes) const {
  radio::RadioSettings result{.link_profile = std::string(settings.keys().link_profile()),
                              .antennas = {}};
  const auto& field = radio_.capabilities();
  for (const std::uint8_t port : antennas()) {
    const Powers powers = settings.antennas().powers(port);
    const std::int32_t power = writes ? powers.write_cdbm : powers.read_cdbm;
    result.antennas.push_back(
        {.port = port,
         .transmit_power_cdbm =
             std::clamp(power, field.min_transmit_power_cdbm, field.max_transmit_power_cdbm)});
  }
  return result;
}

std::uint16_t Air::begin(const Settings& settings, bool writes) {
  tuned_ = wanted(settings, writes);
  at_b_ = false;
  carrier_.off();
  return radio_.configure(tuned_).ok() ? status::kSuccess : status::kBadParameter;
}

std::uint16_t Air::follow(const Settings& settings) {
  radio::RadioSettings now = wanted(settings, false);
  const bool same = now.link_profile == tuned_.link_profile &&
                    std::equal(now.antennas.begin(), now.antennas.end(), tuned_.antennas.begin(),
                               tuned_.antennas.end(), [](const auto& one, const auto& other) {
                                 return one.port == other.port &&
                                        one.transmit_power_cdbm == other.transmit_power_cdbm;
                               });
  if (same) return status::kSuccess;
  tuned_ = std::move(now);
  return radio_.change(tuned_).ok() ? status::kSuccess : status::kBadParameter;
}

radio::RoundRequest Air::round_for(const Settings& settings, std::uint8_t port,
                                   const radio::SelectList& selects) const {
  radio::RoundRequest round;
  round.antenna = port;
  round.session = static_cast<gen2::Session>(settings.keys().gen2(kSession) & 3U);
  const std::uint32_t q = settings.keys().gen2(kQ);
  const std::uint32_t initial = settings.keys().gen2(kInitialQ);
  constexpr unsigned kEnabled = 0x0100;
  if (q >= kStatic) {
    round.tag_population = static_cast<std::uint16_t>(1U << (q & 0xFU));
  } else if (initial >= kEnabled) {
    round.tag_population = static_cast<std::uint16_t>(1U << (initial & 0xFU));
  } else {
    round.tag_population = 0;
  }
  if (selects.selects.empty()) return round;
  round.selects = &selects;
  // What matches is asked for: SL that is asserted. A select of a session sets its flag to the
  // target of the query.
  const bool sl =
      std::any_of(selects.selects.begin(), selects.selects.end(),
                  [](const gen2::Select& one) { return one.target == gen2::SelectTarget::kSl; });
  if (sl) round.select_filter = gen2::SelectFilter::kSelected;
  return round;
}

void Air::switch_on(std::uint8_t port, const Watch& watch) {
  // It is looked round as often while the carrier comes on.
  constexpr std::uint64_t kStepNs = 2 * kNsPerMs;
  const auto ramp_ms = static_cast<std::uint64_t>(carrier_.on(port).count());
  const std::uint64_t until = radio_.now_ns() + ramp_ms * kNsPerMs;
  while (radio_.now_ns() < until && watch()) {
    (void)radio_.idle_until(std::min(until, radio_.now_ns() + kStepNs));
  }
}

std::uint16_t Air::visit(const Settings& settings, const radio::mercury::SearchRequest& request,
                         const Visit& visit, const Watch& watch, const OnTag& on_tag,
                         radio::RoundResult& slots) {
  if (const std::uint16_t refused = follow(settings); refused != 0) return refused;
  radio::SelectList selects{.delay_us = settings.keys().gen2(kT4)};
  for (const SelectSpec& spec : request.select.selects) {
    selects.selects.push_back(select_of(spec, request.select.multi));
  }
  std::optional<EmbeddedAccess> embedded;
  if (request.embedded) {
    embedded = EmbeddedAccess::of(*request.embedded, request.select);
    if (!embedded) return status::kBadParameter;
  }
  WatchAdapter adapter(watch);
  Sink sink([&](const radio::TagRead& read) {
    frequency_khz_ = read.frequency_khz;
    auto record = record_of(read, visit.from_ns);
    record.gpio = settings.pins().levels();
    std::vector<std::uint8_t> data;
    if (embedded) {
      auto outcome = embedded->outcome(read.access);
      record.data_fault = outcome.status;
      data = std::move(outcome.data);
      if (data.size() > profile_.embedded_bytes) {
        data.clear();
        record.data_fault = status::kDataTooLarge;
      }
    }
    return on_tag(KeptRecord(record, read.epc, data));
  });

  radio::RoundRequest round = round_for(settings, visit.port, selects);
  if (embedded) round.access = embedded->operations();
  round.fresh_carrier = visit.fresh_carrier;
  round.deadline_ns = visit.until_ns;
  round.watch = &adapter;
  const CountsRfOn counts(radio_, visit.port, statistics_);
  const std::uint32_t target = settings.keys().gen2(kTarget);
  for (bool more = true; more && radio_.now_ns() < visit.until_ns;) {
    const bool both = target != kOnlyA && target != kOnlyB;
    const bool b = both ? at_b_ != (target == kBThenA) : target == kOnlyB;
    round.target = b ? gen2::Target::kB : gen2::Target::kA;
    const auto result = radio_.run_round(round, sink);
    if (!result.ok()) return status::kBadParameter;
    at_b_ = !at_b_;
    const radio::RoundResult& done = result.value();
    slots.empty_slots += done.empty_slots;
    slots.single_slots += done.single_slots;
    slots.collided_slots += done.collided_slots;
    round.fresh_carrier = false;
    more = done.end == radio::RoundEnd::kComplete && !visit.one_round;
  }
  return status::kSuccess;
}

AccessAnswer Air::access(const Settings& settings, const SelectPart& select,
                         std::uint16_t timeout_ms, const std::vector<AccessOp>& operations,
                         bool writes, const Watch& watch) {
  if (const std::uint16_t refused = begin(settings, writes); refused != 0) {
    return {.status = refused};
  }
  std::vector<AccessOp> all;
  if (select.access_password.value_or(0) != 0) {
    all.push_back({.kind = AccessKind::kAccess, .password = *select.access_password});
  }
  all.insert(all.end(), operations.begin(), operations.end());
  radio::SelectList selects{.delay_us = settings.keys().gen2(kT4)};
  for (const SelectSpec& spec : select.selects) {
    selects.selects.push_back(select_of(spec, select.multi));
  }
  AccessAnswer answer{.status = status::kNoTags};
  const std::uint64_t from = radio_.now_ns();
  Sink sink([&](const radio::TagRead& read) {
    answer.status = access_status(read.access);
    const std::size_t before = all.size() - operations.size();
    answer.results.assign(read.access.begin() + static_cast<std::ptrdiff_t>(before),
                          read.access.end());
    answer.tag = record_of(read, from);
    return false;
  });
  WatchAdapter adapter(watch);
  const std::uint8_t port = settings.antennas().single();
  if (!settings.antennas().is_there(port)) return {.status = status::kNoAntenna};
  switch_on(port, watch);
  const CountsRfOn counts(radio_, port, statistics_);
  // Alone, a command always asks for A, with the carrier switched on for it.
  radio::RoundRequest round = round_for(settings, port, selects);
  round.target = gen2::Target::kA;
  round.access = all;
  round.deadline_ns = from + timeout_ms * kNsPerMs;
  round.watch = &adapter;
  if (!radio_.run_round(round, sink).ok()) return {.status = status::kBadParameter};
  return answer;
}

}  // namespace singulate::emulator::mercury
