// How much less an antenna radiates, and hears, off its direction.
#pragma once

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// Gain relative to the peak is cos^n of the angle off the direction, with the n that makes it -3 dB
// at half the width. Real antennas have side and back lobes: the loss is never above 20 dB.
class AntennaPattern {
 public:
  static constexpr double kMostLossDb = 20;

  explicit AntennaPattern(const Pattern& pattern);

  // What the gain is below the peak towards a point that lies `offset` from the antenna,
  // `metres` away: 0..kMostLossDb.
  [[nodiscard]] double loss_db(const Point& offset, double metres) const;

 private:
  Point direction_{};             // of length 1
  double db_per_log_cosine_ = 0;  // 0: the same gain everywhere
};

}  // namespace singulate::radio
