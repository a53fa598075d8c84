#include "radio/mercury/mercury_radio.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <tuple>
#include <utility>

#include "gen2/units.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/link_modes.h"
#include "radio/mercury/silion.h"
#include "radio/mercury/tag_command.h"
#include "radio/wall_clock.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

// A line that never falls silent is not drained for longer.
constexpr milliseconds kDrain{300};
// How often a waiting round looks at its deadline and its watch.
constexpr milliseconds kLook{2};
// Reports are let come together for so long: a reader of 1,300 tags a second is not woken for each.
constexpr milliseconds kGather{4};
// How often inputs are looked at where no record tells them.
constexpr milliseconds kInputLook{50};
// How long a round that has come to its end goes on looking for a module that was lost.
constexpr milliseconds kPatience{2000};
constexpr std::uint32_t kUsualRate = 115'200;
// A rate that fails as often is too fast for the line.
constexpr unsigned kMostFailedRaises = 3;
constexpr std::array<std::uint32_t, 9> kRates{115'200, 9600,    921'600, 19'200,   38'400,
                                              57'600,  230'400, 460'800, 1'000'000};
constexpr std::uint8_t kSession = 0x00;
constexpr std::uint8_t kTarget = 0x01;
constexpr std::uint8_t kMiller = 0x02;
constexpr std::uint8_t kBlf = 0x10;
constexpr std::uint8_t kTari = 0x11;
constexpr std::uint8_t kT4 = 0x15;
constexpr std::uint8_t kInitialQ = 0x16;
constexpr std::uint8_t kRfMode = 0x18;
constexpr std::uint32_t kShortestT4Us = 64;
constexpr std::uint64_t kAccessTimeoutMs = 1000;
constexpr std::uint8_t kReadFilter = 0x0C;

Error not_supported(std::string message) {
  return {.code = ErrorCode::kNotSupported, .message = std::move(message)};
}

}  // namespace

std::uint64_t MercuryRadio::now_ns() const { return wall_ns(); }

Status MercuryRadio::open() {
  interrupted_.store(false, std::memory_order_relaxed);
  stream_.reset();
  std::vector<std::uint32_t> rates(kRates.begin(), kRates.end());
  if (options_.baud != 0) {
    rates = {options_.baud};
    // A module that was lost for a moment still has the rate that it was raised to.
    if (was_found_ && options_.work_baud != 0) rates.push_back(options_.work_baud);
  }
  connection_.give_up_when([this] { return interrupted_.load(std::memory_order_relaxed); });
  Status opened = open_at(rates);
  connection_.give_up_when({});
  if (!opened.ok()) {
    lose(opened.error().message);
    return opened;
  }
  found();
  opened_ = true;
  return {};
}

void MercuryRadio::lose(const std::string& fault) {
  connection_.port().close();
  stream_.reset();
  const std::lock_guard lock(fault_mutex_);
  fault_ = fault;
  temperature_.reset();
  pins_.forgotten();
  connected_.store(false);
}

void MercuryRadio::found() {
  const std::lock_guard lock(fault_mutex_);
  if (was_found_) reconnects_.fetch_add(1, std::memory_order_relaxed);
  was_found_ = true;
  fault_.clear();
  connected_.store(true);
}

std::optional<LinkState> MercuryRadio::link() const {
  const std::lock_guard lock(fault_mutex_);
  return LinkState{.connected = connected_.load(),
                   .fault = fault_,
                   .reconnects = reconnects_.load(),
                   .discarded_bytes = connection_.discarded_bytes(),
                   .crc_errors = connection_.crc_errors(),
                   .overflows = overflows_.load(),
                   .complaint = complaint_,
                   .temperature_celsius = temperature_};
}

Status MercuryRadio::open_at(std::span<const std::uint32_t> rates) {
  // A command that is lost on the line costs another try, not the module.
  constexpr int kTries = 3;
  Status ready;
  for (int i = 0; i < kTries; ++i) {
    if (auto there = find_module(rates); !there.ok()) return there;
    ready = boot();
    if (ready.ok()) ready = raise_baud();
    if (ready.ok()) ready = read_capabilities();
    if (ready.ok() || ready.error().code != ErrorCode::kModule || interrupted_.load()) break;
    // Its rate may have been raised.
    rates = kRates;
  }
  return ready;
}

