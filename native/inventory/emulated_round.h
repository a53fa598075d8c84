// A round as the plan wants it, on a module that can do less: what it lacks is done here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inventory/recorder.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

class EmulatedRound {
 public:
  EmulatedRound(radio::RadioModule& module, Recorder& recorder)
      : module_(module), recorder_(recorder) {}

  // cut: may end the round itself before the watch of the request does, but not what is done after
  // it on the tags that it has read.
  radio::Result<radio::RoundResult> run(const radio::RoundRequest& request,
                                        radio::RoundWatch* cut = nullptr);

 private:
  // A read that waits for the rest of its operations.
  struct Held {
    radio::TagRead read;  // its spans are those below
    std::vector<std::uint8_t> epc;
    std::vector<radio::AccessResult> results;
  };
  class Filter;
  class Holder;

  // How many operations of the list, from its begin, the round itself can do.
  [[nodiscard]] std::size_t in_round(std::span<const radio::AccessOp> access) const;
  radio::Result<radio::RoundResult> run_with_rest(const radio::RoundRequest& request,
                                                  const radio::RoundRequest& round);

  radio::RadioModule& module_;
  Recorder& recorder_;
};

}  // namespace singulate::inventory
