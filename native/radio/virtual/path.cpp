#include "radio/virtual/path.h"

#include <algorithm>
#include <cmath>

namespace singulate::radio {

std::optional<Point> position_at(const VirtualGroup& group, double seconds) {
  const auto& way = group.waypoints;
  if (way.size() == 1) return way.front().position;
  double own = seconds - group.offset_seconds;
  // Periodic groups are only on their way again once the first way has begun.
  if (group.period_seconds > 0 && own >= way.front().seconds) {
    const double since = own - way.front().seconds;
    own = way.front().seconds +
          (since - group.period_seconds * std::floor(since / group.period_seconds));
  }
  if (own < way.front().seconds || own > way.back().seconds) return std::nullopt;
  const auto after = std::upper_bound(
      way.begin(), way.end(), own, [](double time, const Waypoint& w) { return time < w.seconds; });
  if (after == way.end()) return way.back().position;
  const Waypoint& to = *after;
  const Waypoint& from = *(after - 1);
  const double part = (own - from.seconds) / (to.seconds - from.seconds);
  return Point{.x = from.position.x + (to.position.x - from.position.x) * part,
               .y = from.position.y + (to.position.y - from.position.y) * part,
               .z = from.position.z + (to.position.z - from.position.z) * part};
}

Pose pose_of(const VirtualGroup& group, const Point& position, double seconds) {
  if (group.turn_seconds == 0) return {.position = position};
  return {
      .position = position,
      .turn = gen2::portable_sine_cosine((seconds - group.offset_seconds) / group.turn_seconds)};
}

}  // namespace singulate::radio
