#include "emulator/mercury/settings.h"

#include <algorithm>
#include <string_view>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/link_modes.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

// Regions of the products: North America, Europe, ... and open.
constexpr std::array<std::uint8_t, 14> kRegions{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08,
                                                0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0xFF};
constexpr std::size_t kMostHops = 62;
constexpr std::uint8_t kGen2Parameter = 0x05;

// Options of op 91 and 61.
constexpr std::uint8_t kPairs = 0x02;
constexpr std::uint8_t kIds = 0x82;
constexpr std::uint8_t kPowersOption = 0x03;
constexpr std::uint8_t kOneKind = 0x04;
constexpr std::uint8_t kDetect = 0x05;
constexpr std::uint8_t kReturnLoss = 0x06;
constexpr std::uint8_t kTimes = 0x07;
constexpr std::uint8_t kTimesById = 0x87;

// Reader keys that are more than a remembered value.
constexpr std::uint8_t kTransportKey = 0x0E;
constexpr std::uint8_t kSendCrcKey = 0x1B;
constexpr std::uint8_t kReadFilterKey = 0x0C;
constexpr std::uint8_t kProductGroupKey = 0x12;
constexpr std::uint8_t kProductIdKey = 0x13;

Answer bad_parameter() { return fault(status::kBadParameter); }
Answer bad_count() { return fault(status::kDataCount); }
Answer bytes(std::initializer_list<unsigned> values) {
  Answer answer;
  for (const unsigned value : values) answer.data.push_back(static_cast<std::uint8_t>(value));
  return answer;
}

std::uint32_t value_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8U | byte;
  return value;
}

// Bytes of the value of a Gen2 parameter; nothing: there is no such parameter.
std::optional<std::size_t> gen2_value_bytes(std::uint8_t key, std::span<const std::uint8_t> value) {
  switch (key) {
    case 0x00:
    case 0x02:
    case 0x10:
    case 0x11:
    case 0x17:
    case 0x19:
    case 0x1A:
      return 1;
    case 0x01:
    case 0x16:
    case 0x18:
      return 2;
    case 0x12:
      return !value.empty() && value[0] == 1 ? 2 : 1;
    case 0x15:
      return 4;
    case 0x1B:
    case 0x3F:
      return value.size();
    default:
      return std::nullopt;
  }
}

bool gen2_value_allowed(std::uint8_t key, std::uint32_t value, bool rf_modes) {
  constexpr std::uint32_t kShortestT4Us = 64;
  constexpr std::uint32_t kLongestT4Us = 1'000'000;
  switch (key) {
    case 0x00:
      return value <= 3;
    case 0x01:
      return value == 0x0100 || value == 0x0101 || value == 0x0000 || value == 0x0001;
    case 0x02:
      return !rf_modes && value <= 3;
    case 0x10:
      return !rf_modes && (value == 0 || value == 2 || value == 4);
    case 0x11:
      return !rf_modes && value <= 2;
    case 0x12:
      return value == 0 || (value >= 0x0100 && value <= 0x010F);
    case 0x15:
      return value >= kShortestT4Us && value <= kLongestT4Us;
    case 0x16:
      return (value & 0xFFU) <= 15 && value >> 8U <= 1;
    case 0x18:
      return rf_modes && radio::mercury::find_rf_mode(static_cast<std::uint16_t>(value));
    default:
      return true;
  }
}

}  // namespace

Settings::Settings(const Profile& profile, std::vector<std::uint8_t> antennas,
                   std::vector<std::uint32_t> channels_khz)
    : profile_(&profile),
      present_(std::move(antennas)),
      search_list_{present_.empty() ? std::uint8_t{1} : present_.front()},
      powers_{.read_cdbm = profile.max_power_cdbm, .write_cdbm = profile.max_power_cdbm},
      hop_table_khz_(std::move(channels_khz)) {
  if (hop_table_khz_.size() > kMostHops) hop_table_khz_.resize(kMostHops);
  gen2_keys_[0x00] = {0};
  gen2_keys_[0x01] = {0x01, 0x00};
  gen2_keys_[0x12] = {0};
  if (profile_->rf_modes) {
    gen2_keys_[0x18] = {0x00, 0xF4};
  } else {
    gen2_keys_[0x02] = {2};
    gen2_keys_[0x10] = {0};
    gen2_keys_[0x11] = {0};
  }
  gen2_keys_[0x15] = {0x00, 0x00, 0x01, 0x00};
}

