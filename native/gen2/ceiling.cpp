#include "gen2/ceiling.h"

#include <algorithm>

#include "gen2/portable_math.h"

namespace singulate::gen2 {

namespace {

constexpr int kBisections = 50;

// (g - 1) e^g = T0/Tc - 1, for T0 <= Tc: g is in (0, 1].
double solve_best_load(double ratio) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double g = (low + high) / 2;
    ((g - 1) * portable_exp(g) < ratio - 1 ? low : high) = g;
  }
  return (low + high) / 2;
}

}  // namespace

Ceiling ceiling(double empty_us, double collided_us, double single_us) {
  const double load = solve_best_load(std::min(1.0, empty_us / collided_us));
  return {.best_load = load,
          .tags_per_second = 1e6 / (single_us + collided_us * (portable_exp(load) - 1))};
}

}  // namespace singulate::gen2
