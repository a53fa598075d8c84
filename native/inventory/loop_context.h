// What the parts of the inventory loop share. All of it outlives the loop.
#pragma once

#include <atomic>
#include <cstdint>

#include "gen2/units.h"
#include "inventory/counters.h"
#include "inventory/inputs.h"
#include "inventory/link_chooser.h"
#include "inventory/pending_access.h"
#include "inventory/recorder.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

struct LoopContext {
  radio::RadioModule& module;
  const Inputs& inputs;
  Recorder& recorder;
  Counters& counters;
  const std::atomic<bool>& stop_requested;
  const std::atomic<bool>& plan_waits;  // another plan is to be taken up
  std::uint64_t started_ns = 0;         // air time of the start of the inventory
  std::uint64_t last_round_end_ns = 0;  // 0 = no round yet
  bool measure_gap = false;             // the next round is the first after a change of the plan
  LinkChooser* links = nullptr;         // nothing: the link profile stays
  PendingAccess* pending_access = nullptr;  // nothing: there are none
};

// While nothing is sent: how often it is looked whether that is still so.
inline constexpr std::uint64_t kLookNs = 2 * kNsPerMs;

// `time` + `ms`, without running over.
inline std::uint64_t later(std::uint64_t time_ns, std::int64_t ms) {
  const auto wide = static_cast<std::uint64_t>(ms);
  if (wide >= (radio::kNoDeadline - time_ns) / kNsPerMs) return radio::kNoDeadline;
  return time_ns + wide * kNsPerMs;
}

}  // namespace singulate::inventory