void MercuryRadio::close() {
  opened_ = false;
  if (!connection_.port().is_open()) return;
  if (stream_) stop_stream();
  // The next host looks for it at the usual rate first.
  if (baud_ != kUsualRate && baud_ != 0) {
    const auto rate = ByteWriter().u32(kUsualRate).take();
    (void)connection_.ask(op::kSetBaudRate, rate, options_.times.answer);
  }
  connection_.port().close();
}

Status MercuryRadio::find_module(std::span<const std::uint32_t> rates) {
  constexpr int kRuns = 2;
  for (int run = 0; run < kRuns; ++run) {
    for (const std::uint32_t rate : rates) {
      if (interrupted_.load(std::memory_order_relaxed)) {
        connection_.port().close();
        return Error{.code = ErrorCode::kModule, .message = "interrupted"};
      }
      if (auto opened = connection_.port().open(options_.path, rate); !opened.ok()) return opened;
      connection_.clear();
      baud_ = rate;
      // It may still stream, for a host that is gone or for the round that runs.
      const Connection::OnReport on_report = on_report_ ? on_report_ : [](const Frame&) {};
      const auto stopped =
          connection_.ask(op::kContinuous, kStreamStop, options_.times.probe, on_report);
      // One that is known not to have the other stop is not asked: its refusal could come late.
      const bool may_be_silion = family_.asynchronous || !was_found_;
      if (may_be_silion && (!stopped.ok() || stopped.value().status != status::kSuccess)) {
        const auto other = encode_silion(SilionCommand::kStop);
        (void)connection_.ask(op::kSilion, other, options_.times.probe, on_report);
      }
      const auto until = steady_clock::now() + kDrain;
      while (steady_clock::now() < until &&
             connection_.listen(kLook, on_report) == Connection::Listened::kFrames) {
      }
      const auto version = connection_.ask(op::kVersion, {}, options_.times.probe);
      if (version.ok() && version.value().status == status::kSuccess) return {};
    }
  }
  connection_.port().close();
  return Error{.code = ErrorCode::kModule,
               .message = options_.path + ": no module answers, at no baud rate"};
}

Status MercuryRadio::boot() {
  auto version = connection_.ask_well("version", op::kVersion, {}, options_.times.answer);
  if (!version.ok()) return version.error();
  constexpr std::size_t kVersionBytes = 20;
  const auto in_bootloader = [](const Bytes& data) {
    return data.size() < kVersionBytes ||
           std::all_of(data.end() - 4, data.end(), [](std::uint8_t byte) { return byte == 0; });
  };
  Bytes data = version.value();
  if (in_bootloader(data)) {
    auto booted =
        Connection::well("start of the application",
                         connection_.ask(op::kBootApplication, {}, 2 * options_.times.answer));
    if (!booted.ok()) return booted.error();
    data = booted.value();
    if (in_bootloader(data)) {
      return Error{.code = ErrorCode::kModule,
                   .message = "the module's application does not start"};
    }
  }
  ByteReader reader(data);
  reader.u32();
  const auto hardware = reader.take(4);
  family_ = family_of(hardware.first<4>());
  reader.u32();
  capabilities_.firmware.clear();
  for (int i = 0; i < 4; ++i) {
    if (i > 0) capabilities_.firmware += '.';
    capabilities_.firmware += std::to_string(reader.u8());
  }
  return {};
}

Status MercuryRadio::raise_baud() {
  if (options_.work_baud == 0 || options_.work_baud == baud_) return {};
  const auto rate = ByteWriter().u32(options_.work_baud).take();
  const auto answer = connection_.ask(op::kSetBaudRate, rate, options_.times.answer);
  if (!answer.ok()) return answer.error();
  if (answer.value().status != status::kSuccess) return {};  // it stays as it is
  if (auto set = connection_.port().set_baud(options_.work_baud); set.ok()) {
    const auto version = connection_.ask(op::kVersion, {}, options_.times.answer);
    if (version.ok()) {
      baud_ = options_.work_baud;
      failed_raises_ = 0;
      return {};
    }
  }
  // Too fast for this line, if it fails again: back to where it was found.
  if (++failed_raises_ >= kMostFailedRaises) options_.work_baud = 0;
  return find_module(kRates);
}

