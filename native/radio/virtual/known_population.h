// The best that whole frames of 2^Q slots can do: it is told how many tags are left, and takes
// the frame that reads most of them in a unit of time. For comparison only.
#pragma once

#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

class KnownPopulation final : public FramePolicy {
 public:
  explicit KnownPopulation(const FrameCosts& costs) : costs_(costs) {}

  unsigned first_q(std::uint32_t /*tag_population*/) override { return best_q(costs_, tags_left_); }
  std::optional<unsigned> after_slot(const FrameCounts& /*frame*/) override { return {}; }
  unsigned after_frame(const FrameCounts& /*frame*/) override { return best_q(costs_, tags_left_); }
  unsigned after_cut(const FrameCounts& frame) override { return after_frame(frame); }
  [[nodiscard]] bool wants_truth() const override { return true; }
  void set_tags_left(std::uint32_t tags) override { tags_left_ = tags; }

  // The Q whose frame singulates most of so many tags in a unit of time.
  static unsigned best_q(const FrameCosts& costs, double tags);

 private:
  FrameCosts costs_;
  std::uint32_t tags_left_ = 0;
};

}  // namespace singulate::radio
