#include "emulator/mercury/antenna_settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

// Options of op 91 and 61.
constexpr std::uint8_t kPairs = 0x02;
constexpr std::uint8_t kIds = 0x82;
constexpr std::uint8_t kPowersOption = 0x03;
// All of a port, or of one kind for several ports.
constexpr std::uint8_t kByPort = 0x04;
constexpr std::uint8_t kDetect = 0x05;
constexpr std::uint8_t kReturnLoss = 0x06;
constexpr std::uint8_t kTimes = 0x07;
constexpr std::uint8_t kTimesById = 0x87;

// Kinds of kByPort.
constexpr std::uint8_t kReadPower = 1;
constexpr std::uint8_t kWritePower = 2;
constexpr std::uint8_t kSettling = 3;

// Bytes of a row: port and both powers; the same and the settling time; port and one value.
constexpr std::size_t kPowersRow = 5;
constexpr std::size_t kSettlingRow = 7;
constexpr std::size_t kOneKindRow = 3;

}  // namespace

AntennaSettings::AntennaSettings(const Profile& profile, std::vector<std::uint8_t> present)
    : profile_(&profile),
      present_(std::move(present)),
      single_(present_.empty() ? std::uint8_t{1} : present_.front()),
      search_list_{single_},
      powers_{.read_cdbm = profile.max_power_cdbm, .write_cdbm = profile.max_power_cdbm} {}

std::optional<Answer> AntennaSettings::handle(const radio::mercury::Frame& command) {
  const auto data = command.data;
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
    default:
      return std::nullopt;
  }
}

Answer AntennaSettings::set_antennas(std::span<const std::uint8_t> data) {
  if (data.empty()) return bad_count();
  const auto rest = data.subspan(1);
  // One antenna: its id, or tx and rx; what follows an option is longer.
  const bool by_id = profile_->antenna_form == radio::mercury::AntennaForm::kPlain;
  if (data.size() == 1) return by_id ? set_single(data) : bad_count();
  if (data.size() == 2 && data[0] != kIds) return data[0] == 0 ? bad_count() : set_single(data);
  switch (data[0]) {
    case kPairs:
    case kIds:
      return set_list(rest, data[0] == kPairs ? 2 : 1);
    case kPowersOption:
      return set_powers(rest, kPowersRow);
    case kByPort:
      return is_of_one_kind(rest) ? set_one_kind(rest) : set_powers(rest, kSettlingRow);
    case kTimes:
    case kTimesById:
      return set_times(rest);
    // The old form of tx and rx.
    case 0:
      return rest.size() == 2 ? set_single(rest) : bad_count();
    default:
      return bad_parameter();
  }
}

Answer AntennaSettings::set_single(std::span<const std::uint8_t> ports) {
  if (!is_port(ports.front()) || !is_port(ports.back())) return bad_parameter();
  single_ = ports.front();
  return {};
}

Answer AntennaSettings::set_list(std::span<const std::uint8_t> ports, unsigned bytes_of_each) {
  if (ports.empty() || ports.size() % bytes_of_each != 0) return bad_count();
  std::vector<std::uint8_t> list;
  for (std::size_t i = 0; i < ports.size(); i += bytes_of_each) list.push_back(ports[i]);
  if (!std::all_of(list.begin(), list.end(), is_port)) return bad_parameter();
  search_list_ = std::move(list);
  return {};
}

Answer AntennaSettings::set_powers(std::span<const std::uint8_t> rows, std::size_t row) {
  if (rows.empty() || rows.size() % row != 0) return bad_count();
  auto powers = port_powers_;
  auto settling = settling_us_;
  for (ByteReader reader(rows); !reader.at_end();) {
    const std::uint8_t port = reader.u8();
    const Powers both{.read_cdbm = static_cast<std::int16_t>(reader.u16()),
                      .write_cdbm = static_cast<std::int16_t>(reader.u16())};
    if (row == kSettlingRow) settling[port] = reader.u16();
    if (!is_port(port)) return bad_parameter();
    for (const std::int16_t power : {both.read_cdbm, both.write_cdbm}) {
      if (!is_power(power)) return fault(power_fault(power));
    }
    powers[port] = both;
  }
  port_powers_ = std::move(powers);
  settling_us_ = std::move(settling);
  return {};
}

// The other form of the option begins with a port, which looks the same: its rows are longer, so
// that ports do not stand where this form has them, each once.
bool AntennaSettings::is_of_one_kind(std::span<const std::uint8_t> data) {
  if (data.empty() || data[0] < kReadPower || data[0] > kSettling) return false;
  if (data.size() % kOneKindRow != 1) return data.size() % kSettlingRow != 0;
  std::array<bool, kPorts + 1> seen{};
  for (std::size_t i = 1; i < data.size(); i += kOneKindRow) {
    if (!is_port(data[i]) || std::exchange(seen[data[i]], true)) {
      return data.size() % kSettlingRow != 0;
    }
  }
  return true;
}