std::optional<Answer> Settings::handle(const radio::mercury::Frame& command) {
  const Data data = command.data;
  switch (command.opcode) {
    case op::kSetAntennas:
      return set_antennas(data);
    case op::kGetAntennas:
      return get_antennas(data);
    case op::kSetReadPower:
      return set_power(data, false);
    case op::kSetWritePower:
      return set_power(data, true);
    case op::kGetReadPower:
      return get_power(data, false);
    case op::kGetWritePower:
      return get_power(data, true);
    case op::kSetHopTable:
      return set_hop_table(data);
    case op::kGetHopTable:
      return get_hop_table(data);
    case op::kSetOutputs:
      return set_outputs(data);
    case op::kGetInputs:
      return get_pins(data);
    case op::kSetRegion:
      return set_region(data);
    case op::kGetRegion:
      return data.empty() ? bytes({region_}) : bad_count();
    case op::kSetReaderKey:
      return set_reader_key(data);
    case op::kGetReaderKey:
      return get_reader_key(data);
    case op::kSetProtocolKey:
      return set_gen2_key(data);
    case op::kGetProtocolKey:
      return get_gen2_key(data);
    case op::kSetProtocol:
      if (data.size() != 2) return bad_count();
      if (value_of(data) != radio::mercury::kGen2) return bad_parameter();
      return Answer{};
    case op::kGetProtocol:
      return data.empty() ? bytes({0, protocol_}) : bad_count();
    case op::kProtocols:
      return data.empty() ? bytes({0, radio::mercury::kGen2}) : bad_count();
    case op::kRegions:
      if (!data.empty()) return bad_count();
      return Answer{.data = {kRegions.begin(), kRegions.end()}};
    case op::kTemperature:
      if (!data.empty()) return bad_count();
      return bytes({static_cast<std::uint8_t>(temperature_celsius)});
    case op::kSetPowerMode:
    case op::kSetUserMode: {
      if (data.size() != 1) return bad_count();
      if (data[0] > 4) return bad_parameter();
      (command.opcode == op::kSetPowerMode ? power_mode_ : user_mode_) = data[0];
      return Answer{};
    }
    case op::kGetPowerMode:
      return data.empty() ? bytes({power_mode_}) : bad_count();
    case op::kGetUserMode:
      return data.empty() ? bytes({user_mode_}) : bad_count();
    default:
      return std::nullopt;
  }
}

Answer Settings::set_antennas(Data data) {
  if (data.empty()) return bad_count();
  ByteReader reader(data);
  const std::uint8_t option = reader.u8();
  if (option == kPairs || option == kIds) {
    const unsigned step = option == kPairs ? 2 : 1;
    if (reader.at_end() || reader.left() % step != 0) return bad_count();
    std::vector<std::uint8_t> list;
    while (!reader.at_end()) {
      list.push_back(reader.u8());
      if (step == 2) reader.u8();
      if (!is_port(list.back())) return bad_parameter();
    }
    search_list_ = std::move(list);
    return {};
  }
  if (option == kPowersOption) {
    if (reader.at_end() || reader.left() % 5 != 0) return bad_count();
    auto powers = port_powers_;
    while (!reader.at_end()) {
      const std::uint8_t port = reader.u8();
      const Powers both{.read_cdbm = static_cast<std::int16_t>(reader.u16()),
                        .write_cdbm = static_cast<std::int16_t>(reader.u16())};
      if (!is_port(port)) return bad_parameter();
      for (const std::int16_t power : {both.read_cdbm, both.write_cdbm}) {
        if (!is_power(power)) return fault(power_fault(power));
      }
      powers[port] = both;
    }
    port_powers_ = std::move(powers);
    return {};
  }
  if (option == kOneKind) {
    const std::uint8_t kind = reader.u8();
    if (!reader.ok() || reader.at_end() || reader.left() % 3 != 0) return bad_count();
    if (kind < 1 || kind > 3) return bad_parameter();
    auto powers = port_powers_;
    auto settling = settling_us_;
    while (!reader.at_end()) {
      const std::uint8_t port = reader.u8();
      const std::uint16_t value = reader.u16();
      if (!is_port(port)) return bad_parameter();
      if (kind == 3) {
        settling[port] = value;
        continue;
      }
      const auto power = static_cast<std::int16_t>(value);
      if (!is_power(power)) return fault(power_fault(power));
      Powers& both = powers.try_emplace(port, powers_).first->second;
      (kind == 1 ? both.read_cdbm : both.write_cdbm) = power;
    }
    port_powers_ = std::move(powers);
    settling_us_ = std::move(settling);
    return {};
  }
  if (option == kTimes || option == kTimesById) {
    if (reader.at_end() || reader.left() % 3 != 0) return bad_count();
    auto times = on_times_ms_;
    while (!reader.at_end()) {
      const std::uint8_t port = reader.u8();
      const std::uint16_t time = reader.u16();
      if (port != 0 && !is_port(port)) return bad_parameter();
      times[port] = time;
    }
    on_times_ms_ = std::move(times);
    return {};
  }
  // One antenna: tx, rx; or with an option of 0 before them.
  const Data pair = option == 0 ? data.subspan(1) : data;
  if (pair.size() != 2) return option == 0 || data.size() == 1 ? bad_count() : bad_parameter();
  if (!is_port(pair[0]) || !is_port(pair[1])) return bad_parameter();
  search_list_ = {pair[0]};
  return {};
}

