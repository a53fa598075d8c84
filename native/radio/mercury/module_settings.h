// What a module is told before it reads, what it has of that already, and what it tells of itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "radio/capabilities.h"
#include "radio/mercury/antenna_ports.h"
#include "radio/mercury/connection.h"
#include "radio/mercury/family.h"
#include "radio/mercury/mercury_options.h"
#include "radio/radio_module.h"
#include "radio/result.h"

namespace singulate::radio::mercury {

// As Capabilities.module.
inline constexpr const char* kModuleKind = "mercury";

// Parameters of Gen2, by their numbers in the protocol.
enum class Gen2Key : std::uint8_t {
  kSession = 0x00,
  kTarget = 0x01,
  kMiller = 0x02,
  kBlf = 0x10,
  kTari = 0x11,
  kT4 = 0x15,
  kInitialQ = 0x16,
  kRfMode = 0x18,
};

// Of kT4, microseconds.
inline constexpr std::uint32_t kShortestT4Us = 64;

// Errors are kModule if the module does not answer, and otherwise its status.
class ModuleSettings {
 public:
  // Both are borrowed.
  ModuleSettings(Connection& connection, const MercuryOptions& options)
      : connection_(connection), options_(options), region_number_(options.region) {}

  // Powers, antennas and link profiles of a module of this family.
  [[nodiscard]] Result<Capabilities> read_capabilities(const Family& family) const;
  // Ports as the module tells them, and whether it finds an antenna there now.
  [[nodiscard]] Result<std::vector<PortState>> ports() const;
  // What holds whatever is read: protocol, filter, region. The module knows nothing more than that.
  Status prepare();
  // What a mode asks for, by the next apply().
  void want(const RadioSettings& settings);
  // Powers and link profile, if the module does not have them already.
  Status apply(const Family& family);
  // Sends a parameter of Gen2 if the module does not have the value already.
  Status set_gen2(Gen2Key key, std::vector<std::uint8_t> value);
  // Ports of the mode that was asked for last.
  [[nodiscard]] std::vector<std::uint8_t> used_ports() const;
  // The list of antennas of a stream. A single one without a time is read for all of each on-cycle.
  Status set_antennas(const Family& family, std::span<const TimedVisit> visits);
  // The antenna of commands for one tag, which do not go through the list.
  Status set_antenna(const Family& family, std::uint8_t port);
  // kModule if it has lost its power, and all that it was told, and nobody heard of it.
  [[nodiscard]] Status check_unforgotten() const;

  // As the module told it last.
  [[nodiscard]] const RegionState& region() const { return region_; }
  // Number of the protocol, and channels (none: the module's) for the next send_region().
  void want_region(std::uint8_t number, const std::vector<std::uint32_t>& channels_khz);
  [[nodiscard]] std::uint8_t wanted_region() const { return region_number_; }
  [[nodiscard]] const std::vector<std::uint32_t>& wanted_channels() const { return channels_khz_; }
  Status send_region();
  // Modules that do not tell leave it open.
  Status read_region();

 private:
  Status set_link(const Family& family);
  Status set_times(const Family& family, std::span<const TimedVisit> visits);

  Connection& connection_;
  const MercuryOptions& options_;
  RadioSettings settings_;
  bool settings_sent_ = false;
  std::map<Gen2Key, std::vector<std::uint8_t>> gen2_;  // as the module has it
  std::map<std::uint8_t, std::uint16_t>
      times_ms_;  // that were set for ports; it may have lost them
  RegionState region_;
  std::uint8_t region_number_ = 0;  // 0 = as the module has it
  std::vector<std::uint32_t> channels_khz_;
};

}  // namespace singulate::radio::mercury
