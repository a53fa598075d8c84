// A simulated field: antennas, channels, groups of tags and their ways.
// Lengths in metres, times in seconds unless the name says otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radio/options_fault.h"

namespace singulate::radio {

struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
};

struct VirtualAntenna {
  std::uint8_t port = 0;  // 1..255, no port twice
  Point position{};
  double gain_dbi = 6;
};

struct Waypoint {
  double seconds = 0;  // on the group's own clock
  Point position{};
};

struct VirtualTag {
  std::vector<std::uint8_t> epc;  // whole words, 0..62 bytes
  Point offset{};                 // from the position of the group
  double sensitivity_dbm = -18;   // the power that it needs to answer
};

struct VirtualGroup {
  // One: always there. More: there from the first time to the last, on straight lines.
  std::vector<Waypoint> waypoints;
  double period_seconds = 0;  // the way is taken again after this time; 0 = once
  double offset_seconds = 0;  // field time at which the group's own clock is 0 first
  std::vector<VirtualTag> tags;
};

struct VirtualOptions {
  bool paced = true;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> start_ns;  // time of the first start; none: the wall clock
  std::vector<VirtualAntenna> antennas;
  std::vector<std::uint32_t> channels_khz;  // used in this order, endlessly
  std::uint32_t channel_dwell_ms = 400;     // of no meaning with one channel
  std::vector<VirtualGroup> groups;
  double polarisation_loss_db = 3;
  double tag_gain_dbi = 2;
  double modulation_loss_db = 6;
};

// Every fault; of tags the first few only. Field names as in the JavaScript options.
std::vector<OptionsFault> check_virtual_options(const VirtualOptions& options);

}  // namespace singulate::radio
