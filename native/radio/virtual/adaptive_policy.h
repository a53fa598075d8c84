// Frame sizes from an estimate of the tags that are left.
//
// The belief about their number is normal in its logarithm. What is heard in a frame (empty,
// single and collided slots, each taken as a Poisson draw) moves it to the likeliest number; it
// is carried on from frame to frame, and each tag that was read is taken off it. A frame is
// broken off by QueryAdjust or Query when another size, by the true slot times of the link,
// would win more than the command costs over the whole range of numbers that are still likely:
// an early change on thin evidence costs more than waiting for better.
#pragma once

#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

class AdaptivePolicy final : public FramePolicy {
 public:
  explicit AdaptivePolicy(const FrameCosts& costs) : costs_(costs) {}

  unsigned first_q(std::uint32_t tag_population) override;
  std::optional<unsigned> after_slot(const FrameCounts& frame) override;
  unsigned after_frame(const FrameCounts& frame) override;
  unsigned after_cut(const FrameCounts& frame) override { return after_frame(frame); }

  // What is believed of the tags that had to be read when the running frame began.
  struct Belief {
    double log_tags = 0;
    double precision = 1;  // 1 / variance
  };
  // The belief after what was heard in the frame: likeliest number, and curvature there.
  static Belief update(const Belief& before, const FrameCounts& frame);

 private:
  // The next frame begins, with the tags that the running one leaves.
  void carry_on(const Belief& now, const FrameCounts& frame);
  // Time that a frame of 2^q slots instead of the rest of the running one saves, if so many
  // tags were there when that began; the command that it takes is paid for.
  [[nodiscard]] double saved(const FrameCounts& frame, double tags, unsigned q) const;

  FrameCosts costs_;
  Belief belief_;
};

}  // namespace singulate::radio
