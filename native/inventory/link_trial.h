// A link profile tried on the air: tags are singulated with it for a moment, and nothing is
// reported.
//
// In session S0 after a carrier that was off, so that every trial finds the same tags whatever was
// read before; the flags of S1 to S3, SL and the memory of tags stay as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radio/radio_module.h"

namespace singulate::inventory {

struct LinkTrial {
  std::uint64_t reads = 0;
  std::uint64_t time_ns = 0;          // of the air: from the first command to the last read
  std::vector<std::uint64_t> tags{};  // hashes of their EPCs, ascending, each once
  bool complete = false;              // a round came to its end: no more tags are heard

  [[nodiscard]] double reads_per_second() const {
    return time_ns == 0 ? 0 : static_cast<double>(reads) * 1e9 / static_cast<double>(time_ns);
  }
};

// The longest that a trial lasts.
inline constexpr std::uint64_t kLinkTrialNs = 60'000'000;

// With the settings that the module has. watch: may end it early.
radio::Result<LinkTrial> try_link(radio::RadioModule& module, std::uint8_t antenna,
                                  std::uint16_t beam, radio::RoundWatch& watch);

// Which of the trials went best: that with the most reads a second among those whose profile hears
// (nearly) all tags that any other one has read. `present` stays unless another is clearly better.
// With no reads at all it stays too.
std::size_t best_trial(const std::vector<LinkTrial>& trials, std::size_t present);

}  // namespace singulate::inventory
