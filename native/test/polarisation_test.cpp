#include "radio/virtual/polarisation.h"

#include <cmath>

#include "radio/virtual/field.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Field;
using radio::Point;

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

Point at(double degrees) {
  return {.x = 3 * std::cos(degrees * kDegree), .y = 3 * std::sin(degrees * kDegree)};
}

// RSSI of a tag 2 m below an antenna, hundredths of a dBm.
int rssi(std::optional<Point> antenna, std::optional<Point> tag) {
  auto options = test::field_of(1);
  options.groups[0].tags[0].offset = {};
  options.antennas[0].axis = antenna;
  options.groups[0].tags[0].axis = tag;
  Field field(options);
  std::vector<radio::Reach> reach(1);
  const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
  field.illuminate(carrier, 0, false, reach);
  return field.signal(carrier, 0, 0).rssi_cdbm;
}

}  // namespace

TEST_CASE("who has no axis loses the general 3 dB on each way") {
  const int general = rssi({}, {});
  CHECK(rssi(at(0), {}) == general);
  CHECK(rssi({}, at(0)) == general);
  CHECK(rssi(at(0), at(0)) == general + 600);
}

TEST_CASE(
    "two axes lose by the cosine of the angle between them, whatever their lengths and signs") {
  const int alike = rssi(at(0), at(0));
  CHECK(rssi(at(0), at(180)) == alike);
  CHECK(rssi(at(20), at(65)) == alike - 602);
  CHECK(rssi(at(0), at(60)) == alike - 1204);
  CHECK(rssi(at(0), at(-120)) == alike - 1204);
}

TEST_CASE("crossed axes lose 30 dB, no more") {
  const int alike = rssi(at(0), at(0));
  CHECK(rssi(at(0), at(90)) == alike - 6000);
  CHECK(rssi(at(0), at(89)) == alike - 6000);
  CHECK(rssi(at(0), Point{.z = 1}) == alike - 6000);
  CHECK(radio::polarisation_db({.x = 1}, {.x = 1}) == 0);
}

TEST_CASE("tags with and without an axis live in one field") {
  auto options = test::field_of(3);
  for (auto& tag : options.groups[0].tags) tag.offset = {};
  options.antennas[0].axis = Point{.x = 1};
  options.groups[0].tags[1].axis = Point{.x = 1};
  Field field(options);
  std::vector<radio::Reach> reach(3);
  const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
  field.illuminate(carrier, 0, false, reach);
  const int general = field.signal(carrier, 0, 0).rssi_cdbm;
  CHECK(field.signal(carrier, 0, 1).rssi_cdbm == general + 600);
  CHECK(field.signal(carrier, 0, 2).rssi_cdbm == general);
}
