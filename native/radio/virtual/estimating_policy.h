// Frame sizes from an estimate of the tags that are left: the load of a frame by maximum
// likelihood from its empty, single and collided slots, looked at 2, 4, 8, .. slots into
// the frame and at its end. The best load comes from the slot times (reference section 10.1).
#pragma once

#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

class EstimatingPolicy final : public FramePolicy {
 public:
  // Durations of an empty and of a collided slot, in any one unit.
  EstimatingPolicy(double empty_slot, double collided_slot);

  unsigned first_q(std::uint32_t tag_population) override;
  std::optional<unsigned> after_slot(const FrameCounts& frame) override;
  unsigned after_frame(const FrameCounts& frame) override;

  // Tags per slot that cost the least time: g* of section 10.1.
  [[nodiscard]] double best_load() const { return best_load_; }
  // Tags per slot that make what was heard most likely. At least one collision.
  static double estimate_load(const FrameCounts& frame);

 private:
  // log2 of the number of slots for `tags`.
  [[nodiscard]] double wanted(double tags) const;

  double best_load_;
};

}  // namespace singulate::radio
