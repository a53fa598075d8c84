#include "radio/virtual/polarisation.h"

#include <algorithm>
#include <cmath>

#include "gen2/portable_math.h"
#include "radio/virtual/point_math.h"

namespace singulate::radio {

namespace {

constexpr double kMostLossDb = 30;
constexpr double kLeastCrossCosine = 1e-3;  // 60 dB: beyond the most

}  // namespace

double polarisation_db(const Point& antenna_axis, const Point& tag_axis) {
  const double cosine = std::fabs(dot(antenna_axis, tag_axis));
  return std::clamp(-gen2::decibels20(std::max(cosine, kLeastCrossCosine)), 0.0, kMostLossDb);
}

}  // namespace singulate::radio