Status MercuryRadio::read_capabilities() {
  capabilities_.model = family_.model;
  capabilities_.features = *find_features(family_.features);
  capabilities_.paced = true;
  capabilities_.has_temperature = true;
  capabilities_.has_antenna_sense = true;
  const std::uint8_t limits[] = {1};
  auto powers =
      connection_.ask_well("power limits", op::kGetReadPower, limits, options_.times.answer);
  if (!powers.ok()) return powers.error();
  ByteReader reader(powers.value());
  reader.u8();
  reader.u16();
  capabilities_.max_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  capabilities_.min_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  const std::uint8_t detect[] = {5};
  auto ports = connection_.ask_well("antennas", op::kGetAntennas, detect, options_.times.answer);
  if (!ports.ok()) return ports.error();
  ByteReader list(ports.value());
  list.u8();
  capabilities_.antennas.clear();
  while (list.ok() && list.left() >= 2) {
    capabilities_.antennas.push_back(list.u8());
    list.u8();
  }
  if (!reader.ok() || capabilities_.antennas.empty()) {
    return Error{.code = ErrorCode::kModule, .message = "the module tells no powers or antennas"};
  }
  capabilities_.link_profiles.clear();
  const auto add = [&](std::string_view profile) {
    auto& all = capabilities_.link_profiles;
    if (std::find(all.begin(), all.end(), profile) == all.end()) all.emplace_back(profile);
  };
  if (family_.rf_modes) {
    for (const RfMode& mode : rf_modes()) add(mode.profile);
  } else {
    for (const LinkValues& values : link_values()) add(values.profile);
  }
  if (auto prepared = prepare(); !prepared.ok()) return prepared;
  return read_region();
}

Status MercuryRadio::prepare() {
  gen2_.clear();
  settings_sent_ = false;
  const std::uint8_t gen2[] = {0, kGen2};
  auto protocol = connection_.ask_well("protocol", op::kSetProtocol, gen2, options_.times.answer);
  if (!protocol.ok()) return protocol.error();
  // Every read is reported.
  const std::uint8_t no_filter[] = {1, kReadFilter, 0};
  const auto unfiltered =
      connection_.ask_again(op::kSetReaderKey, no_filter, options_.times.answer);
  if (!unfiltered.ok()) return unfiltered.error();
  if (auto set = pins_.set_up(connection_, options_.times.answer); !set.ok()) return set;
  return apply_region();
}

Status MercuryRadio::apply_region() {
  if (options_.region != 0) {
    const std::uint8_t region[] = {options_.region};
    auto set = connection_.ask_well("region", op::kSetRegion, region, options_.times.answer);
    if (!set.ok()) return set.error();
    if (!channels_khz_.empty()) {
      ByteWriter table;
      for (const std::uint32_t khz : channels_khz_) table.u32(khz);
      auto hops =
          connection_.ask_well("channels", op::kSetHopTable, table.view(), options_.times.answer);
      if (!hops.ok()) return hops.error();
    }
  }
  return {};
}

Status MercuryRadio::read_region() {
  // Modules that do not tell leave it open.
  region_ = {};
  const auto present = connection_.ask_again(op::kGetRegion, {}, options_.times.answer);
  if (!present.ok()) return present.error();
  if (!present.value().data.empty()) region_.present = present.value().data.back();
  const auto all = connection_.ask_again(op::kRegions, {}, options_.times.answer);
  if (!all.ok()) return all.error();
  if (all.value().status == status::kSuccess) region_.supported = all.value().data;
  return {};
}

