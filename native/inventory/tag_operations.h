// A list of operations on one tag, one after another, each with a search for it: after a round
// that cannot do them itself, or as an access request.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "radio/radio_module.h"

namespace singulate::inventory {

struct TagOperations {
  std::uint8_t antenna = 0;
  std::uint16_t beam = 0;
  std::span<const radio::AccessOp> operations{};
  // What else tells the tag from others with its EPC; see radio::TagAccess.
  std::span<const gen2::Select> also{};
  std::uint64_t deadline_ns = radio::kNoDeadline;
  radio::RoundWatch* watch = nullptr;  // asked before each operation too
};

// Does those that `results` does not hold yet, and adds theirs. Ends early, with fewer results,
// when the watch says so. epc: by which the tag is found first; it is followed when it is written.
// An error of the module ends it.
radio::Status do_operations(radio::RadioModule& module, const TagOperations& list,
                            std::vector<std::uint8_t> epc,
                            std::vector<radio::AccessResult>& results);

}  // namespace singulate::inventory
