// What a radio module can do. Fixed between open() and close().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radio/features.h"

namespace singulate::radio {

// A module that reads nothing for so long is silent all the while: a longer cycle would hide one
// that is lost.
inline constexpr std::uint32_t kLongestCycleMs = 4'000;

struct Capabilities {
  std::string module;                  // kind: "virtual", "replay", the name of a driver
  std::string model;                   // for people
  std::string firmware;                // version of the module's own firmware
  std::vector<std::uint8_t> antennas;  // ports, ascending, 1..255
  std::vector<std::uint16_t> beams{};  // of each antenna: beams 1..n can be chosen; 0 = no array
  std::int32_t min_transmit_power_cdbm = 0;
  std::int32_t max_transmit_power_cdbm = 0;
  std::vector<std::string> link_profiles;  // names; the first is the default
  // True: rounds take real time, reads cannot wait. False: the module runs as
  // fast as it can and waits for room.
  bool paced = true;
  // True: the module goes through the antennas by itself (a recording does, a
  // module that streams would). run_round then runs all antennas of the settings.
  bool sequences_antennas = false;
  // True: run_round takes RoundRequest::cycle, of at most kLongestCycleMs in all.
  bool cycles_antennas = false;
  // What becomes of the features of a plan.
  Features features = feature_tables().front();
  bool has_temperature = false;
  bool has_antenna_sense = false;

  [[nodiscard]] bool has_selects() const { return features.has(Feature::kSelects); }
  [[nodiscard]] bool has_access() const { return features.has(Feature::kAccess); }
  [[nodiscard]] bool has_rssi_limit() const { return features.has(Feature::kRssiLimit); }
};

}  // namespace singulate::radio
