#include "radio/virtual/occupancy.h"

#include <algorithm>
#include <array>

#include "gen2/portable_math.h"
#include "gen2/session.h"

namespace singulate::radio {

namespace {

// ln(1 - 2^-q); of q = 0 there is none.
const std::array<double, gen2::kMaxQ + 1>& log_others() {
  static const std::array<double, gen2::kMaxQ + 1> table = [] {
    std::array<double, gen2::kMaxQ + 1> made{};
    double slots = 2;
    for (unsigned q = 1; q <= gen2::kMaxQ; ++q, slots *= 2) {
      made[q] = gen2::portable_log(1 - 1 / slots);
    }
    return made;
  }();
  return table;
}

}  // namespace

Occupancy occupancy(double tags, unsigned q) {
  if (tags <= 0) return {};
  if (q == 0) {
    // One slot for all. Between whole numbers of tags: in between.
    const double single = tags <= 1 ? tags : std::max(0.0, 2 - tags);
    const double empty = std::max(0.0, 1 - tags);
    return {.empty = empty, .single = single, .collided = std::max(0.0, 1 - empty - single)};
  }
  const double log_other = log_others()[q];
  const auto slots = static_cast<double>(1U << q);
  // portable_exp reaches down to -700 only.
  const double empty = gen2::portable_exp(std::max(-600.0, tags * log_other));
  const double single = std::min(1 - empty, tags / slots * empty / (1 - 1 / slots));
  return {.empty = empty, .single = single, .collided = std::max(0.0, 1 - empty - single)};
}

double singulation_rate(const FrameCosts& costs, double tags, unsigned q) {
  const Occupancy chance = occupancy(tags, q);
  // The command that begins the frame is shared by its slots.
  const double begin = costs.query_adjust / static_cast<double>(1U << q);
  return chance.single / (chance.empty * costs.empty + chance.single * costs.single +
                          chance.collided * costs.collided + begin);
}

}  // namespace singulate::radio
