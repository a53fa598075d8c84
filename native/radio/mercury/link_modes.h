// Link settings of the modules, by the names of our link profiles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace singulate::radio::mercury {

inline constexpr std::string_view kDefaultLinkProfile = "M4-250";

// The M7e takes a link profile as one number.
struct RfMode {
  std::uint16_t number;
  std::string_view profile;
};
std::span<const RfMode> rf_modes();
// The profile of a mode; nothing: the module does not know the number.
std::optional<std::string_view> find_rf_mode(std::uint16_t number);

// Others take it in three values, as they stand in the Gen2 parameters 02, 10 and 11.
struct LinkValues {
  std::string_view profile;
  std::uint8_t miller;  // 0 FM0, 1..3 Miller 2, 4, 8
  std::uint8_t blf;     // 0 250 kHz, 2 320 kHz, 4 640 kHz
  std::uint8_t tari;    // 0 25 us, 1 12.5 us, 2 6.25 us
};
std::span<const LinkValues> link_values();
// The profile that comes nearest to what a module was told.
std::string_view link_profile_of(std::uint8_t miller, std::uint8_t blf);

}  // namespace singulate::radio::mercury
