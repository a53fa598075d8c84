// A simulated field for tests: some tags below one or more antennas.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gen2/units.h"
#include "radio/radio_module.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::test {

// Sanitized builds simulate a tenth: they look for other faults than wrong figures.
#ifdef SINGULATE_SLOW_BUILD
inline constexpr bool kSlowBuild = true;
#else
inline constexpr bool kSlowBuild = false;
#endif

inline constexpr std::uint64_t kMs = kNsPerMs;
inline constexpr std::uint64_t kStart = 1'700'000'000'000'000'000;

inline radio::VirtualOptions field_of(std::size_t tags) {
  radio::VirtualOptions options;
  options.paced = false;
  options.start_ns = kStart;
  options.antennas = {
      {.port = 1, .position = {.x = 0, .y = 0, .z = 2}, .pattern = {.gain_dbi = 6}}};
  options.channels_khz = {915'250};
  radio::VirtualGroup group;
  group.waypoints = {{}};
  for (std::size_t i = 0; i < tags; ++i) {
    radio::VirtualTag tag;
    tag.epc.assign(12, 0);
    tag.epc[0] = 0x30;
    tag.epc[10] = static_cast<std::uint8_t>(i >> 8U);
    tag.epc[11] = static_cast<std::uint8_t>(i & 0xFFU);
    tag.offset = {.x = 0.01 * static_cast<double>(i % 30),
                  .y = 0.01 * std::floor(static_cast<double>(i) / 30)};
    group.tags.push_back(tag);
  }
  options.groups = {group};
  return options;
}

inline radio::RadioSettings settings(const std::string& profile = "M4-250",
                                     const std::vector<std::uint8_t>& ports = {1}) {
  radio::RadioSettings result;
  result.link_profile = profile;
  for (const std::uint8_t port : ports) {
    result.antennas.push_back({.port = port, .transmit_power_cdbm = 3000});
  }
  return result;
}

struct Kept {
  std::uint64_t time_ns;
  std::uint32_t frequency_khz;
  std::int16_t rssi_cdbm;
  std::uint16_t phase_cdeg;
  std::uint16_t crc;
  std::uint8_t antenna;
  std::vector<std::uint8_t> epc;
  std::vector<radio::AccessResult> access{};
  friend bool operator==(const Kept&, const Kept&) = default;
};

class Keeper : public radio::TagSink {
 public:
  bool on_read(const radio::TagRead& read) override {
    reads.push_back({.time_ns = read.time_ns,
                     .frequency_khz = read.frequency_khz,
                     .rssi_cdbm = read.rssi_cdbm,
                     .phase_cdeg = read.phase_cdeg,
                     .crc = read.crc,
                     .antenna = read.antenna,
                     .epc = {read.epc.begin(), read.epc.end()},
                     .access = {read.access.begin(), read.access.end()}});
    return reads.size() < limit;
  }
  std::vector<Kept> reads;
  std::size_t limit = SIZE_MAX;
};

}  // namespace singulate::test
