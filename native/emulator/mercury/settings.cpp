#include "emulator/mercury/settings.h"

namespace singulate::emulator::mercury {

namespace {

namespace op = radio::mercury::op;

Answer set_mode(std::span<const std::uint8_t> data, std::uint8_t& mode) {
  constexpr std::uint8_t kLast = 4;
  if (data.size() != 1) return bad_count();
  if (data[0] > kLast) return bad_parameter();
  mode = data[0];
  return {};
}

}  // namespace

std::optional<Answer> Settings::handle(const radio::mercury::Frame& command) {
  if (auto answer = antennas_.handle(command)) return answer;
  if (auto answer = keys_.handle(command)) return answer;
  if (auto answer = region_.handle(command)) return answer;
  if (auto answer = pins_.handle(command)) return answer;
  const auto data = command.data;
  // A get without arguments.
  const auto plain = [&](std::initializer_list<unsigned> values) {
    return data.empty() ? answer_of(values) : bad_count();
  };
  switch (command.opcode) {
    case op::kSetProtocol:
      if (data.size() != 2) return bad_count();
      return value_of(data) == radio::mercury::kGen2 ? Answer{} : bad_parameter();
    case op::kGetProtocol:
    case op::kProtocols:
      return plain({0, radio::mercury::kGen2});
    case op::kTemperature:
      return plain({static_cast<std::uint8_t>(temperature_celsius)});
    case op::kSetPowerMode:
      return set_mode(data, power_mode_);
    case op::kSetUserMode:
      return set_mode(data, user_mode_);
    case op::kGetPowerMode:
      return plain({power_mode_});
    case op::kGetUserMode:
      return plain({user_mode_});
    default:
      return std::nullopt;
  }
}

}  // namespace singulate::emulator::mercury
