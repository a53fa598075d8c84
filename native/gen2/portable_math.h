// Logarithm, exponential, sine and cosine made of additions, multiplications and divisions alone:
// bit for bit the same on every machine, which those of the C library need not be.
// One seed must give the same reads on the bench and on the reader.
#pragma once

namespace singulate::gen2 {

// Natural logarithm of a positive finite number. Relative error below 1e-14.
double portable_log(double value);
// Exponential for -700..700. Relative error below 1e-14.
double portable_exp(double value);
struct SineCosine {
  double sine = 0;
  double cosine = 1;
};
// Of an angle in full turns, any finite number. Absolute error below 1e-15.
SineCosine portable_sine_cosine(double turns);
// Of a ratio of powers: 1 dB as a natural logarithm.
inline constexpr double kNepersPerDb = 0.230258509299404568;
// 20 log10: ratios of amplitudes or distances in dB.
double decibels20(double ratio);

}  // namespace singulate::gen2