Answer AntennaSettings::set_one_kind(std::span<const std::uint8_t> data) {
  ByteReader reader(data);
  const std::uint8_t kind = reader.u8();
  if (reader.at_end() || reader.left() % kOneKindRow != 0) return bad_count();
  auto powers = port_powers_;
  auto settling = settling_us_;
  while (!reader.at_end()) {
    const std::uint8_t port = reader.u8();
    const std::uint16_t value = reader.u16();
    if (!is_port(port)) return bad_parameter();
    if (kind == kSettling) {
      settling[port] = value;
      continue;
    }
    const auto power = static_cast<std::int16_t>(value);
    if (!is_power(power)) return fault(power_fault(power));
    Powers& both = powers.try_emplace(port, powers_).first->second;
    (kind == kReadPower ? both.read_cdbm : both.write_cdbm) = power;
  }
  port_powers_ = std::move(powers);
  settling_us_ = std::move(settling);
  return {};
}

Answer AntennaSettings::set_times(std::span<const std::uint8_t> rows) {
  if (rows.empty() || rows.size() % kOneKindRow != 0) return bad_count();
  auto times = on_times_ms_;
  for (ByteReader reader(rows); !reader.at_end();) {
    const std::uint8_t port = reader.u8();
    const std::uint16_t time = reader.u16();
    if (port != 0 && !is_port(port)) return bad_parameter();
    times[port] = time;
  }
  on_times_ms_ = std::move(times);
  return {};
}

Answer AntennaSettings::get_antennas(std::span<const std::uint8_t> data) const {
  const unsigned one = single();
  if (data.empty() || (data.size() == 1 && data[0] == 0)) return answer_of({one, one});
  const bool one_kind = data.size() == 2 && data[0] == kByPort;
  if (data.size() != 1 && !one_kind) return bad_count();
  if (one_kind && (data[1] < kReadPower || data[1] > kSettling)) return bad_parameter();
  ByteWriter writer;
  writer.bytes(data);
  if (data[0] == kPairs) {
    for (const std::uint8_t port : search_list_) writer.u8(port).u8(port);
    return {.data = writer.take()};
  }
  for (unsigned port = 1; port <= kPorts; ++port) {
    if (!write_row(writer, data, static_cast<std::uint8_t>(port))) return bad_parameter();
  }
  return {.data = writer.take()};
}

bool AntennaSettings::write_row(ByteWriter& writer, std::span<const std::uint8_t> asked,
                                std::uint8_t port) const {
  const auto read = static_cast<std::uint16_t>(powers(port).read_cdbm);
  const auto write = static_cast<std::uint16_t>(powers(port).write_cdbm);
  const auto settling = settling_us_.find(port);
  const std::uint16_t settling_us = settling == settling_us_.end() ? 0 : settling->second;
  writer.u8(port);
  switch (asked[0]) {
    case kPowersOption:
      writer.u16(read).u16(write);
      return true;
    case kByPort:
      if (asked.size() == 1) {
        writer.u16(read).u16(write).u16(settling_us);
      } else {
        writer.u16(asked[1] == kReadPower ? read : asked[1] == kWritePower ? write : settling_us);
      }
      return true;
    case kDetect:
      writer.u8(is_there(port) ? 1 : 0);
      return true;
    // Of an antenna that fits: tenths of nothing; of an open port all comes back.
    case kReturnLoss:
      writer.u8(is_there(port) ? 20 : 0);
      return true;
    case kTimes:
    case kTimesById:
      writer.u16(on_time_ms(port));
      return true;
    default:
      return false;
  }
}

Answer AntennaSettings::set_power(std::span<const std::uint8_t> data, bool write) {
  if (data.size() != 2) return bad_count();
  const auto power = static_cast<std::int16_t>(value_of(data));
  if (!is_power(power)) return fault(power_fault(power));
  (write ? powers_.write_cdbm : powers_.read_cdbm) = power;
  // The power of all ports, until one is told its own.
  for (auto& [port, both] : port_powers_) (write ? both.write_cdbm : both.read_cdbm) = power;
  return {};
}

Answer AntennaSettings::get_power(std::span<const std::uint8_t> data, bool write) const {
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

Powers AntennaSettings::powers(std::uint8_t port) const {
  const auto found = port_powers_.find(port);
  return found == port_powers_.end() ? powers_ : found->second;
}

std::uint16_t AntennaSettings::on_time_ms(std::uint8_t port) const {
  const auto found = on_times_ms_.find(port);
  return found == on_times_ms_.end() ? std::uint16_t{0} : found->second;
}

bool AntennaSettings::is_there(std::uint8_t port) const {
  return std::find(present_.begin(), present_.end(), port) != present_.end();
}

void AntennaSettings::pull(std::uint8_t port, bool there) {
  std::erase(present_, port);
  if (there) present_.push_back(port);
}

std::uint16_t AntennaSettings::power_fault(std::int16_t cdbm) const {
  return cdbm > profile_->max_power_cdbm ? status::kPowerTooHigh : status::kPowerTooLow;
}

}  // namespace singulate::emulator::mercury
