// The plain Q algorithm of the standard's annex, for comparison: a floating Q goes up by C with
// each collision and down by C with each empty slot; whenever it rounds to another number all
// tags draw again.
#pragma once

#include <cmath>

#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

class QAlgorithm final : public FramePolicy {
 public:
  // step: C, 0.1..0.5.
  explicit QAlgorithm(double step) : step_(step) {}

  // Begins with Q = 4 whatever is expected.
  unsigned first_q(std::uint32_t tag_population) override;
  std::optional<unsigned> after_slot(const FrameCounts& frame) override;
  unsigned after_frame(const FrameCounts& frame) override;
  unsigned after_cut(const FrameCounts& /*frame*/) override { return q(); }

 private:
  // Takes in the last slot of the frame.
  void hear(const FrameCounts& frame);
  [[nodiscard]] unsigned q() const { return static_cast<unsigned>(std::lround(floating_q_)); }

  double step_;
  double floating_q_ = 0;
  FrameCounts before_;
};

}  // namespace singulate::radio