Status MercuryRadio::set_region(std::uint8_t number,
                                const std::vector<std::uint32_t>& channels_khz) {
  const auto before = std::pair(options_.region, channels_khz_);
  options_.region = number;
  channels_khz_ = channels_khz;
  if (!connection_.port().is_open()) return {};
  if (stream_) stop_stream();
  Status set = apply_region();
  if (set.ok()) set = read_region();
  if (set.ok()) return set;
  if (set.error().code == ErrorCode::kModule) {
    // It is told when it is back.
    lose(set.error().message);
    return {};
  }
  std::tie(options_.region, channels_khz_) = before;
  if (options_.region != 0) (void)apply_region();
  return set;
}

Status MercuryRadio::configure(const RadioSettings& settings) {
  interrupted_.store(false, std::memory_order_relaxed);
  if (connection_.port().is_open()) {
    if (stream_) stop_stream();
    // It may have lost its power since, and all that it was told.
    if (const Status prepared = prepare(); !prepared.ok()) lose(prepared.error().message);
  }
  return change(settings);
}

Status MercuryRadio::change(const RadioSettings& settings) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (stream_) stop_stream();
  settings_ = settings;
  settings_sent_ = false;
  // One that is lost takes them when a round finds it again.
  if (!connection_.port().is_open()) return {};
  Status applied = apply();
  if (applied.ok() || applied.error().code != ErrorCode::kModule) return applied;
  lose(applied.error().message);
  return {};
}

Status MercuryRadio::apply() {
  if (settings_sent_) return {};
  if (auto link = set_link(settings_.link_profile); !link.ok()) return link;
  constexpr std::uint8_t kOneKind = 4;
  for (const std::uint8_t kind : {std::uint8_t{1}, std::uint8_t{2}}) {
    ByteWriter powers;
    powers.u8(kOneKind).u8(kind);
    for (const auto& antenna : settings_.antennas) {
      powers.u8(antenna.port).u16(static_cast<std::uint16_t>(antenna.transmit_power_cdbm));
    }
    auto set =
        connection_.ask_well("power", op::kSetAntennas, powers.view(), options_.times.answer);
    if (!set.ok()) return set.error();
  }
  settings_sent_ = true;
  return {};
}

Status MercuryRadio::set_gen2(std::uint8_t key, Bytes value) {
  const auto known = gen2_.find(key);
  if (known != gen2_.end() && known->second == value) return {};
  const auto data = ByteWriter().u8(kGen2).u8(key).bytes(value).take();
  auto set = connection_.ask_well("Gen2 setting", op::kSetProtocolKey, data, options_.times.answer);
  if (!set.ok()) return set.error();
  gen2_[key] = std::move(value);
  return {};
}

Status MercuryRadio::set_link(const std::string& profile) {
  if (family_.rf_modes) {
    for (const RfMode& mode : rf_modes()) {
      if (mode.profile == profile) return set_gen2(kRfMode, ByteWriter().u16(mode.number).take());
    }
    return not_supported("link profile " + profile);
  }
  for (const LinkValues& values : link_values()) {
    if (values.profile != profile) continue;
    if (auto set = set_gen2(kMiller, {values.miller}); !set.ok()) return set;
    if (auto set = set_gen2(kBlf, {values.blf}); !set.ok()) return set;
    return set_gen2(kTari, {values.tari});
  }
  return not_supported("link profile " + profile);
}

Status MercuryRadio::check_unforgotten() {
  // At any other rate it would not be understood any more.
  if (baud_ != kUsualRate) return {};
  const std::uint8_t filter[] = {1, kReadFilter};
  const auto now = connection_.ask_again(op::kGetReaderKey, filter, options_.times.answer);
  if (!now.ok()) return now.error();
  const Bytes as_it_starts{1, kReadFilter, 1};
  if (now.value().status != status::kSuccess || now.value().data != as_it_starts) return {};
  return Error{.code = ErrorCode::kModule,
               .message = options_.path + ": the module has started anew"};
}

