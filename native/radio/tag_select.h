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

// Those for the EPC, and after them those of `also` for which there is room.
std::vector<gen2::Select> selects_for_tag(std::span<const std::uint8_t> epc,
                                          std::span<const gen2::Select> also,
                                          std::size_t most = SIZE_MAX);

// SL is asserted on tags whose EPC begins so, and deasserted on all others: one select. Of a longer
// one than 31 bytes the first 31 count.
gen2::Select select_for_begin(std::span<const std::uint8_t> epc);

}  // namespace singulate::radio
