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

// Off, a carrier, random bits for a time; or modulation, 0, mode, time on and time off in ms, as a
// regulatory test has them. Nothing is there to be disturbed: it is only taken.
Answer test_signal(std::span<const std::uint8_t> data) {
  constexpr std::size_t kRegulatory = 7;
  constexpr std::uint8_t kCarrier = 1;
  constexpr std::uint8_t kRandomBits = 2;
  if (data.size() == 1) return data[0] <= kCarrier ? Answer{} : bad_parameter();
  if (data.size() == 3) return data[0] == kRandomBits ? Answer{} : bad_parameter();
  return data.size() == kRegulatory ? Answer{} : bad_count();
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
    case op::kTestSignal:
      return test_signal(data);
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
