// The regions of the protocol that the reader has a name for.
#pragma once

#include <cstdint>
#include <string_view>

namespace singulate::radio::mercury {

// "" = none.
std::string_view region_name(std::uint8_t number);

}  // namespace singulate::radio::mercury
