#include "inventory/own_cycle.h"

#include <algorithm>
#include <set>

namespace singulate::inventory {

namespace {

using Antenna = InventoryPlan::Antenna;
using radio::AccessKind;
using radio::AccessOp;

// Visits of a round: a tag that comes is met by each antenna within such a cycle, and the carrier
// still is on for most of it.
constexpr std::int64_t kShortCycleMs = 400;
constexpr std::int64_t kShortestMs = 50;
constexpr std::int64_t kShortMs = 100;
// Rounds in a visit, on average: with fewer it is too short, with more it may be shorter.
constexpr std::uint64_t kFewRounds = 2;
constexpr std::uint64_t kManyRounds = 6;
constexpr unsigned kMostFactor = 64;

bool is_unlimited(const InventoryPlan::Dwell& dwell) {
  return dwell.duration_ms == 0 && dwell.rounds == 0;
}

bool is_round(const InventoryPlan::Dwell& dwell) {
  return dwell.rounds == 1 || is_unlimited(dwell);
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

// As long as the loop's visits may last, which are cut after that; 0 = no such time.
std::int64_t limit_of(const InventoryPlan& plan, const InventoryPlan::Dwell& dwell) {
  constexpr std::int64_t kMsPerSecond = 1000;
  return is_unlimited(dwell) ? kMsPerSecond / static_cast<std::int64_t>(plan.antennas.size())
                             : dwell.duration_ms;
}

bool fits(const InventoryPlan& plan, const radio::Capabilities& radio) {
  // A module that goes on by itself is a round further than asked when it is stopped.
  if (!radio.cycles_antennas || plan.antennas.size() < 2 || plan.stop.cycles > 0) return false;
  const Antenna& first = plan.antennas.front();
  if (!done_while_reading(first.access, radio.features)) return false;
  std::set<std::int64_t> ports;
  std::int64_t whole_ms = 0;
  return std::all_of(plan.antennas.begin(), plan.antennas.end(), [&](const Antenna& antenna) {
    const InventoryPlan::Dwell& dwell = antenna.dwell;
    const std::int64_t limit = limit_of(plan, dwell);
    whole_ms += limit;
    const bool counts = dwell.rounds > 1 || dwell.input || antenna.beam != 0;
    return !counts && limit > 0 && whole_ms <= radio::kLongestCycleMs &&
           ask_the_same(first, antenna) && ports.insert(antenna.port).second;
  });
}

}  // namespace

OwnCycle::OwnCycle(const InventoryPlan& plan, const radio::Capabilities& radio) {
  if (!fits(plan, radio)) return;
  visits_are_rounds_ = true;
  const auto share = kShortCycleMs / static_cast<std::int64_t>(plan.antennas.size());
  for (const Antenna& antenna : plan.antennas) {
    const std::int64_t limit = limit_of(plan, antenna.dwell);
    const std::int64_t least =
        is_round(antenna.dwell) ? std::min(limit, std::clamp(share, kShortestMs, kShortMs)) : limit;
    visits_are_rounds_ = visits_are_rounds_ && is_round(antenna.dwell);
    visits_.push_back({.antenna = static_cast<std::uint8_t>(antenna.port)});
    limits_.push_back({.least_ms = static_cast<std::uint16_t>(least),
                       .most_ms = static_cast<std::uint16_t>(limit)});
  }
  set_times();
}

void OwnCycle::adapt(const radio::RoundResult& cycle) {
  // A module that tells no slots tells no rounds either.
  if (cycle.empty_slots + cycle.single_slots + cycle.collided_slots == 0) return;
  const std::uint64_t visits = visits_.size();
  const bool longer = cycle.rounds < kFewRounds * visits && factor_ < kMostFactor &&
                      std::any_of(limits_.begin(), limits_.end(), [this](const Limits& one) {
                        return factor_ * one.least_ms < one.most_ms;
                      });
  const bool shorter = cycle.rounds > kManyRounds * visits && factor_ > 1;
  if (longer) factor_ *= 2;
  if (shorter) factor_ /= 2;
  if (longer || shorter) set_times();
}

void OwnCycle::set_times() {
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    const unsigned time = std::min<unsigned>(limits_[i].most_ms, factor_ * limits_[i].least_ms);
    visits_[i].time_ms = static_cast<std::uint16_t>(time);
  }
}

}  // namespace singulate::inventory
