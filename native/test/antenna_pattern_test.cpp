#include "radio/virtual/antenna_pattern.h"

#include <cmath>

#include "radio/virtual/field.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::AntennaPattern;
using radio::Field;
using radio::Point;

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

// The loss of a pattern that looks along x, at an angle off it.
double loss(const AntennaPattern& pattern, double degrees) {
  const Point at{.x = 7 * std::cos(degrees * kDegree), .y = 7 * std::sin(degrees * kDegree)};
  return pattern.loss_db(at, 7);
}

}  // namespace

TEST_CASE("gain is 3 dB less at half the width, and 20 dB less behind") {
  for (const double width : {10.0, 30.0, 65.0, 90.0, 120.0, 180.0}) {
    CAPTURE(width);
    const AntennaPattern pattern({.direction = {.x = 2.5}, .width_deg = width});
    CHECK(loss(pattern, 0) == 0);
    if (width < 180) {
      CHECK(loss(pattern, width / 2) == doctest::Approx(3).epsilon(1e-9));
      CHECK(loss(pattern, -width / 2) == doctest::Approx(3).epsilon(1e-9));
    }
    double last = 0;
    for (int degrees = 1; degrees <= 180; ++degrees) {
      const double now = loss(pattern, degrees);
      CHECK(now >= last);
      CHECK(now <= AntennaPattern::kMostLossDb);
      last = now;
    }
    CHECK(loss(pattern, 91) == 20);
    CHECK(loss(pattern, 180) == 20);
  }
}

TEST_CASE("gain falls as a power of the cosine") {
  const AntennaPattern pattern({.direction = {.x = 1}, .width_deg = 70});
  const double n = 0.3 / -std::log10(std::cos(35 * kDegree));
  for (const double degrees : {5.0, 20.0, 40.0, 55.0}) {
    const double expected = -10 * n * std::log10(std::cos(degrees * kDegree));
    CHECK(loss(pattern, degrees) == doctest::Approx(expected).epsilon(1e-9));
  }
}

TEST_CASE("without a width the gain is the same everywhere") {
  const AntennaPattern pattern({.direction = {.x = 1}});
  for (int degrees = 0; degrees <= 180; degrees += 15) CHECK(loss(pattern, degrees) == 0);
}

TEST_CASE("the pattern works on both ways: 3 dB of power, 6 dB of RSSI") {
  auto options = test::field_of(1);
  options.groups[0].tags[0].offset = {};
  const auto rssi = [&](const radio::Pattern& pattern) {
    options.antennas[0].pattern = pattern;
    Field field(options);
    std::vector<radio::Reach> reach(1);
    const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
    field.illuminate(carrier, 0, false, reach);
    return field.signal(carrier, 0, 0).rssi_cdbm;
  };
  // The tag is straight below; the antenna looks 30 degrees off.
  const Point aside{.x = std::tan(30 * kDegree), .z = -1};
  const int straight = rssi({.gain_dbi = 6});
  CHECK(rssi({.gain_dbi = 6, .direction = {.z = -1}, .width_deg = 60}) == straight);
  CHECK(rssi({.gain_dbi = 6, .direction = aside, .width_deg = 60}) == straight - 600);
  CHECK(rssi({.gain_dbi = 6, .direction = {.z = 1}, .width_deg = 60}) == straight - 4000);
}

TEST_CASE("each beam of an array has its own gain and direction") {
  auto options = test::field_of(2);
  options.antennas[0].position = {};
  options.antennas[0].pattern = {.gain_dbi = 3};
  options.antennas[0].beams = {{.gain_dbi = 12, .direction = {.x = 1}, .width_deg = 40},
                               {.gain_dbi = 12, .direction = {.x = -1}, .width_deg = 40}};
  options.groups[0].tags[0].offset = {.x = 3};
  options.groups[0].tags[1].offset = {.x = -3};
  Field field(options);
  CHECK(field.beams(0) == 2);
  std::vector<radio::Reach> reach(2);
  const auto rssi = [&](std::size_t beam, std::size_t tag) {
    const auto carrier = field.carrier(0, beam, 30, 915'250, -90);
    field.illuminate(carrier, 0, false, reach);
    return field.signal(carrier, 0, tag).rssi_cdbm;
  };
  const int whole = rssi(0, 0);
  CHECK(rssi(0, 1) == whole);
  CHECK(rssi(1, 0) == whole + 1800);
  CHECK(rssi(1, 1) == whole + 1800 - 4000);
  CHECK(rssi(2, 0) == whole + 1800 - 4000);
  CHECK(rssi(2, 1) == whole + 1800);
}
