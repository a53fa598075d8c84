#include "radio/virtual/receiver_noise.h"

#include "gen2/portable_math.h"

namespace singulate::radio {

namespace {

// How fast replies are lost around the limit: a factor of e^2 in the odds for each dB.
constexpr double kSteepness = 2;

}  // namespace

ReceiverNoise::ReceiverNoise(const std::vector<VirtualInterference>& sources) {
  for (const VirtualInterference& source : sources) {
    sources_.push_back({.power = gen2::portable_exp(source.level_db * gen2::kNepersPerDb),
                        .from_seconds = source.from_seconds,
                        .until_seconds = source.until_seconds});
  }
}

double ReceiverNoise::rise_db(double seconds) const {
  double power = 1;
  for (const Source& source : sources_) {
    if (seconds >= source.from_seconds && seconds < source.until_seconds) power += source.power;
  }
  return gen2::portable_log(power) / gen2::kNepersPerDb;
}

double ReceiverNoise::loss(double margin_db) {
  return 1 / (1 + gen2::portable_exp(kSteepness * margin_db));
}

}  // namespace singulate::radio
