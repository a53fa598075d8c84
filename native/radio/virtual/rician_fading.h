// Rician fading: one direct ray and many scattered ones between an antenna and a tag.
#pragma once

#include <cstddef>
#include <cstdint>

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// The power of a way relative to free space, 1 in the mean. It is a function of the seed, tag,
// antenna, channel and time alone, so that nothing is kept for a tag and the order in which tags
// are asked for does not matter. Both ways of a reply have the same.
class RicianFading {
 public:
  RicianFading(const Fading& fading, std::uint64_t seed);

  // The number of the draw that holds `seconds` after the start of the field.
  [[nodiscard]] std::int64_t draw_at(double seconds) const;
  // dB to add to one way; -60..most_db().
  [[nodiscard]] double db(std::int64_t draw, std::size_t tag, std::size_t antenna,
                          std::uint32_t frequency_khz) const;
  [[nodiscard]] double most_db() const;

 private:
  std::uint64_t seed_;
  double draws_per_second_;
  double direct_;     // amplitude
  double scattered_;  // standard deviation of each of the two parts of its amplitude
};

}  // namespace singulate::radio
