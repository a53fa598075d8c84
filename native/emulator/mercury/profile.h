// What distinguishes the modules that speak the Mercury protocol.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "radio/mercury/codes.h"
#include "radio/mercury/tag_record.h"

namespace singulate::emulator::mercury {

inline constexpr std::uint16_t kAllStatistics =
    radio::mercury::statistic::kRfOnTime | radio::mercury::statistic::kFrequency |
    radio::mercury::statistic::kTemperature | radio::mercury::statistic::kAntenna |
    radio::mercury::statistic::kProtocol | radio::mercury::statistic::kConnected;

struct Profile {
  std::string_view name;   // "m7e"
  std::string_view model;  // for people
  std::array<std::uint8_t, 4> hardware{};
  radio::mercury::AntennaForm antenna_form = radio::mercury::AntennaForm::kPlain;
  // Fields that its records can have.
  std::uint16_t metadata = 0;
  // Statistics that it counts.
  std::uint16_t statistics = kAllStatistics;
  // Link settings as one RF mode; otherwise as Miller, BLF and Tari.
  bool rf_modes = false;
  bool multi_select = true;  // the 88 form
  bool starts_in_bootloader = false;
  bool asynchronous = false;  // the Silion opcode for continuous reading
  std::int16_t min_power_cdbm = 0;
  std::int16_t max_power_cdbm = 0;
  std::uint16_t buffer_records = 0;
  std::uint8_t embedded_bytes = 0;  // most data of an embedded read
  // From RF off to full power: the M6e user guide's figure, taken for the others as well, of which
  // none is published.
  std::chrono::milliseconds ramp{20};

  // Of the fields that were asked for, those that it has.
  [[nodiscard]] std::uint16_t metadata_for(std::uint16_t asked) const {
    return static_cast<std::uint16_t>(asked & metadata);
  }
};

// All of them; the first is the default.
std::span<const Profile> profiles();
// nullptr if there is none of that name.
const Profile* find_profile(std::string_view name);

}  // namespace singulate::emulator::mercury
