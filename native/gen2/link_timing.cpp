#include "gen2/link_timing.h"

#include <cmath>
#include <cstdio>

namespace singulate::gen2 {

namespace {

constexpr double kDelimiterUs = 12.5;

constexpr double ratio_value(DivideRatio ratio) {
  return ratio == DivideRatio::k8 ? 8.0 : 64.0 / 3.0;
}

Picoseconds picoseconds(double us) {
  return static_cast<Picoseconds>(std::llround(us * static_cast<double>(kPicosecondsPerUs)));
}

// Bits before the data and the dummy bit after it (section 1.2).
unsigned reply_overhead(Coding coding, bool extended) {
  if (coding == Coding::kFm0) return (extended ? 18U : 6U) + 1U;
  return (extended ? 22U : 10U) + 1U;
}

template <typename... Values>
std::string text(const char* format, Values... values) {
  char buffer[200];
  // The formats and their arguments are below, in this file.
  (void)std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

// What mends a TRcal outside least..most us, the least change first.
std::string remedy(const LinkProfile& profile, double least, double most) {
  const DivideRatio other =
      profile.divide_ratio == DivideRatio::k8 ? DivideRatio::k64Over3 : DivideRatio::k8;
  const double with_other = ratio_value(other) / profile.blf_khz * 1000;
  if (with_other >= least && with_other <= most) {
    return text("With DR %s it is %.4g us, which is allowed",
                other == DivideRatio::k8 ? "8" : "64/3", with_other);
  }
  const double ratio = ratio_value(profile.divide_ratio) * 1000;
  const double trcal = ratio / profile.blf_khz;
  const double rtcal_per_tari = 1 + profile.pie;
  if (trcal < least) {
    return text("A BLF of at most %.4g kHz would do, or a Tari of at most %.4g us%s", ratio / least,
                trcal / 1.1 / rtcal_per_tari,
                trcal / 1.1 / rtcal_per_tari < 6.25 ? " (below the least there is, 6.25 us)" : "");
  }
  return text("A BLF of at least %.4g kHz would do, or a Tari of at least %.4g us", ratio / most,
              trcal / 3 / rtcal_per_tari);
}

}  // namespace

std::string link_profile_fault(const LinkProfile& profile) {
  if (!(profile.tari_us >= 6.25 && profile.tari_us <= 25)) {
    return text("Tari is %g us; allowed: 6.25..25 us", profile.tari_us);
  }
  if (!(profile.pie >= 1.5 && profile.pie <= 2.0)) {
    return text("PIE is %g; allowed: 1.5..2", profile.pie);
  }
  if (!(profile.blf_khz >= 40 && profile.blf_khz <= 640)) {
    return text("BLF is %g kHz; allowed: 40..640 kHz", profile.blf_khz);
  }
  const double rtcal = profile.tari_us * (1 + profile.pie);
  const double trcal = ratio_value(profile.divide_ratio) / profile.blf_khz * 1000;
  const double least = 1.1 * rtcal;
  const double most = 3 * rtcal;
  // A nanosecond of slack: limits that are met exactly must not fail by rounding.
  const bool too_short = trcal < least - 0.001;
  if (!too_short && trcal <= most + 0.001) return {};
  return text("TRcal (DR / BLF) is %.4g us, %s RTcal (%.4g us); allowed: %.4g..%.4g us. ", trcal,
              too_short ? "below 1.1" : "above 3", rtcal, least, most) +
         remedy(profile, least, most);
}

LinkTiming::LinkTiming(const LinkProfile& profile)
    : tari_(picoseconds(profile.tari_us)),
      one_(picoseconds(profile.tari_us * profile.pie)),
      trcal_(picoseconds(ratio_value(profile.divide_ratio) / profile.blf_khz * 1000)),
      tpri_(picoseconds(1000 / profile.blf_khz)),
      symbol_(picoseconds(1000 / profile.blf_khz * cycles_per_symbol(profile.coding))),
      frame_sync_(picoseconds(kDelimiterUs) + tari_ + tari_ + one_),
      preamble_(frame_sync_ + trcal_),
      reply_overhead_bits_(reply_overhead(profile.coding, profile.extended_preamble)),
      extended_overhead_bits_(reply_overhead(profile.coding, true)),
      t1_(later(tari_ + one_, 10 * tpri_)),
      t2_(3 * tpri_),
      t4_(2 * (tari_ + one_)) {}

}  // namespace singulate::gen2
