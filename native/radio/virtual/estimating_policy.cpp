#include "radio/virtual/estimating_policy.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gen2/ceiling.h"
#include "gen2/portable_math.h"
#include "gen2/session.h"

namespace singulate::radio {

namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;
constexpr int kBisections = 24;
// A frame of collisions alone says only "many more": then four times the slots.
constexpr double kMostLoad = 8;
// Fewer slots say nothing about a frame without collisions.
constexpr std::uint32_t kFewSlots = 8;

// Whether the load that makes what was heard most likely is above g: the slope of the
// log likelihood there, times g.
bool load_is_above(const FrameCounts& frame, double g) {
  const double quiet = frame.empty + frame.single;
  const double single = frame.single;
  const double collided = frame.collided;
  return single - quiet * g + collided * g * g / (gen2::portable_exp(g) - 1 - g) > 0;
}

unsigned to_q(double exponent) {
  return static_cast<unsigned>(
      std::clamp(std::floor(exponent + 0.5), 0.0, static_cast<double>(gen2::kMaxQ)));
}

}  // namespace

EstimatingPolicy::EstimatingPolicy(double empty_slot, double collided_slot)
    : best_load_(gen2::ceiling(empty_slot, collided_slot, collided_slot).best_load) {}

double EstimatingPolicy::wanted(double tags) const {
  return gen2::portable_log(std::max(tags, 0.5) / best_load_) / kLn2;
}

unsigned EstimatingPolicy::first_q(std::uint32_t tag_population) {
  // One tag needs one slot, whatever the load says.
  return tag_population <= 1 ? 0 : to_q(wanted(tag_population));
}

double EstimatingPolicy::estimate_load(const FrameCounts& frame) {
  double low = 1e-3;
  double high = kMostLoad;
  if (load_is_above(frame, high)) return high;
  for (int i = 0; i < kBisections; ++i) {
    const double g = (low + high) / 2;
    (load_is_above(frame, g) ? low : high) = g;
  }
  return (low + high) / 2;
}

std::optional<unsigned> EstimatingPolicy::after_slot(const FrameCounts& frame) {
  const std::uint32_t slots = frame.slots();
  if (!std::has_single_bit(slots) || slots < 2) return std::nullopt;
  if (slots >= frame.size()) return std::nullopt;
  if (frame.collided == 0) {
    // Without a collision the likeliest load may be 0. Two tags more than were heard are
    // still likely; if even for them the frame is far too long, it is broken off.
    if (slots < kFewSlots) return std::nullopt;
    const double most = (frame.single + 2.0) / slots * frame.size() - frame.single;
    const double target = wanted(most);
    return target < frame.q - 1.5 ? std::optional(to_q(target)) : std::nullopt;
  }
  // Few slots can mislead: they must be clear. Too few slots hurt more than too many. Whether
  // the estimate lies beyond a limit is known without making it.
  const double factor = slots >= 16 ? 2.0 : slots >= 4 ? 2.8 : 4.0;
  const double heard = static_cast<double>(frame.single) / frame.size();
  const bool too_short = load_is_above(frame, best_load_ * factor + heard);
  const bool too_long = !load_is_above(frame, best_load_ / (factor * 1.4) + heard);
  if (!too_short && !too_long) return std::nullopt;
  return to_q(wanted(estimate_load(frame) * frame.size() - frame.single));
}

unsigned EstimatingPolicy::after_frame(const FrameCounts& frame) {
  const double left = estimate_load(frame) * frame.size() - frame.single;
  // A collision is two tags at least.
  return to_q(wanted(std::max(left, 2.0 * frame.collided)));
}

}  // namespace singulate::radio
