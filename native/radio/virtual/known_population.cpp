#include "radio/virtual/known_population.h"

#include <algorithm>
#include <bit>

#include "gen2/session.h"
#include "radio/virtual/occupancy.h"

namespace singulate::radio {

unsigned KnownPopulation::best_q(const FrameCosts& costs, double tags) {
  // The best load is between a quarter and twice a tag a slot: three or four frames to compare.
  const auto whole = static_cast<std::uint32_t>(std::max(1.0, tags));
  const auto from = static_cast<unsigned>(std::bit_width(whole) - 1);
  unsigned best = 0;
  double best_rate = -1;
  for (unsigned q = from > 0 ? from - 1 : 0; q <= std::min(from + 3, gen2::kMaxQ); ++q) {
    const double rate = singulation_rate(costs, tags, q);
    if (rate <= best_rate) continue;
    best = q;
    best_rate = rate;
  }
  return best;
}

}  // namespace singulate::radio
