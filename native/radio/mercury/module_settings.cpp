#include "radio/mercury/module_settings.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/link_modes.h"

namespace singulate::radio::mercury {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint8_t kReadFilter = 0x0C;
// Options of the commands for antennas.
constexpr std::uint8_t kPairs = 0x02;
constexpr std::uint8_t kIds = 0x82;
constexpr std::uint8_t kDetect = 0x05;
constexpr std::uint8_t kTimes = 0x07;
constexpr std::uint8_t kTimesById = 0x87;

}  // namespace

Result<Capabilities> ModuleSettings::read_capabilities(const Family& family) const {
  Capabilities result;
  result.module = kModuleKind;
  result.model = family.model;
  result.features = *find_features(family.features);
  result.paced = true;
  result.has_temperature = true;
  result.has_antenna_sense = true;
  const std::uint8_t limits[] = {1};
  auto powers =
      connection_.ask_well("power limits", op::kGetReadPower, limits, options_.times.answer);
  if (!powers.ok()) return powers.error();
  ByteReader reader(powers.value());
  reader.u8();
  reader.u16();
  result.max_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  result.min_transmit_power_cdbm = static_cast<std::int16_t>(reader.u16());
  const auto told = ports();
  if (!told.ok()) return told.error();
  for (const PortState& port : told.value()) result.antennas.push_back(port.number);
  if (!reader.ok() || result.antennas.empty()) {
    return Error{.code = ErrorCode::kModule, .message = "the module tells no powers or antennas"};
  }
  const std::uint8_t times[] = {kTimes};
  const auto known = connection_.ask_again(op::kGetAntennas, times, options_.times.answer);
  if (!known.ok()) return known.error();
  // A stop for the pins would begin the list again and again. And asynchronous reading has no
  // cycles.
  const bool has_pins = !options_.input_pins.empty() || !options_.output_pins.empty();
  result.cycles_antennas =
      known.value().status == status::kSuccess && !has_pins && !family.asynchronous;
  const auto add = [&](std::string_view profile) {
    auto& all = result.link_profiles;
    if (std::find(all.begin(), all.end(), profile) == all.end()) all.emplace_back(profile);
  };
  if (family.rf_modes) {
    for (const RfMode& mode : rf_modes()) add(mode.profile);
  } else {
    for (const LinkValues& values : link_values()) add(values.profile);
  }
  return result;
}

Result<std::vector<PortState>> ModuleSettings::ports() const {
  const std::uint8_t detect[] = {kDetect};
  auto answer = connection_.ask_well("antennas", op::kGetAntennas, detect, options_.times.answer);
  if (!answer.ok()) return answer.error();
  ByteReader list(answer.value());
  list.u8();
  std::vector<PortState> result;
  while (list.left() >= 2) {
    const std::uint8_t number = list.u8();
    result.push_back({.number = number, .connected = list.u8() != 0});
  }
  return result;
}

Status ModuleSettings::prepare() {
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
  return send_region();
}

void ModuleSettings::want(const RadioSettings& settings) {
  settings_ = settings;
  settings_sent_ = false;
}

