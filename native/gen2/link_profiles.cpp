// The link profiles as data. Tari and PIE: reference section 10.2; M8-170: 9.1.
// Sensitivities: section 10.7, of the mode with the same coding and BLF. Where the
// table has no such mode it is the nearest of the same coding, moved by
// 10 log10 of the ratio of the BLFs (noise bandwidth) and rounded to 0.5 dB:
// FM0-640 from FM0 426, M2-640 from M2 426, M4-640 from M4 320, M4-274 from
// M4 250, M8-170 from M8 160.
#include "gen2/link_profile.h"

#include <array>

namespace singulate::gen2 {

namespace {

constexpr auto kRatio = DivideRatio::k64Over3;

// clang-format off
constexpr std::array kProfiles = {
    //          name       coding             BLF kHz Tari us PIE  DR      TRext  dBm
    LinkProfile{"M4-250",  Coding::kMiller4,  250.0,  25.0,   2.0, kRatio, false, -91.0},
    LinkProfile{"FM0-640", Coding::kFm0,      640.0,  6.25,   1.5, kRatio, false, -82.0},
    LinkProfile{"M2-640",  Coding::kMiller2,  640.0,  6.25,   1.5, kRatio, false, -84.5},
    LinkProfile{"M2-320",  Coding::kMiller2,  320.0,  12.5,   2.0, kRatio, false, -86.5},
    LinkProfile{"M4-640",  Coding::kMiller4,  640.0,  7.14,   1.5, kRatio, false, -87.5},
    LinkProfile{"M4-320",  Coding::kMiller4,  320.0,  12.5,   2.0, kRatio, false, -90.5},
    LinkProfile{"M4-274",  Coding::kMiller4,  274.0,  20.0,   2.0, kRatio, false, -90.5},
    LinkProfile{"M8-320",  Coding::kMiller8,  320.0,  20.0,   2.0, kRatio, false, -92.0},
    LinkProfile{"M8-170",  Coding::kMiller8,  170.6,  20.0,   2.0, kRatio, false, -97.5},
    LinkProfile{"M8-160",  Coding::kMiller8,  160.0,  20.0,   2.0, kRatio, false, -98.0},
};
// clang-format on

}  // namespace

std::span<const LinkProfile> link_profiles() { return kProfiles; }

const LinkProfile* find_link_profile(std::string_view name) {
  for (const LinkProfile& profile : kProfiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

}  // namespace singulate::gen2
