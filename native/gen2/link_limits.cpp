#include "gen2/link_limits.h"

#include <algorithm>
#include <span>

#include "gen2/link_timing.h"

namespace singulate::gen2 {

namespace {

constexpr double kT1SlackUs = 2;
constexpr double kLongestUs = 20'000;
constexpr double kShortestT7Us = 250;

// A row holds up to and with `to_us`, or below it if `open`; percent.
struct Row {
  double to_us;
  bool open;
  double nominal;
  double extended;
};

// The table names some values by themselves; what is within a hundredth of one counts as it.
constexpr double kBelow = 0.99;
constexpr double kAbove = 1.01;
// 133.3 in the table is the end of a range, and 400 / 3.
constexpr double kRoundedUs = 0.05;

constexpr Row k64Over3Rows[] = {
    {100.0 / 3 * kBelow, true, -1, -1},  // shorter: not in the table
    {100.0 / 3 * kAbove, false, 15, 15},
    {200.0 / 3 * kBelow, true, 22, 22},
    {200.0 / 3 * kAbove, false, 10, 15},
    {250.0 / 3 * kBelow, true, 12, 15},
    {250.0 / 3 * kAbove, false, 10, 10},
    {400.0 / 3 + kRoundedUs, false, 10, 12},
    {200, false, 7, 7},
    {225, false, 5, 5},
};
constexpr Row k8Rows[] = {
    {17.2, true, -1, -1},
    {25 * kBelow, true, 19, 19},
    {25 * kAbove, false, 10, 15},
    {31.25 * kBelow, true, 12, 15},
    {31.25 * kAbove, false, 10, 10},
    {50, true, 10, 10},
    {75, false, 7, 7},
    {200, false, 4, 4},
};

}  // namespace

std::optional<double> blf_tolerance(DivideRatio ratio, double trcal_us, Temperature temperature) {
  const std::span<const Row> rows =
      ratio == DivideRatio::k8 ? std::span<const Row>(k8Rows) : std::span<const Row>(k64Over3Rows);
  for (const Row& row : rows) {
    if (row.open ? trcal_us >= row.to_us : trcal_us > row.to_us) continue;
    const double percent = temperature == Temperature::kNominal ? row.nominal : row.extended;
    return percent < 0 ? std::nullopt : std::optional(percent / 100);
  }
  return std::nullopt;
}

LinkLimits link_limits(const LinkProfile& profile, Temperature temperature) {
  const LinkTiming timing(profile);
  const auto us = [](Picoseconds time) { return static_cast<double>(time) / 1e6; };
  const double t1 = us(timing.t1());
  const double off =
      blf_tolerance(profile.divide_ratio, us(timing.trcal()), temperature).value_or(0);
  const double tpri = us(timing.tpri());
  const double t1_min = t1 * (1 - off) - kT1SlackUs;
  const double t2_max = 20 * tpri;
  return {.t1 = {.min_us = t1_min, .max_us = t1 * (1 + off) + kT1SlackUs},
          .t2 = {.min_us = 3 * tpri, .max_us = t2_max},
          .t4_us = us(timing.t4()),
          .t5 = {.min_us = t1_min, .max_us = kLongestUs},
          .t7 = {.min_us = std::max(t2_max, kShortestT7Us), .max_us = kLongestUs}};
}

}  // namespace singulate::gen2
