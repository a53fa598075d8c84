#include "emulator/mercury/pin_settings.h"

#include "radio/mercury/byte_writer.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteWriter;
namespace op = radio::mercury::op;

}  // namespace

std::optional<Answer> PinSettings::handle(const radio::mercury::Frame& command) {
  const auto data = command.data;
  switch (command.opcode) {
    case op::kSetOutputs:
      return set_outputs(data);
    case op::kGetInputs:
      return get_pins(data);
    default:
      return std::nullopt;
  }
}

Answer PinSettings::set_outputs(std::span<const std::uint8_t> data) {
  // A pin alone: which direction it has.
  if (data.size() == 1) {
    if (data[0] < 1 || data[0] > kPins) return bad_parameter();
    return answer_of({data[0], output_[data[0]] ? 1U : 0U});
  }
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

Answer PinSettings::get_pins(std::span<const std::uint8_t> data) const {
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

std::uint8_t PinSettings::levels() const {
  unsigned levels = 0;
  for (unsigned pin = 1; pin <= kPins; ++pin) levels |= level_[pin] ? 1U << (pin - 1U) : 0U;
  return static_cast<std::uint8_t>(levels);
}

void PinSettings::set_input(std::uint8_t pin, bool high) {
  if (pin >= 1 && pin <= kPins && !output_[pin]) level_[pin] = high;
}

}  // namespace singulate::emulator::mercury