Answer Settings::get_antennas(Data data) const {
  if (data.empty()) return bytes({search_list_.front(), search_list_.front()});
  if (data.size() != 1) return bad_count();
  ByteWriter writer;
  writer.u8(data[0]);
  for (unsigned port = 1; port <= kPorts; ++port) {
    const auto one = static_cast<std::uint8_t>(port);
    switch (data[0]) {
      case kPairs:
        break;
      case kOneKind:
        writer.u8(port).u16(static_cast<std::uint16_t>(powers(one).read_cdbm));
        writer.u16(static_cast<std::uint16_t>(powers(one).write_cdbm));
        break;
      case kDetect:
        writer.u8(port).u8(has_antenna(one) ? 1 : 0);
        break;
      // Of an antenna that fits: tenths of nothing; of an open port all comes back.
      case kReturnLoss:
        writer.u8(port).u8(has_antenna(one) ? 20 : 0);
        break;
      case kTimes:
      case kTimesById:
        writer.u8(port).u16(on_time_ms(one));
        break;
      default:
        return bad_parameter();
    }
  }
  if (data[0] == kPairs) {
    for (const std::uint8_t port : search_list_) writer.u8(port).u8(port);
  }
  return {.data = writer.take()};
}

Answer Settings::set_power(Data data, bool write) {
  if (data.size() != 2) return bad_count();
  const auto power = static_cast<std::int16_t>(value_of(data));
  if (!is_power(power)) return fault(power_fault(power));
  (write ? powers_.write_cdbm : powers_.read_cdbm) = power;
  // The power of all ports, until one is told its own.
  for (auto& [port, both] : port_powers_) (write ? both.write_cdbm : both.read_cdbm) = power;
  return {};
}

Answer Settings::get_power(Data data, bool write) const {
  if (data.size() > 1) return bad_count();
  const std::int16_t power = write ? powers_.write_cdbm : powers_.read_cdbm;
  ByteWriter writer;
  const std::uint8_t option = data.empty() ? std::uint8_t{0} : data[0];
  if (option > 1) return bad_parameter();
  if (!data.empty()) writer.u8(option);
  writer.u16(static_cast<std::uint16_t>(power));
  if (option == 1) {
    writer.u16(static_cast<std::uint16_t>(profile_->max_power_cdbm));
    writer.u16(static_cast<std::uint16_t>(profile_->min_power_cdbm));
  }
  return {.data = writer.take()};
}

Answer Settings::set_hop_table(Data data) {
  if (data.size() == 5 && data[0] == 1) {
    hop_time_ms_ = value_of(data.subspan(1));
    return {};
  }
  if (data.empty() || data.size() % 4 != 0 || data.size() / 4 > kMostHops) return bad_count();
  std::vector<std::uint32_t> table;
  for (ByteReader reader(data); !reader.at_end();) {
    table.push_back(reader.u32());
    constexpr std::uint32_t kLowest = 840'000;
    constexpr std::uint32_t kHighest = 960'000;
    if (table.back() < kLowest || table.back() > kHighest) return fault(status::kBadFrequency);
  }
  hop_table_khz_ = std::move(table);
  return {};
}

Answer Settings::get_hop_table(Data data) const {
  ByteWriter writer;
  if (data.empty()) {
    for (const std::uint32_t channel : hop_table_khz_) writer.u32(channel);
  } else if (data.size() == 1 && data[0] == 1) {
    writer.u8(1).u32(hop_time_ms_);
  } else {
    return data.size() == 1 ? bad_parameter() : bad_count();
  }
  return {.data = writer.take()};
}

Answer Settings::set_outputs(Data data) {
  const bool direction = data.size() == 4 && data[0] == 1;
  if (!direction && data.size() != 2) return bad_count();
  const unsigned pin = direction ? data[1] : data[0];
  const unsigned value = direction ? data[2] : data[1];
  if (pin < 1 || pin > kPins || value > 1) return bad_parameter();
  if (direction) {
    output_[pin] = value == 1;
    return {};
  }
  output_[pin] = true;
  level_[pin] = value == 1;
  return {};
}

Answer Settings::get_pins(Data data) const {
  if (data.size() > 1) return bad_count();
  ByteWriter writer;
  if (!data.empty()) writer.u8(data[0]);
  for (unsigned pin = 1; pin <= kPins; ++pin) {
    if (data.empty()) {
      writer.u8(level_[pin] ? 1 : 0);
    } else {
      writer.u8(pin).u8(output_[pin] ? 1 : 0).u8(level_[pin] ? 1 : 0);
    }
  }
  return {.data = writer.take()};
}