Status MercuryRadio::start_stream(const StreamKey& key, const RoundRequest& request) {
  if (auto known = check_unforgotten(); !known.ok()) return known;
  if (auto applied = apply(); !applied.ok()) return applied;
  const auto session = static_cast<std::uint8_t>(key.session);
  if (auto set = set_gen2(kSession, Bytes{session}); !set.ok()) return set;
  const auto targets = ByteWriter().u16(static_cast<std::uint16_t>(key.targets)).take();
  if (auto set = set_gen2(kTarget, targets); !set.ok()) return set;
  if (key.tag_population > 0) {
    const auto q = static_cast<std::uint8_t>(
        std::bit_width(static_cast<unsigned>(key.tag_population - 1)) & 0xF);
    if (auto set = set_gen2(kInitialQ, Bytes{1, q}); !set.ok()) return set;
  }
  const std::uint32_t t4 = std::max(key.delay_us, kShortestT4Us);
  if (auto set = set_gen2(kT4, ByteWriter().u32(t4).take()); !set.ok()) return set;
  if (auto set = set_antenna(key.antenna); !set.ok()) return set;
  auto search = search_for(request, search_form());
  if (!search.ok()) return search.error();
  auto started = ask_start(search.value());
  const bool refused = !started.ok() && started.error().code == ErrorCode::kBadSettings;
  if (refused && search_form().round_summaries) {
    // Older firmware does not tell of rounds, or of itself.
    takes_extras_ = false;
    search = search_for(request, search_form());
    if (!search.ok()) return search.error();
    started = ask_start(search.value());
    if (!started.ok()) takes_extras_ = true;
  }
  if (!started.ok()) return started.error();
  stream_ = key;
  return {};
}

Result<Bytes> MercuryRadio::ask_start(const SearchRequest& search) {
  auto reply = ask_start_once(search);
  if (!reply.ok() && !interrupted_.load(std::memory_order_relaxed)) {
    // Either it or its answer was lost; a module that reads already would refuse another start.
    stop_stream();
    if (connection_.port().is_open()) reply = ask_start_once(search);
  }
  return Connection::well("start of reading", reply);
}

Result<Reply> MercuryRadio::ask_start_once(const SearchRequest& search) {
  const auto timeout = options_.times.answer / 2;
  // Records may come before an answer that is late, or lost.
  stream_state_.begin(now_ns());
  // An answer to a stop that was given up is not the one that is waited for.
  if (family_.asynchronous) {
    return connection_.ask(op::kSilion, encode_silion_start(search), timeout, on_report_,
                           [](const Reply& reply) {
                             return reply.status != status::kSuccess ||
                                    reply.data == encode_silion(SilionCommand::kStart);
                           });
  }
  return connection_.ask(op::kContinuous, encode_stream_start(search), timeout, on_report_,
                         [](const Reply& reply) { return reply.data != Bytes{kStreamStop[2]}; });
}

Status MercuryRadio::set_antenna(std::uint8_t port) {
  ByteWriter list;
  constexpr std::uint8_t kPairs = 0x02;
  constexpr std::uint8_t kIds = 0x82;
  if (family_.antenna_form == AntennaForm::kPlain) {
    list.u8(kIds).u8(port);
  } else {
    list.u8(kPairs).u8(port).u8(port);
  }
  auto antenna =
      connection_.ask_well("antenna", op::kSetAntennas, list.view(), options_.times.answer);
  if (!antenna.ok()) return antenna.error();
  return {};
}

void MercuryRadio::stop_stream() {
  stream_.reset();
  // What is on its way comes before the answer. A stop that was lost on the way is said again.
  constexpr int kTries = 3;
  const std::uint8_t opcode = family_.asynchronous ? op::kSilion : op::kContinuous;
  const Bytes stop = family_.asynchronous ? encode_silion(SilionCommand::kStop)
                                          : Bytes(std::begin(kStreamStop), std::end(kStreamStop));
  const Bytes answer = family_.asynchronous ? stop : Bytes{kStreamStop[2]};
  const auto accepts = [&](const Reply& reply) { return reply.data == answer; };
  std::string why;
  for (int i = 0; i < kTries; ++i) {
    const auto stopped =
        connection_.ask(opcode, stop, options_.times.answer / kTries, on_report_, accepts);
    if (stopped.ok()) return;
    why = stopped.error().message;
  }
  lose(options_.path + ", to stop: " + why);
}

