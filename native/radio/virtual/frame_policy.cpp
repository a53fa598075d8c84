#include "radio/virtual/frame_policy.h"

#include "radio/virtual/adaptive_policy.h"
#include "radio/virtual/known_population.h"
#include "radio/virtual/q_algorithm.h"

namespace singulate::radio {

std::unique_ptr<FramePolicy> make_frame_policy(FramePolicyKind kind, const FrameCosts& costs,
                                               double q_step) {
  switch (kind) {
    case FramePolicyKind::kQAlgorithm:
      return std::make_unique<QAlgorithm>(q_step);
    case FramePolicyKind::kKnownPopulation:
      return std::make_unique<KnownPopulation>(costs);
    default:
      return std::make_unique<AdaptivePolicy>(costs);
  }
}

}  // namespace singulate::radio
