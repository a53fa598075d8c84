#include "radio/virtual/adaptive_policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gen2/portable_math.h"
#include "gen2/session.h"
#include "radio/virtual/known_population.h"
#include "radio/virtual/occupancy.h"

namespace singulate::radio {

namespace {

// An unknown population: between a few tags and a few thousand, on a logarithmic scale. An
// expectation that somebody gave is not taken for surer than that: "one tag" is what many say
// who never thought about it.
constexpr double kUnknownTags = 100;
constexpr double kSpread = 2;
// The range of numbers over which a change must pay, in standard deviations. A frame that is
// too short is the smaller evil where the doubt is about many tags.
constexpr double kDoubtUp = 1.5;
constexpr double kDoubtDown = 1.2;
// What a change must win, in times of what its command costs.
constexpr double kWorthIt = 1.5;
// The Poisson approximation is not exact: variance that each tag read in a frame adds.
constexpr double kDrift = 0.02;
constexpr double kFewestTags = 0.2;
constexpr double kMostLogTags = 12;
// The estimate is far from exact: its root need not be.
constexpr int kSteps = 20;
constexpr double kPrecise = 0.01;

// The slots of a frame after which it is looked at: 1, 2, 3, 4, 6, 8, 12, 16, 24, ..
bool is_checkpoint(std::uint32_t slots) {
  return std::has_single_bit(slots) || (slots % 3 == 0 && std::has_single_bit(slots / 3));
}

// What a collided slot says for more tags than a load of g, by ln g: g^2 / (e^g - 1 - g). It
// falls from 2 to 0. For small g by its series: the difference would cancel.
double collided_pull(double g) {
  return g < 0.01 ? 2 - 2 * g / 3 : g * g / (gen2::portable_exp(g) - 1 - g);
}
// Minus its slope by ln g: how firmly the slot speaks.
double collided_firmness(double g) {
  if (g < 0.01) return 2 * g / 3;
  const double e = gen2::portable_exp(g);
  const double rest = e - 1 - g;
  return g * g * (g * (e - 1) - 2 * rest) / (rest * rest);
}

}  // namespace

AdaptivePolicy::Belief AdaptivePolicy::update(const Belief& before, const FrameCounts& frame) {
  const auto slots = static_cast<double>(frame.size());
  const double single = frame.single;
  const double collided = frame.collided;
  const double quiet = frame.empty + frame.single;
  const auto slope = [&](double log_tags) {
    const double g = gen2::portable_exp(log_tags) / slots;
    const double heard = single - quiet * g + collided * collided_pull(g);
    return heard - (log_tags - before.log_tags) * before.precision;
  };
  // Every collision is two tags at least.
  const double least = gen2::portable_log(std::max(single + 2 * collided, kFewestTags));
  const double reach = 8 / std::sqrt(before.precision);
  double low = std::max(least, before.log_tags - reach);
  double high = std::max(low, std::min(kMostLogTags, before.log_tags + reach));
  if (slope(low) <= 0) high = low;
  for (int i = 0; i < kSteps && high - low > kPrecise; ++i) {
    const double middle = (low + high) / 2;
    (slope(middle) > 0 ? low : high) = middle;
  }
  const double log_tags = (low + high) / 2;
  const double g = gen2::portable_exp(log_tags) / slots;
  return {.log_tags = log_tags,
          .precision = before.precision + quiet * g + collided * collided_firmness(g)};
}

unsigned AdaptivePolicy::first_q(std::uint32_t tag_population) {
  const double tags = tag_population != 0 ? tag_population : kUnknownTags;
  belief_ = {.log_tags = gen2::portable_log(tags), .precision = 1 / (kSpread * kSpread)};
  return KnownPopulation::best_q(costs_, tags);
}

void AdaptivePolicy::carry_on(const Belief& now, const FrameCounts& frame) {
  const double tags = gen2::portable_exp(now.log_tags);
  const double left = std::max(tags - frame.single, kFewestTags);
  // The variance of the number stays, but for the drift; that of its logarithm grows.
  const double variance = tags * tags / now.precision + kDrift * frame.single;
  belief_ = {.log_tags = gen2::portable_log(left), .precision = left * left / variance};
}

double AdaptivePolicy::saved(const FrameCounts& frame, double tags, unsigned q) const {
  const double other = singulation_rate(costs_, tags - frame.single, q);
  if (other <= 0) return 0;
  const Occupancy chance = occupancy(tags, frame.q);
  const double slot = chance.empty * costs_.empty + chance.single * costs_.single +
                      chance.collided * costs_.collided;
  const bool near = q + 1 == frame.q || frame.q + 1 == q;
  const double command = near ? costs_.query_adjust : costs_.query;
  const double rest = static_cast<double>(frame.size() - frame.slots()) * slot;
  return rest * (1 - chance.single / slot / other) - kWorthIt * command;
}

std::optional<unsigned> AdaptivePolicy::after_slot(const FrameCounts& frame) {
  const std::uint32_t slots = frame.slots();
  if (slots >= frame.size() || !is_checkpoint(slots)) return std::nullopt;
  const Belief now = update(belief_, frame);
  const double tags = gen2::portable_exp(now.log_tags);
  const unsigned middle = KnownPopulation::best_q(costs_, tags - frame.single);
  if (middle == frame.q) return std::nullopt;
  const double doubt = (middle < frame.q ? kDoubtDown : kDoubtUp) / std::sqrt(now.precision);
  const double factor = gen2::portable_exp(doubt);
  const double heard = frame.single + 2.0 * frame.collided;
  const std::array<double, 3> likely{tags, tags * factor, std::max(tags / factor, heard)};
  std::optional<unsigned> best;
  double most = 0;
  for (unsigned q = middle > 0 ? middle - 1 : 0; q <= std::min(middle + 1, gen2::kMaxQ); ++q) {
    if (q == frame.q) continue;
    double least = saved(frame, likely[0], q);
    for (std::size_t i = 1; i < likely.size() && least > most; ++i) {
      least = std::min(least, saved(frame, likely[i], q));
    }
    if (least <= most) continue;
    most = least;
    best = q;
  }
  if (best) carry_on(now, frame);
  return best;
}

unsigned AdaptivePolicy::after_frame(const FrameCounts& frame) {
  carry_on(update(belief_, frame), frame);
  return KnownPopulation::best_q(costs_, gen2::portable_exp(belief_.log_tags));
}

}  // namespace singulate::radio