Status ModuleSettings::apply(const Family& family) {
  if (settings_sent_) return {};
  if (auto link = set_link(family); !link.ok()) return link;
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

Status ModuleSettings::set_gen2(Gen2Key key, Bytes value) {
  const auto known = gen2_.find(key);
  if (known != gen2_.end() && known->second == value) return {};
  const auto data = ByteWriter().u8(kGen2).u8(static_cast<std::uint8_t>(key)).bytes(value).take();
  auto set = connection_.ask_well("Gen2 setting", op::kSetProtocolKey, data, options_.times.answer);
  if (!set.ok()) return set.error();
  gen2_[key] = std::move(value);
  return {};
}

Status ModuleSettings::set_link(const Family& family) {
  const std::string& profile = settings_.link_profile;
  if (family.rf_modes) {
    for (const RfMode& mode : rf_modes()) {
      if (mode.profile != profile) continue;
      return set_gen2(Gen2Key::kRfMode, ByteWriter().u16(mode.number).take());
    }
  } else {
    for (const LinkValues& values : link_values()) {
      if (values.profile != profile) continue;
      if (auto set = set_gen2(Gen2Key::kMiller, {values.miller}); !set.ok()) return set;
      if (auto set = set_gen2(Gen2Key::kBlf, {values.blf}); !set.ok()) return set;
      return set_gen2(Gen2Key::kTari, {values.tari});
    }
  }
  return not_supported("link profile " + profile);
}

std::vector<std::uint8_t> ModuleSettings::used_ports() const {
  std::vector<std::uint8_t> ports;
  for (const auto& antenna : settings_.antennas) ports.push_back(antenna.port);
  return ports;
}

Status ModuleSettings::set_antennas(const Family& family, std::span<const TimedVisit> visits) {
  const bool plain = family.antenna_form == AntennaForm::kPlain;
  ByteWriter list;
  list.u8(plain ? kIds : kPairs);
  for (const TimedVisit& visit : visits) {
    list.u8(visit.antenna);
    if (!plain) list.u8(visit.antenna);
  }
  auto set = connection_.ask_well("antenna", op::kSetAntennas, list.view(), options_.times.answer);
  if (!set.ok()) return set.error();
  return set_times(family, visits);
}

Status ModuleSettings::set_antenna(const Family& family, std::uint8_t port) {
  const Bytes ports = family.antenna_form == AntennaForm::kPlain ? Bytes{port} : Bytes{port, port};
  auto set = connection_.ask_well("antenna", op::kSetAntennas, ports, options_.times.answer);
  if (!set.ok()) return set.error();
  return {};
}

Status ModuleSettings::set_times(const Family& family, std::span<const TimedVisit> visits) {
  const bool plain = family.antenna_form == AntennaForm::kPlain;
  ByteWriter times;
  times.u8(plain ? kTimesById : kTimes);
  for (TimedVisit visit : visits) {
    const auto known = times_ms_.find(visit.antenna);
    if (visit.time_ms == 0) {
      visit.time_ms = static_cast<std::uint16_t>(options_.times.on_cycle.count());
      // No other was ever set.
      if (known == times_ms_.end() || known->second == visit.time_ms) continue;
    }
    times.u8(visit.antenna).u16(visit.time_ms);
    times_ms_[visit.antenna] = visit.time_ms;
  }
  if (times.view().size() < 2) return {};
  auto set =
      connection_.ask_well("antenna times", op::kSetAntennas, times.view(), options_.times.answer);
  if (!set.ok()) return set.error();
  return {};
}

Status ModuleSettings::check_unforgotten() const {
  const std::uint8_t filter[] = {1, kReadFilter};
  const auto now = connection_.ask_again(op::kGetReaderKey, filter, options_.times.answer);
  if (!now.ok()) return now.error();
  const Bytes as_it_starts{1, kReadFilter, 1};
  if (now.value().status != status::kSuccess || now.value().data != as_it_starts) return {};
  return Error{.code = ErrorCode::kModule,
               .message = options_.path + ": the module has started again"};
}

void ModuleSettings::want_region(std::uint8_t number,
                                 const std::vector<std::uint32_t>& channels_khz) {
  region_number_ = number;
  channels_khz_ = channels_khz;
}

Status ModuleSettings::send_region() {
  if (region_number_ == 0) return {};
  const std::uint8_t region[] = {region_number_};
  auto set = connection_.ask_well("region", op::kSetRegion, region, options_.times.answer);
  if (!set.ok()) return set.error();
  if (channels_khz_.empty()) return {};
  ByteWriter table;
  for (const std::uint32_t khz : channels_khz_) table.u32(khz);
  auto hops =
      connection_.ask_well("channels", op::kSetHopTable, table.view(), options_.times.answer);
  if (!hops.ok()) return hops.error();
  return {};
}

Status ModuleSettings::read_region() {
  region_ = {};
  const auto present = connection_.ask_again(op::kGetRegion, {}, options_.times.answer);
  if (!present.ok()) return present.error();
  if (!present.value().data.empty()) region_.present = present.value().data.back();
  const auto all = connection_.ask_again(op::kRegions, {}, options_.times.answer);
  if (!all.ok()) return all.error();
  if (all.value().status == status::kSuccess) region_.supported = all.value().data;
  return {};
}

}  // namespace singulate::radio::mercury
