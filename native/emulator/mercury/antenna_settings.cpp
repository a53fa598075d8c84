#include "emulator/mercury/antenna_settings.h"

#include <algorithm>

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
constexpr std::uint8_t kOneKind = 0x04;
constexpr std::uint8_t kDetect = 0x05;
constexpr std::uint8_t kReturnLoss = 0x06;
constexpr std::uint8_t kTimes = 0x07;
constexpr std::uint8_t kTimesById = 0x87;

}  // namespace

AntennaSettings::AntennaSettings(const Profile& profile, std::vector<std::uint8_t> present)
    : profile_(&profile),
      present_(std::move(present)),
      search_list_{present_.empty() ? std::uint8_t{1} : present_.front()},
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
  const auto pair = option == 0 ? data.subspan(1) : data;
  if (pair.size() != 2) return option == 0 || data.size() == 1 ? bad_count() : bad_parameter();
  if (!is_port(pair[0]) || !is_port(pair[1])) return bad_parameter();
  search_list_ = {pair[0]};
  return {};
}

Answer AntennaSettings::get_antennas(std::span<const std::uint8_t> data) const {
  if (data.empty()) return answer_of({search_list_.front(), search_list_.front()});
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
        writer.u8(port).u8(is_there(one) ? 1 : 0);
        break;
      // Of an antenna that fits: tenths of nothing; of an open port all comes back.
      case kReturnLoss:
        writer.u8(port).u8(is_there(one) ? 20 : 0);
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
