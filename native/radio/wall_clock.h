// The air clock of modules that work in real time.
#pragma once

#include <chrono>
#include <cstdint>

namespace singulate::radio {

// Nanoseconds since the Unix epoch, as the wall clock had it first; goes on evenly from there.
inline std::uint64_t wall_ns() {
  using std::chrono::steady_clock;
  static const auto kSteady = steady_clock::now();
  static const auto kWall = std::chrono::system_clock::now();
  const auto since = kWall.time_since_epoch() + (steady_clock::now() - kSteady);
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

}  // namespace singulate::radio
