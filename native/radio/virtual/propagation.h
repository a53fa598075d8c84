// Free-space propagation between an antenna and a tag (reference section 12).
#pragma once

#include <cstdint>

namespace singulate::radio {

inline constexpr double kSpeedOfLight = 299'792'458.0;  // m/s

// Path loss in dB = distance_db(d) + frequency_db(f). Two terms, because the first one of
// tags that do not move is computed once.
double distance_db(double metres);
double frequency_db(std::uint32_t frequency_khz);

// What is the same for all tags in view of one antenna on one channel.
struct LinkBudget {
  double tag_power_dbm = 0;  // at the tag, path loss by distance left out
  double rssi_dbm = 0;       // at the receiver, path loss by distance (twice) left out

  static LinkBudget make(double transmit_dbm, double antenna_gain_dbi, double tag_gain_dbi,
                         double polarisation_loss_db, double modulation_loss_db,
                         std::uint32_t frequency_khz);
};

// Phase of the backscatter, hundredths of a degree, 0..35999: 720 degrees for each wavelength
// of distance.
std::uint16_t phase_cdeg(double metres, std::uint32_t frequency_khz);

// dBm to hundredths, rounded.
std::int16_t to_cdbm(double dbm);

}  // namespace singulate::radio
