#include "radio/mercury/mercury_radio.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "radio/mercury/access_command.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/link_modes.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

constexpr milliseconds kAnswer{1000};
constexpr milliseconds kProbe{100};
constexpr milliseconds kStop{3000};
// How often a waiting round looks at its deadline and its watch.
constexpr milliseconds kLook{2};
constexpr std::uint64_t kNsPerMs = 1'000'000;
// Of a stream: after each it tells its time, and may change the antenna.
constexpr std::uint16_t kOnCycleMs = 500;
// A module that streams says something at the end of each cycle at the latest.
constexpr std::uint64_t kSilenceNs = (kOnCycleMs + 2000) * kNsPerMs;
constexpr std::uint32_t kUsualRate = 115'200;
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{2000};
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
// RSSI, antenna, frequency, time, phase: what a read is made of.
constexpr std::uint16_t kFields = metadata::kRssi | metadata::kAntenna | metadata::kFrequency |
                                  metadata::kTime | metadata::kPhase;
constexpr std::uint16_t kAccessTimeoutMs = 1000;

std::uint64_t wall_ns() {
  static const auto kSteady = steady_clock::now();
  static const auto kWall = std::chrono::system_clock::now();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<nanoseconds>(
                                        kWall.time_since_epoch() + (steady_clock::now() - kSteady))
                                        .count());
}

Error not_supported(std::string message) {
  return {.code = ErrorCode::kNotSupported, .message = std::move(message)};
}

// Nothing if a select of the module cannot say it.
std::optional<SelectSpec> spec_of(const gen2::Select& select) {
  if (select.truncate) return std::nullopt;
  SelectSpec spec;
  switch (select.bank) {
    case gen2::Bank::kEpc:
      spec.kind = SelectKind::kEpcBank;
      break;
    case gen2::Bank::kTid:
      spec.kind = SelectKind::kTid;
      break;
    case gen2::Bank::kUser:
      spec.kind = SelectKind::kUser;
      break;
    default:
      return std::nullopt;
  }
  spec.bit_pointer = select.pointer;
  spec.bit_length = select.mask.bits;
  const auto bytes = (select.mask.bits + 7U) / 8U;
  spec.mask.assign(select.mask.bytes.begin(), select.mask.bytes.begin() + bytes);
  spec.target = static_cast<std::uint8_t>(select.target);
  spec.action = select.action;
  return spec;
}

std::uint8_t bank_number(gen2::Bank bank) { return static_cast<std::uint8_t>(bank); }

AccessResult result_of(const TagRecord& record) {
  AccessResult result;
  switch (record.data_fault) {
    case status::kSuccess:
      result.status = AccessStatus::kDone;
      for (std::size_t i = 0; i + 1 < record.data.size(); i += 2) {
        result.words.push_back(
            static_cast<std::uint16_t>(record.data[i] << 8U | record.data[i + 1]));
      }
      return result;
    case status::kMemoryOverrun:
      result.error = gen2::TagError::kMemoryOverrun;
      break;
    case status::kLocked:
      result.error = gen2::TagError::kMemoryLocked;
      break;
    case status::kLowTagPower:
      result.error = gen2::TagError::kInsufficientPower;
      break;
    case status::kGen2Other:
    case status::kNonSpecific:
    case status::kUnknownError:
      result.error = gen2::TagError::kOther;
      break;
    default:
      result.status = AccessStatus::kNoReply;
      return result;
  }
  result.status = AccessStatus::kTagError;
  return result;
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
  if (auto opened = open_at(rates); !opened.ok()) {
    lose(opened.error().message);
    return opened;
  }
  found();
  return {};
}

void MercuryRadio::lose(const std::string& fault) {
  connection_.port().close();
  stream_.reset();
  const std::lock_guard lock(fault_mutex_);
  fault_ = fault;
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
                   .crc_errors = connection_.crc_errors()};
}

