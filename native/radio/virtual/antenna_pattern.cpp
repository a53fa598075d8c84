#include "radio/virtual/antenna_pattern.h"

#include <algorithm>

#include "gen2/portable_math.h"
#include "radio/virtual/point_math.h"

namespace singulate::radio {

namespace {

constexpr double kHalfPowerDb = 3;
// Nearer to a right angle the loss is the most that it can be, or that of half of 180 degrees.
constexpr double kLeastCosine = 1e-9;

}  // namespace

AntennaPattern::AntennaPattern(const Pattern& pattern) {
  if (pattern.width_deg == 0) return;
  direction_ = unit(pattern.direction);
  const double half = gen2::portable_sine_cosine(pattern.width_deg / 2 / 360).cosine;
  db_per_log_cosine_ = kHalfPowerDb / gen2::portable_log(std::max(half, kLeastCosine));
}

double AntennaPattern::loss_db(const Point& offset, double metres) const {
  if (db_per_log_cosine_ == 0 || metres == 0) return 0;
  const double cosine = dot(direction_, offset) / metres;
  if (cosine <= kLeastCosine) return kMostLossDb;
  return std::clamp(db_per_log_cosine_ * gen2::portable_log(cosine), 0.0, kMostLossDb);
}

}  // namespace singulate::radio
