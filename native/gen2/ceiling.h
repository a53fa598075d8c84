// The most tags a second that a link allows (reference section 10.1): slot times in, load and
// rate out. Known population, no capture, no errors; hops, Selects, Queries and round ends are
// left out.
#pragma once

namespace singulate::gen2 {

struct Ceiling {
  double best_load = 1;        // g*: tags per slot that cost the least time
  double tags_per_second = 0;  // R_max
};

// Durations of an empty, a collided and a single slot, microseconds; empty <= collided.
Ceiling ceiling(double empty_us, double collided_us, double single_us);

}  // namespace singulate::gen2
