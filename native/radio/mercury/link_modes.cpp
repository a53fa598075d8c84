#include "radio/mercury/link_modes.h"

#include <algorithm>
#include <array>

namespace singulate::radio::mercury {

namespace {

constexpr std::array kModes{
    RfMode{244, "M4-250"}, RfMode{302, "FM0-640"},    RfMode{104, "FM0-320"}, RfMode{323, "M2-640"},
    RfMode{222, "M2-320"}, RfMode{223, "M2-320-T20"}, RfMode{344, "M4-640"},  RfMode{345, "M4-640"},
    RfMode{241, "M4-320"}, RfMode{189, "M8-640"},     RfMode{180, "M8-320"},  RfMode{285, "M8-160"},
};

constexpr std::array kValues{
    LinkValues{"M4-250", 2, 0, 0}, LinkValues{"FM0-640", 0, 4, 2}, LinkValues{"FM0-320", 0, 2, 1},
    LinkValues{"M2-250", 1, 0, 0}, LinkValues{"M2-320", 1, 2, 1},  LinkValues{"M2-640", 1, 4, 2},
    LinkValues{"M4-320", 2, 2, 1}, LinkValues{"M4-640", 2, 4, 2},  LinkValues{"M8-320", 3, 2, 1},
    LinkValues{"M8-640", 3, 4, 1},
};

}  // namespace

std::span<const RfMode> rf_modes() { return kModes; }

std::optional<std::string_view> find_rf_mode(std::uint16_t number) {
  const auto* const found = std::find_if(kModes.begin(), kModes.end(),
                                         [&](const RfMode& mode) { return mode.number == number; });
  if (found == kModes.end()) return std::nullopt;
  return found->profile;
}

std::span<const LinkValues> link_values() { return kValues; }

std::string_view link_profile_of(std::uint8_t miller, std::uint8_t blf) {
  for (const LinkValues& values : kValues) {
    if (values.miller == miller && values.blf == blf) return values.profile;
  }
  for (const LinkValues& values : kValues) {
    if (values.miller == miller) return values.profile;
  }
  return kDefaultLinkProfile;
}

}  // namespace singulate::radio::mercury
