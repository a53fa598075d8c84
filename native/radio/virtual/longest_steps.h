// The longest that a step of a round can take on the air: what is asked before it is begun, so
// that the limits of a channel are kept.
#pragma once

#include <cstddef>
#include <span>

#include "gen2/any_command.h"
#include "radio/access_op.h"
#include "radio/radio_module.h"
#include "radio/virtual/slot_times.h"

namespace singulate::radio {

// The opening of a frame, a slot with one ACK, and the end of the round after it.
gen2::Picoseconds longest_slot(const SlotTimes& times, std::size_t epc_bytes);

// The Selects of a round with the delay after them.
gen2::Picoseconds longest_selects(const gen2::LinkTiming& link, const SelectList& selects);

// Another ACK and its reply.
gen2::Picoseconds longest_ack(const SlotTimes& times, std::size_t epc_bytes);

// A command to a singulated tag and its reply, of memory banks with at most so many words.
gen2::Picoseconds longest_exchange(const gen2::LinkTiming& link, const gen2::AnyCommand& command,
                                   std::size_t bank_words);

// All operations on a tag without repetitions.
gen2::Picoseconds longest_access(const gen2::LinkTiming& link, std::span<const AccessOp> operations,
                                 std::size_t bank_words);

}  // namespace singulate::radio
