// What to expect of a frame: how many slots are empty, single and collided.
#pragma once

#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

// Chances of a slot of a frame of 2^q slots in which each of `tags` tags (at least 0, need not
// be whole) has drawn one.
struct Occupancy {
  double empty = 1;
  double single = 0;
  double collided = 0;
};
Occupancy occupancy(double tags, unsigned q);

// Tags read in a unit of time by such a frame.
double singulation_rate(const FrameCosts& costs, double tags, unsigned q);

}  // namespace singulate::radio
