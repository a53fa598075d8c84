// What a running stream was started for: another round that asks for the same goes on with it.
#pragma once

#include <cstdint>
#include <vector>

#include "gen2/session.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

// Which tags the rounds of a stream ask for; its value of the Gen2 parameter.
enum class Targets : std::uint16_t { kA = 0x0100, kB = 0x0101, kBoth = 0x0000 };

struct StreamKey {
  // Ports in their order; a single one may have no time.
  std::vector<TimedVisit> visits{};
  gen2::Session session{};
  Targets targets = Targets::kA;
  std::uint16_t tag_population = 0;
  std::vector<std::uint8_t> search{};  // its bytes
  std::uint32_t delay_us = 0;

  friend bool operator==(const StreamKey&, const StreamKey&) = default;
};

}  // namespace singulate::radio::mercury
