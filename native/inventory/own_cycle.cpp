#include "inventory/own_cycle.h"

#include <algorithm>
#include <set>

namespace singulate::inventory {

namespace {

using Antenna = InventoryPlan::Antenna;
using radio::AccessKind;
using radio::AccessOp;

bool is_unlimited(const InventoryPlan::Dwell& dwell) {
  return dwell.duration_ms == 0 && dwell.rounds == 0;
}

// What a module is told once for all antennas of its list.
bool ask_the_same(const Antenna& one, const Antenna& other) {
  return one.query == other.query && one.selects == other.selects && one.access == other.access;
}

// Nothing is left that needs a stop after each round, and nothing is written more often than a tag
// is reported by a loop that counts its rounds.
bool done_while_reading(const std::vector<AccessOp>& access, const radio::Features& features) {
  return access.size() <= features.access_in_round &&
         std::all_of(access.begin(), access.end(),
                     [](const AccessOp& one) { return one.kind == AccessKind::kRead; });
}

// As long as the loop's visits may last, which are cut after that.
std::int64_t time_of(const InventoryPlan& plan, const InventoryPlan::Dwell& dwell) {
  constexpr std::int64_t kMsPerSecond = 1000;
  return is_unlimited(dwell) ? kMsPerSecond / static_cast<std::int64_t>(plan.antennas.size())
                             : dwell.duration_ms;
}

}  // namespace

bool visits_are_rounds(const InventoryPlan& plan) {
  return std::all_of(plan.antennas.begin(), plan.antennas.end(), [](const Antenna& antenna) {
    return antenna.dwell.rounds == 1 || is_unlimited(antenna.dwell);
  });
}

std::vector<radio::TimedVisit> own_cycle(const InventoryPlan& plan,
                                         const radio::Capabilities& radio) {
  // A module that goes on by itself is a round further than asked when it is stopped.
  if (!radio.cycles_antennas || plan.antennas.size() < 2 || plan.stop.cycles > 0) return {};
  const Antenna& first = plan.antennas.front();
  if (!done_while_reading(first.access, radio.features)) return {};
  std::vector<radio::TimedVisit> visits;
  std::set<std::int64_t> ports;
  std::int64_t whole_ms = 0;
  for (const Antenna& antenna : plan.antennas) {
    const InventoryPlan::Dwell& dwell = antenna.dwell;
    const std::int64_t time = time_of(plan, dwell);
    whole_ms += time;
    const bool counts = dwell.rounds > 1 || dwell.input || antenna.beam != 0;
    const bool fits = time > 0 && whole_ms <= radio::kLongestCycleMs;
    if (counts || !fits || !ask_the_same(first, antenna) || !ports.insert(antenna.port).second) {
      return {};
    }
    visits.push_back({.antenna = static_cast<std::uint8_t>(antenna.port),
                      .time_ms = static_cast<std::uint16_t>(time)});
  }
  return visits;
}

}  // namespace singulate::inventory
