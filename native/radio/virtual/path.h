// Where a group of tags is at a time.
#pragma once

#include <optional>

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// Position of the group `seconds` after the start of the field; nothing while it is
// not there. A group with one waypoint is always there.
std::optional<Point> position_at(const VirtualGroup& group, double seconds);

}  // namespace singulate::radio
