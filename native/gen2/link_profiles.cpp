// The link profiles as data.
//
// Tari, PIE, DR: reference section 10.2 for its fifteen rows; M8-170: 9.1; the rest: 10.7.
// Modulation: section 9.1 where a mode of that table is the profile. The others are inferred:
// PR-ASK for the fast ones, DSB-ASK for those of the dense modes' Tari of 20 us and more.
// Sensitivities: section 10.7, of the mode with the same coding, BLF and Tari (the nearest Tari
// if there are several). Where the table has no such mode it is the nearest of the same coding,
// moved by 10 log10 of the ratio of the BLFs (noise bandwidth) and rounded to 0.5 dB: FM0-640,
// FM0-320 and FM0-160 from FM0-426, FM0-40 from FM0-50, M2-640 from M2-426, M2-250 from M2-320,
// M4-640 from M4-320, M4-274 and M4-300 from M4-250, M8-170 from M8-160.
#include "gen2/link_profile.h"

#include <array>

namespace singulate::gen2 {

namespace {

constexpr auto kR = DivideRatio::k64Over3;
constexpr auto k8 = DivideRatio::k8;
constexpr auto kFm0 = Coding::kFm0;
constexpr auto kM2 = Coding::kMiller2;
constexpr auto kM4 = Coding::kMiller4;
constexpr auto kM8 = Coding::kMiller8;
constexpr auto kPr = Modulation::kPrAsk;
constexpr auto kDsb = Modulation::kDsbAsk;

// clang-format off
constexpr std::array kProfiles = {
    //          name           code  BLF kHz Tari us PIE  DR  TRext  dBm    modulation
    LinkProfile{"M4-250",      kM4,  250.0,  25.0,   2.0, kR, false, -91.0, kDsb},
    LinkProfile{"FM0-640",     kFm0, 640.0,  6.25,   1.5, kR, false, -82.0, kPr},
    LinkProfile{"FM0-640-P2",  kFm0, 640.0,  6.25,   2.0, kR, false, -82.0, kPr},
    LinkProfile{"FM0-426",     kFm0, 426.0,  12.5,   1.5, kR, false, -84.0, kPr},
    LinkProfile{"FM0-426-T15", kFm0, 426.0,  15.0,   1.5, kR, false, -85.5, kPr},
    LinkProfile{"FM0-320",     kFm0, 320.0,  12.5,   2.0, kR, false, -85.0, kPr},
    LinkProfile{"FM0-160",     kFm0, 160.0,  12.5,   2.0, k8, false, -88.5, kPr},
    LinkProfile{"FM0-50",      kFm0, 50.0,   20.0,   2.0, k8, false, -77.5, kDsb},
    LinkProfile{"FM0-40",      kFm0, 40.0,   25.0,   2.0, k8, false, -78.5, kDsb},
    LinkProfile{"M2-640",      kM2,  640.0,  6.25,   1.5, kR, false, -84.5, kPr},
    LinkProfile{"M2-426",      kM2,  426.0,  12.5,   1.5, kR, false, -86.5, kPr},
    LinkProfile{"M2-320",      kM2,  320.0,  12.5,   2.0, kR, false, -86.5, kPr},
    LinkProfile{"M2-320-T20",  kM2,  320.0,  20.0,   2.0, kR, false, -88.0, kDsb},
    LinkProfile{"M2-250",      kM2,  250.0,  25.0,   2.0, kR, false, -89.0, kDsb},
    LinkProfile{"M4-640",      kM4,  640.0,  7.14,   1.5, kR, false, -87.5, kDsb},
    LinkProfile{"M4-320",      kM4,  320.0,  12.5,   2.0, kR, false, -90.5, kPr},
    LinkProfile{"M4-320-T20",  kM4,  320.0,  20.0,   2.0, kR, false, -90.5, kDsb},
    LinkProfile{"M4-274",      kM4,  274.0,  20.0,   2.0, kR, false, -90.5, kDsb},
    LinkProfile{"M4-250-T20",  kM4,  250.0,  20.0,   2.0, kR, false, -91.0, kDsb},
    LinkProfile{"M8-640",      kM8,  640.0,  10.0,   2.0, kR, false, -88.0, kPr},
    LinkProfile{"M8-320",      kM8,  320.0,  20.0,   2.0, kR, false, -92.0, kDsb},
    LinkProfile{"M8-170",      kM8,  170.6,  20.0,   2.0, kR, false, -97.5, kDsb},
    LinkProfile{"M8-160",      kM8,  160.0,  20.0,   2.0, kR, false, -98.0, kDsb},
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
