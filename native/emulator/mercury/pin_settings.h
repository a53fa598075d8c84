// Pins of a module (op 96, 66).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "emulator/mercury/answer.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

class PinSettings {
 public:
  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

  // Which pins are high: a bit each, from the lowest.
  [[nodiscard]] std::uint8_t levels() const;

  // An event of the hardware.
  void set_input(std::uint8_t pin, bool high);

 private:
  Answer set_outputs(std::span<const std::uint8_t> data);
  [[nodiscard]] Answer get_pins(std::span<const std::uint8_t> data) const;

  static constexpr unsigned kPins = 4;

  std::array<bool, kPins + 1> output_{};  // is the pin an output
  std::array<bool, kPins + 1> level_{};
};

}  // namespace singulate::emulator::mercury
