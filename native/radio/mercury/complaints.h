// What a module complains of, as one line that stays as it is while the reason does.
#pragma once

#include <cstdint>
#include <string>

#include "gen2/units.h"
#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

class Complaints {
 public:
  // Status of a complaint; 0 = a round without one.
  void take(std::uint16_t status, std::uint64_t now_ns) {
    if (status != 0) {
      status_ = status;
      last_ns_ = now_ns;
    } else if (now_ns - last_ns_ > kHoldsNs) {
      status_ = 0;
    }
  }
  // ports: of antennas that are missing, which is what kNoAntenna means then.
  [[nodiscard]] std::string text(const std::string& ports) const {
    if (status_ == 0 || (status_ == status::kNoAntenna && !ports.empty())) return ports;
    const std::string own(status_text(status_));
    return ports.empty() ? own : own + "; " + ports;
  }

 private:
  // A module complains with some of its reports, not with each.
  static constexpr std::uint64_t kHoldsNs = 3'000 * kNsPerMs;

  std::uint16_t status_ = 0;
  std::uint64_t last_ns_ = 0;
};

}  // namespace singulate::radio::mercury
