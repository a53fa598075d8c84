// A one-off access: looks for one tag and operates on it, beside or without an inventory. Its reads
// are nobody's; flags of S1 to S3 stay as they are, SL does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gen2/select.h"
#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

// TagMatch of the contract: an EPC, or a mask of a bank.
struct TagMatch {
  std::vector<std::uint8_t> epc{};  // whole; empty = the mask counts
  gen2::Bank bank = gen2::Bank::kEpc;
  std::uint32_t pointer = 0;
  gen2::SelectMask mask{};
};

// Fields are wider than their ranges, so that validate() can say what was given.
struct AccessRequest {
  TagMatch match;
  // In this order, again and again; none = all of the module, or of the running plan.
  std::vector<std::int64_t> ports{};
  // Nothing = 27 dBm, or the module's maximum. Not beside an inventory, whose plan has the powers.
  std::optional<std::int64_t> transmit_power_cdbm{};
  std::vector<radio::AccessOp> operations;  // 1..32; the last is no kAccess
  std::int64_t timeout_ms = 1000;           // 1..60000
};

// All violations on a radio with these capabilities, beside that plan if one runs.
std::vector<Violation> validate(const AccessRequest& request, const radio::Capabilities& radio,
                                const InventoryPlan* running);

struct AccessOutcome {
  enum class End : std::uint8_t {
    kDone,      // the tag was found; `results` say what came of it
    kNotFound,  // not in time
    kEnded,     // it was told to end before, or the radio stopped
    kFailed,    // `error`
  };
  End end = End::kEnded;
  radio::Error error{};
  // Of the tag as it was found.
  std::vector<std::uint8_t> epc{};
  std::uint8_t antenna = 0;
  std::int16_t rssi_cdbm = 0;
  std::vector<radio::AccessResult> results{};  // one for each operation
};

using AccessAntennas = std::vector<radio::RadioSettings::Antenna>;

// A part of an access request: one look on each antenna.
struct AccessTurn {
  std::span<const radio::RadioSettings::Antenna> antennas{};
  std::uint64_t deadline_ns = radio::kNoDeadline;
  radio::RoundWatch& search;   // while the tag is looked for
  radio::RoundWatch& operate;  // once it is found
};

// The module is set up for the antennas. Nothing: no tag that matches has answered yet.
std::optional<AccessOutcome> look_once(radio::RadioModule& module, const AccessRequest& request,
                                       const AccessTurn& turn);

// Without an inventory: sets the module up, looks for so long, and leaves it with the carrier off.
// Time is the air's, which is real time on a radio that is paced. The watches as above.
AccessOutcome run_access(radio::RadioModule& module, const AccessRequest& request,
                         std::chrono::nanoseconds time, radio::RoundWatch& search,
                         radio::RoundWatch& operate);

}  // namespace singulate::inventory
