// Loss between two linear antennas that do not lie alike.
#pragma once

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// Axes of length 1: -20 log10 |cos| of the angle between them, at most 30 dB, because no antenna
// is quite linear. An antenna without an axis has VirtualOptions::polarisation_loss_db instead.
double polarisation_db(const Point& antenna_axis, const Point& tag_axis);

}  // namespace singulate::radio
