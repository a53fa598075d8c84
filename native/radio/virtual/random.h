// Random numbers of the simulation: the same for the same seed, on every machine.
#pragma once

#include <cstdint>

namespace singulate::radio {

// SplitMix64: eight bytes of state, so every tag has its own and draws the same
// numbers whatever the other tags do.
class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31U);
  }
  // The highest `count` bits of the next number; count 0..16.
  std::uint16_t bits(unsigned count) {
    return count == 0 ? (next(), std::uint16_t{0})
                      : static_cast<std::uint16_t>(next() >> (64 - count));
  }
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace singulate::radio
