// What a module sends by itself while it reads continuously: frames of op 22.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "radio/mercury/frame.h"
#include "radio/mercury/tag_record.h"

namespace singulate::radio::mercury {

// Slots of one inventory round.
struct RoundSummary {
  std::uint16_t slots = 0;
  std::uint16_t empty = 0;
  std::uint16_t single = 0;
  std::uint16_t collided = 0;
};

// Statistics that were asked for; what is left out did not come.
struct Statistics {
  std::optional<std::int8_t> temperature_celsius{};
};

// An on-cycle is over, or nothing was read for a while.
struct CycleEnd {
  // Length of the cycle; nothing in the old form of the frame.
  std::optional<std::uint32_t> elapsed_ms{};
};

// Reading goes on, or has ended: the status tells.
struct Fault {
  std::uint16_t status = 0;
};

// A frame of op 22 that means nothing here.
struct Unreadable {};

using Report = std::variant<TagRecord, RoundSummary, Statistics, CycleEnd, Fault, Unreadable>;

// frame.opcode must be that of a search.
Report read_report(const Frame& frame, AntennaForm form);

}  // namespace singulate::radio::mercury
