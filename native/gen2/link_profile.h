// A link profile: everything that decides how long commands and replies take
// (reference sections 1, 2 and 9), and how weak a reply may be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gen2/session.h"

namespace singulate::gen2 {

// How the interrogator keys its carrier. Of no influence on times; it tells what a profile asks
// of the spectrum mask.
enum class Modulation : std::uint8_t { kDsbAsk, kSsbAsk, kPrAsk };

struct LinkProfile {
  // Coding and BLF in kHz: "M4-250". A second one of the same two says what else it has:
  // "FM0-640-P2".
  std::string_view name;
  Coding coding = Coding::kMiller4;
  double blf_khz = 250;  // 40..640
  double tari_us = 25;   // length of a 0, 6.25..25
  double pie = 2.0;      // length of a 1 over that of a 0, 1.5..2.0
  DivideRatio divide_ratio = DivideRatio::k64Over3;
  bool extended_preamble = false;  // TRext
  double sensitivity_dbm = -91;    // the weakest reply that the receiver understands
  Modulation modulation = Modulation::kPrAsk;
};

// All profiles of the built-in table; the first is the default.
std::span<const LinkProfile> link_profiles();

// nullptr if no profile has that name.
const LinkProfile* find_link_profile(std::string_view name);

// Empty if tags can follow the profile, else the rule that it breaks, with the figures, and
// what would do (section 1.1: Tari, PIE, BLF, and 1.1 RTcal <= DR / BLF <= 3 RTcal).
std::string link_profile_fault(const LinkProfile& profile);

}  // namespace singulate::gen2
