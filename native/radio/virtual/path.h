// Where a group of tags is at a time.
#pragma once

#include <optional>

#include "gen2/portable_math.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// Position of the group `seconds` after the start of the field; nothing while it is
// not there. A group with one waypoint is always there.
std::optional<Point> position_at(const VirtualGroup& group, double seconds);

// Where the tags of a group are at a time, and how they lie.
struct Pose {
  Point position{};
  gen2::SineCosine turn{};  // around the vertical, counter-clockwise seen from above

  // A direction of the group, turned with it.
  [[nodiscard]] Point turned(const Point& direction) const {
    return {.x = direction.x * turn.cosine - direction.y * turn.sine,
            .y = direction.x * turn.sine + direction.y * turn.cosine,
            .z = direction.z};
  }
  // The place of a tag.
  [[nodiscard]] Point place(const Point& offset) const {
    const Point at = turned(offset);
    return {.x = position.x + at.x, .y = position.y + at.y, .z = position.z + at.z};
  }
};

// How the group has turned, at a place: by nothing when its own clock is 0.
Pose pose_of(const VirtualGroup& group, const Point& position, double seconds);

}  // namespace singulate::radio