bool MercuryRadio::recover(const Over& over) {
  stream_.reset();
  const auto patience = [this, &over] {
    return interrupted_.load(std::memory_order_relaxed) || over();
  };
  connection_.give_up_when(patience);
  nanoseconds pause = options_.times.first_pause;
  bool found_again = false;
  for (int tries = 0; !found_again && !patience(); ++tries) {
    // After a loss of power it has the usual rate again, after one of the cable that of before; or
    // another if its factory's is none of these.
    constexpr int kUsualTries = 2;
    std::array<std::uint32_t, 2> usual{kUsualRate,
                                       options_.work_baud == 0 ? baud_ : options_.work_baud};
    // Patience may be shorter than a look at both (a round of some milliseconds): the next look
    // begins with the other.
    std::rotate(usual.begin(), usual.begin() + (looks_++ % usual.size()), usual.end());
    std::span<const std::uint32_t> rates = usual;
    if (tries >= kUsualTries) rates = kRates;
    Status there = open_at(rates);
    if (there.ok()) there = apply();
    if (there.ok()) {
      found();
      found_again = true;
      break;
    }
    lose(there.error().message);
    const auto until = steady_clock::now() + pause;
    while (steady_clock::now() < until && !patience()) (void)connection_.port().wait(kLook);
    pause = std::min<nanoseconds>(pause * 2, options_.times.longest_pause);
  }
  connection_.give_up_when({});
  return found_again;
}

std::optional<RoundEnd> MercuryRadio::end_of(const RoundRequest& request) const {
  if (interrupted_.load(std::memory_order_relaxed)) return RoundEnd::kInterrupted;
  if (now_ns() >= request.deadline_ns) return RoundEnd::kDeadline;
  if (request.watch != nullptr && !request.watch->goes_on()) return RoundEnd::kWatch;
  return std::nullopt;
}

Result<bool> MercuryRadio::begin_stream(const StreamKey& key, const RoundRequest& request,
                                        RoundReports& reports) {
  // Rounds may be shorter than the start of a module: it is looked for beyond their ends.
  const std::uint64_t patience_ns =
      now_ns() + static_cast<std::uint64_t>(kPatience.count()) * kNsPerMs;
  const Over over = [&] {
    const auto end = end_of(request);
    return end && (*end != RoundEnd::kDeadline || now_ns() >= patience_ns);
  };
  bool refused = false;
  for (;;) {
    // It was lost before.
    if (!connection_.port().is_open() && !recover(over)) return false;
    const Status started = start_stream(key, request);
    if (started.ok()) {
      reports.begin_stream();
      return true;
    }
    // What it took before it refuses when it has lost its power meanwhile: it must be set anew.
    if (started.error().code != ErrorCode::kModule && std::exchange(refused, true)) {
      return started.error();
    }
    lose(started.error().message);
  }
}

Result<RoundResult> MercuryRadio::run_round(const RoundRequest& request, TagSink& sink) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (auto known = check_round(request, capabilities_.features); !known.ok()) return known.error();
  const auto search = search_for(request, search_form());
  if (!search.ok()) return search.error();
  RoundReports reports(request, sink, stream_state_, family_.antenna_form);
  on_report_ = [&](const Frame& frame) { reports.take(frame); };
  const StreamKey key{.antenna = request.antenna,
                      .session = request.session,
                      .targets = targets_for(request),
                      .tag_population = request.tag_population,
                      .search = encode_search(search.value()),
                      .delay_us = request.selects == nullptr ? 0 : request.selects->delay_us};
  auto result = run_stream(request, key, reports);
  on_report_ = {};
  publish(reports);
  return result;
}

MercuryRadio::Targets MercuryRadio::targets_for(const RoundRequest& request) {
  const Targets plain = request.target == gen2::Target::kA ? Targets::kA : Targets::kB;
  const bool fresh =
      request.fresh_carrier && !request.both_targets && request.session == gen2::Session::kS0;
  const bool again = std::exchange(last_was_fresh_, fresh);
  if (request.both_targets) return Targets::kBoth;
  // With another antenna all tags answer anyway.
  if (!fresh || !stream_ || stream_->antenna != request.antenna) return plain;
  // Round after round all tags shall answer: by turns of A and B they do, with the carrier on.
  if (again && plain == Targets::kA) return Targets::kBoth;
  stop_stream();
  return plain;
}