Status MercuryRadio::open_at(std::span<const std::uint32_t> rates) {
  if (auto found = find_module(rates); !found.ok()) return found;
  if (auto booted = boot(); !booted.ok()) return booted;
  if (auto raised = raise_baud(); !raised.ok()) return raised;
  return read_capabilities();
}

void MercuryRadio::close() {
  if (!connection_.port().is_open()) return;
  if (stream_) stop_stream([](const Frame&) {});
  // The next host looks for it at the usual rate first.
  if (baud_ != kUsualRate && baud_ != 0) {
    const auto rate = ByteWriter().u32(kUsualRate).take();
    (void)connection_.ask(op::kSetBaudRate, rate, kAnswer);
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
      // It may still stream for a host that is gone.
      (void)connection_.ask(op::kContinuous, kStreamStop, kProbe);
      while (connection_.listen(kLook, [](const Frame&) {}) == Connection::Listened::kFrames) {
      }
      const auto version = connection_.ask(op::kVersion, {}, kProbe);
      if (version.ok() && version.value().status == status::kSuccess) return {};
    }
  }
  connection_.port().close();
  return Error{.code = ErrorCode::kModule,
               .message = options_.path + ": no module answers, at no baud rate"};
}

Status MercuryRadio::boot() {
  auto version = connection_.ask_well("version", op::kVersion, {}, kAnswer);
  if (!version.ok()) return version.error();
  constexpr std::size_t kVersionBytes = 20;
  const auto in_bootloader = [](const Bytes& data) {
    return data.size() < kVersionBytes ||
           std::all_of(data.end() - 4, data.end(), [](std::uint8_t byte) { return byte == 0; });
  };
  Bytes data = version.value();
  if (in_bootloader(data)) {
    auto booted = connection_.ask_well("start of the application", op::kBootApplication, {}, kStop);
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
  const auto answer = connection_.ask(op::kSetBaudRate, rate, kAnswer);
  if (!answer.ok()) return answer.error();
  if (answer.value().status != status::kSuccess) return {};  // it stays as it is
  if (auto set = connection_.port().set_baud(options_.work_baud); set.ok()) {
    const auto version = connection_.ask(op::kVersion, {}, kAnswer);
    if (version.ok()) {
      baud_ = options_.work_baud;
      return {};
    }
  }
  // Too fast for this line: back to where it was found.
  options_.work_baud = 0;
  return find_module(kRates);
}

Status MercuryRadio::read_capabilities() {
  capabilities_.model = family_.model;
  capabilities_.paced = true;
  capabilities_.has_temperature = true;
  capabilities_.has_antenna_sense = true;
  const std::uint8_t limits[] = {1};
  auto powers = connection_.ask_well("power limits", op::kGetReadPower, limits, kAnswer);
  if (!powers.ok()) return powers.error();
  ByteReader reader(powers.value());
  reader.u8();
  reader.u16();
  capabilities_.max_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  capabilities_.min_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  const std::uint8_t detect[] = {5};
  auto ports = connection_.ask_well("antennas", op::kGetAntennas, detect, kAnswer);
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
  auto protocol = connection_.ask_well("protocol", op::kSetProtocol, gen2, kAnswer);
  if (!protocol.ok()) return protocol.error();
  // Every read is reported.
  const std::uint8_t no_filter[] = {1, 0x0C, 0};
  (void)connection_.ask(op::kSetReaderKey, no_filter, kAnswer);
  return apply_region();
}

Status MercuryRadio::apply_region() {
  if (options_.region != 0) {
    const std::uint8_t region[] = {options_.region};
    auto set = connection_.ask_well("region", op::kSetRegion, region, kAnswer);
    if (!set.ok()) return set.error();
    if (!channels_khz_.empty()) {
      ByteWriter table;
      for (const std::uint32_t khz : channels_khz_) table.u32(khz);
      auto hops = connection_.ask_well("channels", op::kSetHopTable, table.view(), kAnswer);
      if (!hops.ok()) return hops.error();
    }
  }
  return {};
}

Status MercuryRadio::read_region() {
  // Modules that do not tell leave it open.
  region_ = {};
  const auto present = connection_.ask(op::kGetRegion, {}, kAnswer);
  if (!present.ok()) return present.error();
  if (!present.value().data.empty()) region_.present = present.value().data.back();
  const auto all = connection_.ask(op::kRegions, {}, kAnswer);
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
  if (stream_) stop_stream([](const Frame&) {});
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
    if (stream_) stop_stream([](const Frame&) {});
    // It may have lost its power since, and all that it was told.
    if (const Status prepared = prepare(); !prepared.ok()) lose(prepared.error().message);
  }
  return change(settings);
}

