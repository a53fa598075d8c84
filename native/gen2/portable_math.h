// Logarithm and exponential made of additions, multiplications and divisions alone:
// bit for bit the same on every machine, which those of the C library need not be.
// One seed must give the same reads on the bench and on the reader.
#pragma once

namespace singulate::gen2 {

// Natural logarithm of a positive finite number. Relative error below 1e-14.
double portable_log(double value);
// Exponential for -700..700. Relative error below 1e-14.
double portable_exp(double value);
// 20 log10: ratios of amplitudes or distances in dB.
double decibels20(double ratio);

}  // namespace singulate::gen2
