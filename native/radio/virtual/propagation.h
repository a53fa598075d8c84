// Free-space propagation between an antenna and a tag (reference section 12).
//
// One way loses: the distance and the frequency (free space), what the antenna's pattern has less
// in the tag's direction than at its peak, and the polarisation. The power at the tag is that of
// the radio less the cable and one way, plus both gains; the tag answers if it is enough for its
// chip. The reply comes back the same way, so that RSSI has everything twice, and loses once what
// the tag's modulation does not send back. Fading (fading.h) is added to each of both ways.
#pragma once

#include <cstdint>

namespace singulate::radio {

inline constexpr double kSpeedOfLight = 299'792'458.0;  // m/s

// Path loss in dB = distance_db(d) + frequency_db(f). Two terms, because the first one of
// tags that do not move is computed once.
double distance_db(double metres);
double frequency_db(std::uint32_t frequency_khz);

struct LinkTerms {
  double transmit_dbm = 0;
  double cable_loss_db = 0;
  double antenna_gain_dbi = 0;  // at the peak of its pattern
  double tag_gain_dbi = 0;
  double modulation_loss_db = 0;
  std::uint32_t frequency_khz = 0;
};

// What is the same for all tags in view of one antenna on one channel; of the way only the
// loss by frequency is in it.
struct LinkBudget {
  double tag_power_dbm = 0;  // at the tag, the rest of the way left out
  double rssi_dbm = 0;       // at the receiver, the rest of the way (twice) left out

  static LinkBudget make(const LinkTerms& terms);
};

// Phase of the backscatter, hundredths of a degree, 0..35999: 720 degrees for each wavelength
// of distance.
std::uint16_t phase_cdeg(double metres, std::uint32_t frequency_khz);

// dBm to hundredths, rounded.
std::int16_t to_cdbm(double dbm);

}  // namespace singulate::radio
