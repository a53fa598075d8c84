// Arithmetic of points and directions.
#pragma once

#include <cmath>

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

inline Point plus(const Point& a, const Point& b) {
  return {.x = a.x + b.x, .y = a.y + b.y, .z = a.z + b.z};
}

inline Point minus(const Point& a, const Point& b) {
  return {.x = a.x - b.x, .y = a.y - b.y, .z = a.z - b.z};
}

inline double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline double length(const Point& a) { return std::sqrt(dot(a, a)); }

inline double distance(const Point& a, const Point& b) { return length(minus(a, b)); }

// The direction of a point, as one with the length 1. The point must not be 0.
inline Point unit(const Point& a) {
  const double scale = 1 / length(a);
  return {.x = a.x * scale, .y = a.y * scale, .z = a.z * scale};
}

}  // namespace singulate::radio