Status MercuryRadio::change(const RadioSettings& settings) {
  if (!was_found_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (stream_) stop_stream([](const Frame&) {});
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
    auto set = connection_.ask_well("power", op::kSetAntennas, powers.view(), kAnswer);
    if (!set.ok()) return set.error();
  }
  settings_sent_ = true;
  return {};
}

Status MercuryRadio::set_gen2(std::uint8_t key, Bytes value) {
  const auto known = gen2_.find(key);
  if (known != gen2_.end() && known->second == value) return {};
  const auto data = ByteWriter().u8(kGen2).u8(key).bytes(value).take();
  auto set = connection_.ask_well("Gen2 setting", op::kSetProtocolKey, data, kAnswer);
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

Result<SearchRequest> MercuryRadio::search_for(const RoundRequest& request) const {
  SearchRequest search;
  search.flags =
      search_flag::kConfiguredAntennas | search_flag::kLargeCount | search_flag::kRoundSummaries;
  search.timeout_ms = kOnCycleMs;
  search.metadata = kFields;
  search.select.multi = family_.multi_select;
  if (request.selects != nullptr) {
    for (const gen2::Select& select : request.selects->selects) {
      auto spec = spec_of(select);
      if (!spec) return not_supported("a select that truncates, or of another bank");
      search.select.selects.push_back(*std::move(spec));
    }
  }
  if (search.select.selects.size() > kMostSelects) return not_supported("more than three selects");
  auto access = request.access;
  if (!access.empty() && access.front().kind == AccessKind::kAccess) {
    search.select.access_password = access.front().password;
    access = access.subspan(1);
  }
  if (access.empty()) return search;
  if (access.size() > 1) return not_supported("more than one access operation");
  const AccessOp& operation = access.front();
  EmbeddedOp embedded;
  if (operation.kind == AccessKind::kRead) {
    ReadCommand read{.timeout_ms = kAccessTimeoutMs,
                     .bank = bank_number(operation.bank),
                     .word_address = operation.word_pointer,
                     .words = operation.word_count};
    read.select.multi = false;
    embedded = {.opcode = op::kReadData, .data = encode(read)};
  } else if (operation.kind == AccessKind::kWrite) {
    WriteCommand write{.timeout_ms = kAccessTimeoutMs,
                       .word_address = operation.word_pointer,
                       .bank = bank_number(operation.bank)};
    write.select.multi = false;
    for (const std::uint16_t word : operation.words) {
      write.data.push_back(static_cast<std::uint8_t>(word >> 8U));
      write.data.push_back(static_cast<std::uint8_t>(word & 0xFFU));
    }
    embedded = {.opcode = op::kWriteData, .data = encode(write)};
  } else {
    return not_supported("lock, kill and block write while reading");
  }
  search.metadata = static_cast<std::uint16_t>(kFields | metadata::kData);
  search.embedded = std::move(embedded);
  return search;
}

Status MercuryRadio::start_stream(const StreamKey& key, const RoundRequest& request) {
  if (auto applied = apply(); !applied.ok()) return applied;
  const auto session = static_cast<std::uint8_t>(key.session);
  if (auto set = set_gen2(kSession, Bytes{session}); !set.ok()) return set;
  const std::uint8_t target = key.target == gen2::Target::kA ? 0 : 1;
  if (auto set = set_gen2(kTarget, Bytes{1, target}); !set.ok()) return set;
  if (key.tag_population > 0) {
    const auto q = static_cast<std::uint8_t>(
        std::bit_width(static_cast<unsigned>(key.tag_population - 1)) & 0xF);
    if (auto set = set_gen2(kInitialQ, Bytes{1, q}); !set.ok()) return set;
  }
  const std::uint32_t t4 = std::max(key.delay_us, kShortestT4Us);
  if (auto set = set_gen2(kT4, ByteWriter().u32(t4).take()); !set.ok()) return set;
  ByteWriter list;
  constexpr std::uint8_t kPairs = 0x02;
  constexpr std::uint8_t kIds = 0x82;
  if (family_.antenna_form == AntennaForm::kPlain)
    list.u8(kIds).u8(key.antenna);
  else
    list.u8(kPairs).u8(key.antenna).u8(key.antenna);
  auto antenna = connection_.ask_well("antenna", op::kSetAntennas, list.view(), kAnswer);
  if (!antenna.ok()) return antenna.error();
  const auto search = search_for(request);
  if (!search.ok()) return search.error();
  const auto start = encode_stream_start(search.value());
  auto started = connection_.ask_well("start of reading", op::kContinuous, start, kAnswer);
  if (!started.ok()) return started.error();
  stream_ = key;
  cycle_start_ns_ = now_ns();
  last_report_ns_ = cycle_start_ns_;
  return {};
}

void MercuryRadio::stop_stream(const Connection::OnReport& on_report) {
  stream_.reset();
  // What is on its way comes before the answer.
  (void)connection_.ask(op::kContinuous, kStreamStop, kStop, on_report);
}

bool MercuryRadio::recover(const RoundRequest& request) {
  stream_.reset();
  // After a loss of power it has the usual rate again, after one of the cable that of before.
  const std::array<std::uint32_t, 2> rates{kUsualRate,
                                           options_.work_baud == 0 ? baud_ : options_.work_baud};
  nanoseconds pause = kFirstPause;
  for (;;) {
    if (interrupted_.load(std::memory_order_relaxed)) return false;
    connection_.port().close();
    Status there = open_at(rates);
    if (there.ok()) there = apply();
    if (there.ok()) {
      found();
      return true;
    }
    lose(there.error().message);
    const auto until = steady_clock::now() + pause;
    while (steady_clock::now() < until) {
      if (interrupted_.load(std::memory_order_relaxed) || now_ns() >= request.deadline_ns) {
        return false;
      }
      if (request.watch != nullptr && !request.watch->goes_on()) return false;
      (void)connection_.port().wait(kLook);
    }
    pause = std::min<nanoseconds>(pause * 2, kLongestPause);
  }
}

Result<bool> MercuryRadio::begin_stream(const StreamKey& key, const RoundRequest& request) {
  for (;;) {
    const Status started = start_stream(key, request);
    if (started.ok()) return true;
    if (started.error().code != ErrorCode::kModule) return started.error();
    lose(started.error().message);
    if (!recover(request)) return false;
  }
}

Result<RoundResult> MercuryRadio::run_round(const RoundRequest& request, TagSink& sink) {
  const auto search = search_for(request);
  if (!search.ok()) return search.error();
  StreamKey key{.antenna = request.antenna,
                .session = request.session,
                .target = request.target,
                .tag_population = request.tag_population,
                .search = encode_search(search.value()),
                .delay_us = request.selects == nullptr ? 0 : request.selects->delay_us};

  RoundResult result;
  bool complete = false;
  bool wanted = true;
  const auto take_tag = [&](const TagRecord& record) {
    const std::uint64_t now = now_ns();
    const std::uint64_t told = cycle_start_ns_ + record.time_ms * kNsPerMs;
    // Not before the read before it, and not in the future.
    last_read_ns_ = std::clamp(told, std::min(last_read_ns_, now), now);
    const auto rssi = static_cast<std::int16_t>(record.rssi_dbm * 100);
    if (request.min_rssi_cdbm && rssi < *request.min_rssi_cdbm) {
      ++result.too_weak;
      return;
    }
    std::vector<AccessResult> access;
    if (!request.access.empty()) {
      const AccessResult last = result_of(record);
      if (request.access.size() > 1) {
        const bool secured = last.status != AccessStatus::kNoReply;
        access.push_back({.status = secured ? AccessStatus::kDone : AccessStatus::kNoReply});
      }
      access.push_back(last);
    }
    wanted = sink.on_read({.time_ns = last_read_ns_,
                           .frequency_khz = record.frequency_khz,
                           .rssi_cdbm = rssi,
                           .phase_cdeg = static_cast<std::uint16_t>(record.phase_degrees * 100),
                           .pc = record.pc,
                           .crc = record.crc,
                           .antenna = record.antenna,
                           .xpc_w1 = record.xpc_w1.value_or(0),
                           .xpc_words = static_cast<std::uint8_t>(record.xpc_w1 ? 1 : 0),
                           .epc = record.epc,
                           .access = access}) &&
             wanted;
  };
  const Connection::OnReport on_report = [&](const Frame& frame) {
    if (frame.opcode != op::kSearch) return;
    last_report_ns_ = now_ns();
    const Report report = read_report(frame, family_.antenna_form);
    if (const auto* tag = std::get_if<TagRecord>(&report)) {
      if (wanted) take_tag(*tag);
    } else if (const auto* slots = std::get_if<RoundSummary>(&report)) {
      result.empty_slots += slots->empty;
      result.single_slots += slots->single;
      result.collided_slots += slots->collided;
      complete = true;
    } else if (std::holds_alternative<CycleEnd>(report)) {
      cycle_start_ns_ = last_report_ns_;
    }
  };

  if (stream_ && !(*stream_ == key)) stop_stream(on_report);
  // It was lost in the round before.
  if (!connection_.port().is_open() && !recover(request)) {
    result.end = RoundEnd::kInterrupted;
    return result;
  }
  if (!stream_) {
    const auto begun = begin_stream(key, request);
    if (!begun.ok()) return begun.error();
    if (!begun.value()) {
      result.end = RoundEnd::kInterrupted;
      return result;
    }
    result.first_command_ns = cycle_start_ns_;
  }
  const auto end_with = [&](RoundEnd end) {
    if (stream_) stop_stream(on_report);
    result.end = end;
    return result;
  };
  while (!complete) {
    if (interrupted_.load(std::memory_order_relaxed) || !wanted) {
      return end_with(RoundEnd::kInterrupted);
    }
    const std::uint64_t now = now_ns();
    if (now >= request.deadline_ns) return end_with(RoundEnd::kDeadline);
    if (request.watch != nullptr && !request.watch->goes_on()) return end_with(RoundEnd::kWatch);
    const auto longest = std::min<nanoseconds>(
        kLook, nanoseconds(std::min<std::uint64_t>(request.deadline_ns - now, kSilenceNs)));
    if (connection_.listen(longest, on_report) != Connection::Listened::kGone &&
        now_ns() - last_report_ns_ <= kSilenceNs) {
      continue;
    }
    // The plan goes on by itself when the module is back.
    lose(options_.path + ": the module is gone or silent");
    if (!recover(request)) return end_with(RoundEnd::kInterrupted);
    const auto begun = begin_stream(key, request);
    if (!begun.ok()) return begun.error();
    if (!begun.value()) return end_with(RoundEnd::kInterrupted);
  }
  if (!wanted) return end_with(RoundEnd::kInterrupted);
  result.end = RoundEnd::kComplete;
  return result;
}

bool MercuryRadio::idle_until(std::uint64_t time_ns) {
  if (stream_) stop_stream([](const Frame&) {});
  while (!interrupted_.load(std::memory_order_relaxed)) {
    const std::uint64_t now = now_ns();
    if (now >= time_ns) return true;
    const auto listened = connection_.listen(nanoseconds(time_ns - now), [](const Frame&) {});
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
  auto answer = connection_.ask_well("temperature", op::kTemperature, {}, kAnswer);
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
  auto answer = connection_.ask_well("antennas", op::kGetAntennas, detect, kAnswer);
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
