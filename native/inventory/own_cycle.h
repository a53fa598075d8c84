// Antenna cycles that a module goes through by itself, without being led from antenna to antenna.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

class OwnCycle {
 public:
  // Of a plan that needs more than a list of antennas with their times, or on a module that does
  // not take one, it is empty: the loop makes the visits.
  OwnCycle(const InventoryPlan& plan, const radio::Capabilities& radio);

  [[nodiscard]] bool empty() const { return visits_.empty(); }
  // The next cycle. A visit of as long as the plan says lasts as long. One that ends after a round
  // is a short time for many of them, or, if rounds take longer, as much as the plan gives the one.
  [[nodiscard]] std::span<const radio::TimedVisit> visits() const { return visits_; }
  // All visits end after a round, if not before.
  [[nodiscard]] bool visits_are_rounds() const { return visits_are_rounds_; }

  // After a whole cycle: the times of the next one.
  void adapt(const radio::RoundResult& cycle);

 private:
  struct Limits {
    std::uint16_t least_ms = 0;
    std::uint16_t most_ms = 0;
  };
  void set_times();

  std::vector<radio::TimedVisit> visits_;
  std::vector<Limits> limits_;  // of each visit
  bool visits_are_rounds_ = false;
  unsigned factor_ = 1;  // of the least times
};

}  // namespace singulate::inventory
