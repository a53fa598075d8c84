#include "gen2/portable_math.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace singulate::gen2 {

namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;
constexpr double kSqrtHalf = 0.707106781186547524400844362105;
constexpr double kTwoPi = 6.28318530717958647692528676656;
constexpr std::array<double, 15> kInverseFactorial = [] {
  std::array<double, 15> made{};
  double factorial = 1;
  for (std::size_t n = 0; n < made.size(); ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    made[n] = 1 / factorial;
  }
  return made;
}();
constexpr double kLog20Scale = 8.68588963806503655302257837833;  // 20 / ln 10

}  // namespace

double portable_log(double value) {
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);  // exact
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 atanh((m - 1) / (m + 1)); the argument is at most 0.172.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double square = z * z;
  double sum = 0;
  for (int odd = 19; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return 2 * z * sum + exponent * kLn2;
}

double portable_exp(double value) {
  const double exponent = std::floor(value / kLn2 + 0.5);  // exact
  const double rest = value - exponent * kLn2;             // at most 0.347
  // The series up to 1/14!, odd and even terms apart: two short chains instead of a long one.
  const double square = rest * rest;
  double even = kInverseFactorial[14];
  double odd = kInverseFactorial[13];
  for (std::size_t n = 12; n >= 2; n -= 2) {
    even = even * square + kInverseFactorial[n];
    odd = odd * square + kInverseFactorial[n - 1];
  }
  const double sum = 1 + (even * square + odd * rest);
  return std::ldexp(sum, static_cast<int>(exponent));  // exact
}

SineCosine portable_sine_cosine(double turns) {
  const double quarters = std::floor(4 * turns + 0.5);      // exact
  const double angle = kTwoPi * (turns - quarters * 0.25);  // the bracket is exact; at most pi/4
  const double square = angle * angle;
  double sine = 1;
  double cosine = 1;
  for (int n = 16; n >= 2; n -= 2) {
    sine = 1 - sine * square / (n * (n + 1));
    cosine = 1 - cosine * square / (n * (n - 1));
  }
  sine *= angle;
  const double quarter = quarters - 4 * std::floor(quarters / 4);  // 0, 1, 2 or 3
  if (quarter == 1) return {.sine = cosine, .cosine = -sine};
  if (quarter == 2) return {.sine = -sine, .cosine = -cosine};
  if (quarter == 3) return {.sine = -cosine, .cosine = sine};
  return {.sine = sine, .cosine = cosine};
}

double decibels20(double ratio) { return kLog20Scale * portable_log(ratio); }

}  // namespace singulate::gen2
