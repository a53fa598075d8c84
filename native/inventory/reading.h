// One period of reading under one plan: antenna cycles, visits, rounds, delays, until a stop
// condition is met.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inventory/emulated_round.h"
#include "inventory/loop_context.h"

namespace singulate::inventory {

class Reading final : public radio::RoundWatch {
 public:
  struct End {
    // "" = another plan is to be taken up.
    std::string reason;
    // The inventory is over, whatever the plan says of further periods.
    bool for_good = false;
  };

  Reading(LoopContext& context, const InventoryPlan& plan);

  // Reads until the end. afresh: a new period of reading; otherwise the one before goes on.
  End run(bool afresh);

  // While a round runs.
  bool goes_on() override;

 private:
  // What an antenna remembers between its visits.
  struct AntennaState {
    gen2::Target next_target = gen2::Target::kA;
    radio::SelectList selects{};
    InputWatch leave{};
  };

  bool cycle();
  // A visit of an antenna: rounds until its dwell is over. False: reading is over.
  bool visit(std::size_t index);
  // One round; of a module that sequences antennas itself, all it has. False: reading is over.
  bool round(const radio::RoundRequest& request);
  // After a cycle that brought nothing. False: reading is over.
  bool delay(std::uint64_t reads_before, std::uint64_t tags_before);
  // Sets end_ if reading is over.
  bool over();
  void end(std::string reason, bool for_good = false) {
    end_ = {.reason = std::move(reason), .for_good = for_good};
    ended_ = true;
  }
  [[nodiscard]] bool tags_counted() const;

  LoopContext& context_;
  const InventoryPlan& plan_;
  EmulatedRound round_;
  std::vector<AntennaState> states_;
  AntennaState* visited_ = nullptr;  // while an antenna is visited that an input may end
  InputWatch stop_;
  std::uint64_t stop_at_ns_ = radio::kNoDeadline;
  std::uint64_t rounds_ = 0;
  bool left_ = false;  // the visit was ended by its input
  bool ended_ = false;
  End end_;
};

}  // namespace singulate::inventory
