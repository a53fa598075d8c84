// What the radio shall do: the native side of InventoryPlan in
// proto/singulate/radio/v1/radio.proto, without the report filter. Expanded per antenna.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gen2/select.h"
#include "radio/access_op.h"
#include "radio/capabilities.h"

namespace singulate::inventory {

// The level of a general purpose input that something waits for.
struct InputLevel {
  std::int64_t port = 0;  // 1..kMaxInputs
  bool high = false;
  std::int64_t debounce_ms = 0;  // 0..60000: counts once it has been there for so long
};

enum class CycleDelay : std::uint8_t {
  kNone = 0,
  kNoTags = 1,        // after a cycle without any read
  kNoUniqueTags = 2,  // after a cycle in which no tag was read for the first time
};

// Fields are wider than their ranges, so that validate() can say what was given.
struct InventoryPlan {
  struct Query {
    static constexpr std::int64_t kBothTargets = 2;
    std::int64_t session = 0;         // 0..3
    std::int64_t target = 0;          // 0 A, 1 B, 2 A and B in turns
    std::int64_t tag_population = 1;  // 0..65535; 0 = unknown
    std::int64_t select_filter = 0;   // 0 all, 2 not SL, 3 SL: as on the air

    friend bool operator==(const Query&, const Query&) = default;
  };
  struct Dwell {
    std::int64_t duration_ms = 0;  // 0..86400000; 0 = no limit
    std::int64_t rounds = 0;       // 0..65535; 0 = no limit
    // Until it comes to this level; a level that is there already ends it after 1/N seconds.
    std::optional<InputLevel> input{};
  };
  struct Antenna {
    std::int64_t port = 0;                 // one of the capabilities' antennas
    std::int64_t beam = 0;                 // of an array antenna, from 1; 0 = as a whole
    std::int64_t transmit_power_cdbm = 0;  // within the capabilities' range
    Query query{};
    Dwell dwell{};
    std::vector<gen2::Select> selects{};  // at most kMaxSelects
    // At most kMaxAccess. Those from memory_from on, memory_count of them, are reads of banks that
    // the report carries; they are no operations of the user.
    std::vector<radio::AccessOp> access{};
    std::int64_t memory_from = 0;
    std::int64_t memory_count = 0;
  };
  // What reading waits for after the start of the inventory. Inputs and a time may not be mixed.
  struct Start {
    std::vector<InputLevel> inputs{};  // any of them; a level that is there already counts
    std::uint64_t at_ns = 0;           // Unix time; 0 = at once
    std::int64_t every_ms = 0;         // then again after so long, 0..86400000000; 0 = once
    // With inputs: reading that has ended waits for them again. A level must have gone before it
    // counts again.
    bool restart = false;

    [[nodiscard]] bool waits() const { return !inputs.empty() || at_ns > 0 || every_ms > 0; }
    [[nodiscard]] bool restarts() const { return restart || every_ms > 0; }
  };
  // What ends reading: the first that is met.
  struct Stop {
    std::int64_t duration_ms = 0;     // air time, from 0; 0 = none
    std::int64_t cycles = 0;          // whole antenna cycles, 0..4294967295; 0 = none
    std::int64_t tag_count = 0;       // different tags, 0..1000000; 0 = none
    std::int64_t no_new_tags_ms = 0;  // since the last tag read for the first time; 0 = none
    std::vector<InputLevel> inputs{};
  };

  std::vector<Antenna> antennas;  // 1..kMaxVisits, in the order of the cycle
  std::string link_profile;       // empty = the first of the capabilities
  // More than one: the loop chooses among them and link_profile by what comes of them on the air,
  // beginning with link_profile. At most kMaxLinkCandidates.
  std::vector<std::string> link_profile_candidates{};
  std::int64_t delay_after_selects_us = 0;      // 0..65000; 0 = as short as the standard allows
  std::optional<std::int64_t> min_rssi_cdbm{};  // -12000..0; weaker tags are not inventoried
  CycleDelay cycle_delay = CycleDelay::kNone;
  std::int64_t cycle_delay_ms = 0;  // 0..60000
  Start start;
  Stop stop;
};

inline constexpr std::int64_t kMaxVisits = 512;
inline constexpr std::int64_t kMaxInputs = 16;
inline constexpr std::size_t kMaxSelects = 32;
inline constexpr std::size_t kMaxLinkCandidates = 16;
inline constexpr std::size_t kMaxAccess = 48;

struct Violation {
  std::string field;    // path as the contract spells it: "antennas[1].transmit_power_cdbm"
  std::string message;  // what was given and what is allowed
};

// All violations of the plan on a radio with these capabilities; none = it can run.
std::vector<Violation> validate(const InventoryPlan& plan, const radio::Capabilities& radio);

}  // namespace singulate::inventory