Result<RoundResult> MercuryRadio::run_stream(const RoundRequest& request, const StreamKey& key,
                                             RoundReports& reports) {
  if (stream_ && !(*stream_ == key)) {
    reports.of_other_round(stream_->search != key.search);
    stop_stream();
    reports.of_other_round(false);
  }
  if (!stream_) reports.end_stream();
  const auto end_with = [&](RoundEnd end) {
    if (stream_) stop_stream();
    reports.result().end = end;
    return reports.result();
  };
  const std::uint64_t silence_ns =
      static_cast<std::uint64_t>((options_.times.on_cycle + options_.times.silence).count()) *
      kNsPerMs;
  while (!reports.complete()) {
    if (!reports.wanted()) return end_with(RoundEnd::kInterrupted);
    tend_while_reading(reports);
    if (const auto end = end_of(request)) return end_with(*end);
    if (!stream_) {
      const auto begun = begin_stream(key, request, reports);
      if (!begun.ok()) return begun.error();
      if (!begun.value()) continue;
      if (reports.result().first_command_ns == 0) {
        reports.result().first_command_ns = stream_state_.cycle_start_ns;
      }
    }
    const std::uint64_t now = now_ns();
    const std::uint64_t left = request.deadline_ns > now ? request.deadline_ns - now : 0;
    const nanoseconds most(std::min(left, silence_ns));
    const auto longest = std::min<nanoseconds>(kLook, most);
    const auto gather = std::min<nanoseconds>(kGather, most);
    // The plan goes on by itself when the module is back.
    if (connection_.listen(longest, on_report_, gather) == Connection::Listened::kGone) {
      lose(options_.path + ": the line is gone");
    } else if (reports.broken()) {
      lose(reports.complaint() == 0 ? options_.path + ": the module has started anew"
                                    : std::string(status_text(reports.complaint())));
    } else if (now_ns() - stream_state_.last_report_ns > silence_ns) {
      lose(options_.path + ": the module is silent");
    }
  }
  if (!reports.wanted()) return end_with(RoundEnd::kInterrupted);
  if (request.stops_behind) return end_with(RoundEnd::kComplete);
  reports.result().end = RoundEnd::kComplete;
  return reports.result();
}

void MercuryRadio::tend_while_reading(RoundReports& reports) {
  const std::uint64_t now = now_ns();
  // Records of asynchronous reading do not tell them.
  if (const auto levels = reports.take_pins(); levels && !family_.asynchronous) {
    pins_.seen(*levels);
    looked_at_inputs_ns_ = now;
  }
  const auto age = nanoseconds(now - std::min(now, looked_at_inputs_ns_));
  const bool look = pins_.has_inputs() && age >= kInputLook;
  if ((!look && !pins_.due()) || !connection_.port().is_open()) return;
  if (stream_) {
    stop_stream();
    // What ended in it ends no round of the next one.
    reports.end_stream();
  }
  if (const Status tended = tend_lines(); !tended.ok()) lose(tended.error().message);
}

bool MercuryRadio::set_output(std::uint8_t port, bool high) {
  if (!pins_.set_output(port, high)) return false;
  connection_.port().wake();
  return true;
}

Status MercuryRadio::tend_lines() {
  // Told when it is back.
  if (!connection_.port().is_open()) return {};
  Status tended;
  if (pins_.due()) tended = pins_.send(connection_, options_.times.answer);
  if (tended.ok()) tended = pins_.look(connection_, options_.times.answer);
  looked_at_inputs_ns_ = now_ns();
  return tended;
}

void MercuryRadio::publish(const RoundReports& reports) {
  overflows_.fetch_add(reports.overflows(), std::memory_order_relaxed);
  const std::string_view now =
      reports.complaint() == 0 ? std::string_view{} : status_text(reports.complaint());
  const std::lock_guard lock(fault_mutex_);
  if (complaint_ != now) complaint_ = now;
  if (reports.temperature_celsius()) temperature_ = reports.temperature_celsius();
}

