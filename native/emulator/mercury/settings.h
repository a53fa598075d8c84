// What a module is told by commands that need no air.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/mercury/answer.h"
#include "emulator/mercury/antenna_settings.h"
#include "emulator/mercury/key_settings.h"
#include "emulator/mercury/pin_settings.h"
#include "emulator/mercury/profile.h"
#include "emulator/mercury/region_settings.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

class Settings {
 public:
  // present: ports that have an antenna, of 1..4.
  Settings(const Profile& profile, std::vector<std::uint8_t> present,
           std::vector<std::uint32_t> channels_khz)
      : antennas_(profile, std::move(present)), keys_(profile), region_(std::move(channels_khz)) {}

  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

  [[nodiscard]] AntennaSettings& antennas() { return antennas_; }
  [[nodiscard]] const AntennaSettings& antennas() const { return antennas_; }
  [[nodiscard]] const KeySettings& keys() const { return keys_; }
  [[nodiscard]] PinSettings& pins() { return pins_; }
  [[nodiscard]] const PinSettings& pins() const { return pins_; }

  // An event of the hardware.
  std::int8_t temperature_celsius = 29;

 private:
  AntennaSettings antennas_;
  KeySettings keys_;
  RegionSettings region_;
  PinSettings pins_;
  std::uint8_t power_mode_ = 0;
  std::uint8_t user_mode_ = 0;
};

}  // namespace singulate::emulator::mercury
