// How far the times between commands and replies may lie from their nominal values
// (reference section 2). Microseconds.
#pragma once

#include <optional>

#include "gen2/link_profile.h"

namespace singulate::gen2 {

enum class Temperature { kNominal, kExtended };

// FrT: how much a tag's BLF may be off, as a share (0.15 = 15 %). Nothing if TRcal lies outside
// the table (section 2.2). `trcal_us`: length of TRcal.
std::optional<double> blf_tolerance(DivideRatio ratio, double trcal_us,
                                    Temperature temperature = Temperature::kNominal);

struct LinkLimits {
  struct Range {
    double min_us = 0;
    double max_us = 0;
  };
  Range t1;          // end of a command to the reply
  Range t2;          // end of a reply to the next command
  double t4_us = 0;  // command to command, at least
  Range t5;          // as T1, of a delayed reply; T6 of one in process is the same
  Range t7;          // between in-process replies
};

// The profile must be without fault (link_profile_fault).
LinkLimits link_limits(const LinkProfile& profile, Temperature temperature = Temperature::kNominal);

}  // namespace singulate::gen2