std::uint8_t Settings::pin_levels() const {
  unsigned levels = 0;
  for (unsigned pin = 1; pin <= kPins; ++pin) levels |= level_[pin] ? 1U << (pin - 1U) : 0U;
  return static_cast<std::uint8_t>(levels);
}

Answer Settings::set_region(Data data) {
  if (data.empty()) return bad_count();
  // With an option: settings of listen before talk come after the region.
  const bool with_option = data.size() > 1;
  if (with_option && data[0] != 1) return bad_parameter();
  const std::uint8_t region = with_option ? data[1] : data[0];
  if (std::find(kRegions.begin(), kRegions.end(), region) == kRegions.end()) {
    return fault(status::kRegion);
  }
  region_ = region;
  return {};
}

Answer Settings::set_reader_key(Data data) {
  if (data.size() < 3) return bad_count();
  if (data[0] != 1 || data[1] == kTransportKey) return bad_parameter();
  reader_keys_[data[1]] = {data.begin() + 2, data.end()};
  if (data[1] == kSendCrcKey) sends_crc_ = data[2] != 0;
  return {};
}

Answer Settings::get_reader_key(Data data) const {
  if (data.size() != 2) return bad_count();
  if (data[0] != 1) return bad_parameter();
  Answer answer{.data = {data.begin(), data.end()}};
  const auto found = reader_keys_.find(data[1]);
  if (found != reader_keys_.end()) {
    answer.data.insert(answer.data.end(), found->second.begin(), found->second.end());
  } else if (data[1] == kProductGroupKey || data[1] == kProductIdKey) {
    answer.data.insert(answer.data.end(), {0, 0});
  } else {
    answer.data.push_back(data[1] == kSendCrcKey || data[1] == kReadFilterKey ? 1 : 0);
  }
  return answer;
}

Answer Settings::set_gen2_key(Data data) {
  if (data.size() < 3) return bad_count();
  if (data[0] != kGen2Parameter) return bad_parameter();
  const std::uint8_t key = data[1];
  const Data value = data.subspan(2);
  const auto length = gen2_value_bytes(key, value);
  if (!length) return bad_parameter();
  if (value.size() != *length) return bad_count();
  if (!gen2_value_allowed(key, value_of(value), profile_->rf_modes)) return bad_parameter();
  gen2_keys_[key] = {value.begin(), value.end()};
  return {};
}

Answer Settings::get_gen2_key(Data data) const {
  if (data.size() != 2) return bad_count();
  if (data[0] != kGen2Parameter || !gen2_value_bytes(data[1], {})) return bad_parameter();
  Answer answer{.data = {data.begin(), data.end()}};
  const auto found = gen2_keys_.find(data[1]);
  if (found == gen2_keys_.end()) {
    answer.data.push_back(0);
  } else {
    answer.data.insert(answer.data.end(), found->second.begin(), found->second.end());
  }
  return answer;
}

Powers Settings::powers(std::uint8_t port) const {
  const auto found = port_powers_.find(port);
  return found == port_powers_.end() ? powers_ : found->second;
}

std::uint16_t Settings::on_time_ms(std::uint8_t port) const {
  const auto found = on_times_ms_.find(port);
  return found == on_times_ms_.end() ? std::uint16_t{0} : found->second;
}

bool Settings::has_antenna(std::uint8_t port) const {
  return std::find(present_.begin(), present_.end(), port) != present_.end();
}

std::uint32_t Settings::gen2(std::uint8_t key) const {
  const auto found = gen2_keys_.find(key);
  return found == gen2_keys_.end() ? 0 : value_of(found->second);
}

std::uint32_t Settings::reader(std::uint8_t key) const {
  const auto found = reader_keys_.find(key);
  return found == reader_keys_.end() ? 0 : value_of(found->second);
}

std::string_view Settings::link_profile() const {
  if (profile_->rf_modes) {
    return radio::mercury::find_rf_mode(static_cast<std::uint16_t>(gen2(0x18)))
        .value_or(radio::mercury::kDefaultLinkProfile);
  }
  return radio::mercury::link_profile_of(static_cast<std::uint8_t>(gen2(0x02)),
                                         static_cast<std::uint8_t>(gen2(0x10)));
}

void Settings::pull_antenna(std::uint8_t port, bool there) {
  std::erase(present_, port);
  if (there) present_.push_back(port);
}

void Settings::set_input(std::uint8_t pin, bool high) {
  if (pin >= 1 && pin <= kPins && !output_[pin]) level_[pin] = high;
}

std::uint16_t Settings::power_fault(std::int16_t cdbm) const {
  return cdbm > profile_->max_power_cdbm ? status::kPowerTooHigh : status::kPowerTooLow;
}

}  // namespace singulate::emulator::mercury
