#include "radio/virtual/rician_fading.h"

#include <algorithm>
#include <cmath>

#include "gen2/portable_math.h"
#include "radio/virtual/random.h"

namespace singulate::radio {

namespace {

constexpr double kLn10 = 2.30258509299404568401799145468;
constexpr double kLeastPower = 1e-6;  // -60 dB: as good as nothing
// Of the numbers in (0, 1] that are drawn; the scattered amplitude is largest there.
constexpr double kLeastDrawn = 0x1p-53;

double scattered_radius(double drawn) { return std::sqrt(-2 * gen2::portable_log(drawn)); }

}  // namespace

RicianFading::RicianFading(const Fading& fading, std::uint64_t seed)
    : seed_(Random(seed).next()), draws_per_second_(1000.0 / fading.hold_ms) {
  const double k = gen2::portable_exp(fading.k_db / 10 * kLn10);
  direct_ = std::sqrt(k / (k + 1));
  scattered_ = std::sqrt(0.5 / (k + 1));
}

std::int64_t RicianFading::draw_at(double seconds) const {
  return static_cast<std::int64_t>(std::floor(seconds * draws_per_second_));
}

double RicianFading::db(std::int64_t draw, std::size_t tag, std::size_t antenna,
                        std::uint32_t frequency_khz) const {
  std::uint64_t key = seed_;
  for (const std::uint64_t part :
       {std::uint64_t{tag}, std::uint64_t{antenna}, std::uint64_t{frequency_khz},
        static_cast<std::uint64_t>(draw)}) {
    key = Random(key ^ part).next();
  }
  Random random(key);
  const double radius = scattered_ * scattered_radius(1 - random.unit());
  const double along = radius * gen2::portable_sine_cosine(random.unit()).cosine;
  // |direct + scattered|^2 by the law of cosines.
  const double power = direct_ * direct_ + 2 * direct_ * along + radius * radius;
  return gen2::decibels20(std::max(power, kLeastPower)) / 2;
}

double RicianFading::most_db() const {
  return gen2::decibels20(direct_ + scattered_ * scattered_radius(kLeastDrawn));
}

}  // namespace singulate::radio
