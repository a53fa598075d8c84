// Chooses the link profile of a plan that leaves it open, by what comes of each on the air: as soon
// as there are tags, or after a second without any, and again from time to time.
//
// A check tries every candidate for a moment (link_trial.h) and takes the best. It costs at most
// 60 ms for each candidate; between two of them lie 5 seconds and 32 times what the last one took,
// so that they take at most 3 % of the time. Where nothing is read, noise may be why: the antennas
// are then tried in turns.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "inventory/counters.h"
#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

class LinkChooser {
 public:
  explicit LinkChooser(Counters& counters) : counters_(counters) {}

  // What was chosen is kept if the new plan has it among its candidates.
  void begin_plan(const InventoryPlan& plan, const radio::Capabilities& radio);
  // The profile that is in force. Any thread.
  [[nodiscard]] std::string profile() const;

  // A round on that antenna of the plan has brought so many reads. True: a check is due, here.
  // `left_ns`: until reading ends.
  bool due(std::size_t antenna, std::uint64_t reads, std::uint64_t now_ns, std::uint64_t left_ns);
  // Tries all candidates on that antenna of the plan, and leaves the module with the best.
  // watch: false ends it; the profile then stays as it is.
  radio::Status check(radio::RadioModule& module, const InventoryPlan& plan, std::size_t antenna,
                      radio::RoundWatch& watch);

 private:
  radio::Status use(radio::RadioModule& module, const InventoryPlan& plan, std::size_t candidate);

  Counters& counters_;
  std::vector<std::string> candidates_;  // fewer than two: nothing is chosen
  std::size_t present_ = 0;
  std::uint64_t next_ns_ = 0;         // of the next check; 0 = reading has not begun
  bool checked_ = false;              // at least once under this plan
  std::vector<std::uint64_t> reads_;  // by antenna of the plan, since the last check
  std::size_t silent_turn_ = 0;       // the antenna that is tried next if nothing is read
  mutable std::mutex mutex_;
  std::string profile_;
};

}  // namespace singulate::inventory