Status MercuryRadio::prepare_access(const TagAccess& access) {
  if (stream_) stop_stream();
  if (auto known = check_unforgotten(); !known.ok()) return known;
  if (auto applied = apply(); !applied.ok()) return applied;
  // Flags of S1 to S3 stay as they are, and the tag is back at A in S0 with the carrier.
  if (auto set = set_gen2(kSession, Bytes{0}); !set.ok()) return set;
  if (auto set = set_gen2(kT4, ByteWriter().u32(kShortestT4Us).take()); !set.ok()) return set;
  return set_antenna(access.antenna);
}

Result<AccessResult> MercuryRadio::access_tag(const TagAccess& access) {
  const AccessResult no_time{.status = AccessStatus::kNoTime};
  if (interrupted_.load(std::memory_order_relaxed)) return no_time;
  const std::uint64_t now = now_ns();
  if (now >= access.deadline_ns) return no_time;
  const auto timeout = static_cast<std::uint16_t>(
      std::clamp((access.deadline_ns - now) / kNsPerMs, std::uint64_t{1}, kAccessTimeoutMs));
  if (!connection_.port().is_open()) return AccessResult{.status = AccessStatus::kNoReply};
  const auto command = tag_command(access, timeout, family_.multi_select);
  if (!command.ok()) return command.error();
  Status ready = prepare_access(access);
  if (ready.ok()) {
    const auto answer = connection_.ask(command.value().opcode, command.value().data,
                                        options_.times.answer + milliseconds(timeout));
    if (answer.ok()) {
      // The tag was looked for as long as the round had time for it, and no longer.
      const bool in_time = timeout == kAccessTimeoutMs || now_ns() < access.deadline_ns;
      if (answer.value().status == status::kNoTags && !in_time) return no_time;
      return tag_command_result(access, answer.value().status, answer.value().data);
    }
    ready = answer.error();
  }
  if (ready.error().code != ErrorCode::kModule) return ready.error();
  // The next round finds it again; whether the tag was reached nobody knows.
  lose(ready.error().message);
  return AccessResult{.status = AccessStatus::kNoReply};
}

bool MercuryRadio::idle_until(std::uint64_t time_ns) {
  if (stream_) stop_stream();
  while (!interrupted_.load(std::memory_order_relaxed)) {
    const std::uint64_t now = now_ns();
    if (now >= time_ns) return true;
    nanoseconds longest(time_ns - now);
    if (pins_.due() || pins_.has_inputs()) {
      if (const Status tended = tend_lines(); !tended.ok()) lose(tended.error().message);
      if (pins_.has_inputs()) longest = std::min<nanoseconds>(longest, kInputLook);
    }
    const auto listened = connection_.listen(longest, [](const Frame&) {});
    // The next round finds it again.
    if (listened == Connection::Listened::kGone) lose(options_.path + ": the line is gone");
  }
  return false;
}

void MercuryRadio::interrupt() {
  interrupted_.store(true, std::memory_order_relaxed);
  connection_.port().wake();
}

Result<double> MercuryRadio::temperature_celsius() {
  if (stream_) return not_supported("the temperature while reading");
  auto answer = connection_.ask_well("temperature", op::kTemperature, {}, options_.times.answer);
  if (!answer.ok()) {
    if (answer.error().code == ErrorCode::kModule) lose(answer.error().message);
    return answer.error();
  }
  if (answer.value().empty()) {
    return Error{.code = ErrorCode::kModule, .message = "temperature: no data"};
  }
  return static_cast<double>(static_cast<std::int8_t>(answer.value().front()));
}

Result<bool> MercuryRadio::antenna_connected(std::uint8_t port) {
  if (stream_) return not_supported("looking for antennas while reading");
  const std::uint8_t detect[] = {5};
  auto answer = connection_.ask_well("antennas", op::kGetAntennas, detect, options_.times.answer);
  if (!answer.ok()) return answer.error();
  ByteReader list(answer.value());
  list.u8();
  while (list.ok() && list.left() >= 2) {
    const bool this_one = list.u8() == port;
    const bool there = list.u8() != 0;
    if (this_one) return there;
  }
  return false;
}

}  // namespace singulate::radio::mercury
