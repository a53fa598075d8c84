// Selects that one tag alone matches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gen2/select.h"

namespace singulate::radio {

// SL is asserted on tags with this EPC, whole and of this length, and deasserted on all others. Two
// selects for an EPC up to 31 bytes, three for a longer one.
std::vector<gen2::Select> selects_for_epc(std::span<const std::uint8_t> epc);

}  // namespace singulate::radio
