// One period of reading under one plan: antenna cycles, visits, rounds, delays, until a stop
// condition is met.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inventory/emulated_round.h"
#include "inventory/loop_context.h"
#include "inventory/own_cycle.h"

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
  // Watches a round as goes_on() does; one that has gone on for long makes way for an access
  // request.
  class Cut;
  // Ends what is done beside reading: an access request's look for its tag, trials of link
  // profiles.
  class AccessSearch;

  // What an antenna remembers between its visits.
  struct AntennaState {
    gen2::Target next_target = gen2::Target::kA;
    radio::SelectList selects{};
    InputWatch leave{};  // the level that ends a visit: it must come during the visit
    InputWatch held{};   // the same level, if it is there from the beginning on
  };

  bool cycle();
  // A cycle that the module goes through by itself. False: reading is over.
  bool cycle_of_module();
  // A visit of an antenna: rounds until its dwell is over. False: reading is over.
  bool visit(std::size_t index);
  // The input that ends the visit says so now.
  bool leaves();
  // The first round of a visit, and how long it may last.
  radio::RoundRequest request_for(const InventoryPlan::Antenna& antenna, AntennaState& state);
  // One round; of a module that sequences antennas itself, all it has. False: reading is over.
  bool round(const radio::RoundRequest& request);
  // After a cycle that brought nothing. False: reading is over.
  bool delay(std::uint64_t reads_before, std::uint64_t tags_before);
  // An access request that waits has its turn. Returns the air time that it took, none for nothing.
  std::uint64_t serve_access();
  // The link profiles are tried if that is due after a round with so many reads. Returns the air
  // time that it took.
  std::uint64_t choose_link(std::size_t antenna, std::uint64_t reads);
  bool makes_way();
  // Without the conditions that only count while tags are read.
  [[nodiscard]] bool stop_has_come();
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
  OwnCycle own_cycle_;
  std::vector<AntennaState> states_;
  AntennaState* visited_ = nullptr;  // while an antenna is visited that an input may end
  std::uint64_t held_until_ns_ = 0;  // how long a level that is there already leaves it its turn
  InputWatch stop_;
  std::uint64_t stop_at_ns_ = radio::kNoDeadline;
  std::uint64_t rounds_ = 0;
  bool left_ = false;                  // the visit was ended by its input
  bool no_antenna_ = false;            // the port of the visit has none
  bool cut_ = false;                   // the round was ended for an access request
  std::uint64_t access_since_ns_ = 0;  // when a round saw first that one waits; 0 = none
  bool carrier_moved_ = false;         // an access request has been on the air since the last round
  bool ended_ = false;
  End end_;
};

}  // namespace singulate::inventory
