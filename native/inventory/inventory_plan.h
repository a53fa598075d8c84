// What the radio shall do: the native side of InventoryPlan in
// proto/singulate/radio/v1/radio.proto, without the report filter. Expanded per antenna.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radio/capabilities.h"

namespace singulate::inventory {

// Fields are wider than their ranges, so that validate() can say what was given.
struct InventoryPlan {
  struct Query {
    std::int64_t session = 0;         // 0..3
    std::int64_t target = 0;          // 0 A, 1 B, 2 A and B in turns
    std::int64_t tag_population = 1;  // 0..65535; 0 = unknown
  };
  struct Dwell {
    std::int64_t duration_ms = 0;  // 0..86400000; 0 = no limit
    std::int64_t rounds = 0;       // 0..65535; 0 = no limit
  };
  struct Antenna {
    std::int64_t port = 0;                 // one of the capabilities' antennas, no port twice
    std::int64_t transmit_power_cdbm = 0;  // within the capabilities' range
    Query query{};
    Dwell dwell{};
  };
  struct Stop {
    std::int64_t duration_ms = 0;  // air time, from 0; 0 = none
    std::int64_t cycles = 0;       // whole antenna cycles, 0..4294967295; 0 = none
  };

  std::vector<Antenna> antennas;  // 1..255, in the order of the cycle
  std::string link_profile;       // empty = the first of the capabilities
  Stop stop;
};

struct Violation {
  std::string field;    // path as the contract spells it: "antennas[1].transmit_power_cdbm"
  std::string message;  // what was given and what is allowed
};

// All violations of the plan on a radio with these capabilities; none = it can run.
std::vector<Violation> validate(const InventoryPlan& plan, const radio::Capabilities& radio);

}  // namespace singulate::inventory
