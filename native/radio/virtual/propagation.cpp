#include "radio/virtual/propagation.h"

#include <algorithm>
#include <cmath>

#include "gen2/portable_math.h"

namespace singulate::radio {

namespace {

// Nearer than this free-space loss has no meaning.
constexpr double kNearestMetres = 0.05;
constexpr double kPi = 3.14159265358979323846;

}  // namespace

double distance_db(double metres) { return gen2::decibels20(std::max(metres, kNearestMetres)); }

double frequency_db(std::uint32_t frequency_khz) {
  return gen2::decibels20(4 * kPi * frequency_khz * 1000.0 / kSpeedOfLight);
}

LinkBudget LinkBudget::make(const LinkTerms& terms) {
  const double one_way = terms.antenna_gain_dbi - terms.cable_loss_db + terms.tag_gain_dbi -
                         frequency_db(terms.frequency_khz);
  return {.tag_power_dbm = terms.transmit_dbm + one_way,
          .rssi_dbm = terms.transmit_dbm + 2 * one_way - terms.modulation_loss_db};
}

std::uint16_t phase_cdeg(double metres, std::uint32_t frequency_khz) {
  const double turns = 2 * metres * (frequency_khz * 1000.0 / kSpeedOfLight);
  const double part = turns - std::floor(turns);
  return static_cast<std::uint16_t>(std::min(part * 36000, 35999.0));
}

std::int16_t to_cdbm(double dbm) {
  const double scaled = std::floor(dbm * 100 + 0.5);
  return static_cast<std::int16_t>(std::clamp(scaled, -32768.0, 32767.0));
}

}  // namespace singulate::radio
