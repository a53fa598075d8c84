#include <cmath>

#include "radio/virtual/field.h"
#include "radio/virtual/path.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Field;
using radio::Point;

namespace {

constexpr double kTwoPi = 2 * 3.14159265358979323846;

// One tag 0.5 m from the middle of a table that turns once in 8 s, 3 m from the antenna.
radio::VirtualOptions table() {
  auto options = test::field_of(1);
  options.antennas[0].position = {.x = 3};
  options.groups[0].turn_seconds = 8;
  options.groups[0].tags[0].offset = {.x = 0.5, .z = 0.2};
  return options;
}

}  // namespace

TEST_CASE("the portable sine and cosine agree with those of the C library") {
  for (int i = -4000; i <= 4000; ++i) {
    const double turns = 0.00137 * i;
    const gen2::SineCosine made = gen2::portable_sine_cosine(turns);
    CHECK(std::fabs(made.sine - std::sin(kTwoPi * turns)) < 1e-14);
    CHECK(std::fabs(made.cosine - std::cos(kTwoPi * turns)) < 1e-14);
  }
  CHECK(gen2::portable_sine_cosine(0.25).sine == 1);
  CHECK(gen2::portable_sine_cosine(-0.5).cosine == -1);
  CHECK(gen2::portable_sine_cosine(1e6).cosine == 1);
}

TEST_CASE("a tag on a turntable goes around the vertical, counter-clockwise from above") {
  radio::VirtualGroup group;
  group.waypoints = {{.position = {.x = 1, .y = 2, .z = 3}}};
  group.turn_seconds = 8;
  group.offset_seconds = 1;
  const auto place = [&](double seconds) {
    return radio::pose_of(group, group.waypoints[0].position, seconds).place({.x = 0.5, .z = 0.2});
  };
  CHECK(place(1).x == doctest::Approx(1.5));
  CHECK(place(1).z == doctest::Approx(3.2));
  CHECK(place(3).x == doctest::Approx(1));
  CHECK(place(3).y == doctest::Approx(2.5));
  CHECK(place(5).x == doctest::Approx(0.5));
  CHECK(place(7).y == doctest::Approx(1.5));
  CHECK(place(9).x == doctest::Approx(1.5));
}

TEST_CASE("RSSI and phase follow the turning tag and come back after a turn") {
  Field field(table());
  CHECK(field.anything_changes());
  std::vector<radio::Reach> reach(1);
  const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
  for (int i = 0; i <= 80; ++i) {
    const double seconds = 0.1 * i;
    field.illuminate(carrier, seconds, true, reach);
    CHECK(reach[0] == radio::Reach::kHeard);
    const double x = 3 - 0.5 * std::cos(kTwoPi * seconds / 8);
    const double y = 0.5 * std::sin(kTwoPi * seconds / 8);
    const double metres = std::sqrt(x * x + y * y + 0.04);
    const radio::Signal signal = field.signal(carrier, seconds, 0);
    CHECK(std::abs(signal.phase_cdeg - radio::phase_cdeg(metres, 915'250)) <= 1);
    CHECK(std::abs(signal.rssi_cdbm - radio::to_cdbm(carrier.budget.rssi_dbm - 2 * 3 -
                                                     2 * radio::distance_db(metres))) <= 1);
  }
}

TEST_CASE("the dipole of a tag turns with the table: twice a turn it is crossed") {
  auto options = table();
  options.groups[0].tags[0].offset = {};
  options.groups[0].tags[0].axis = Point{.y = 1};
  options.antennas[0].axis = Point{.y = 2};
  Field field(options);
  std::vector<radio::Reach> reach(1);
  const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
  const auto rssi = [&](double seconds) { return field.signal(carrier, seconds, 0).rssi_cdbm; };
  CHECK(rssi(1) == rssi(0) - 602);
  CHECK(rssi(2) == rssi(0) - 6000);
  CHECK(rssi(4) == rssi(0));
  CHECK(rssi(6) == rssi(0) - 6000);
  // And then it has no power.
  const auto powered = [&](double seconds) {
    field.illuminate(carrier, seconds, true, reach);
    return reach[0] != radio::Reach::kNone;
  };
  CHECK(powered(0));
  CHECK_FALSE(powered(2));
  CHECK(powered(4));
}

TEST_CASE("a turning tag that is read all the time shows every phase") {
  radio::VirtualRadio radio(table());
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  test::Keeper keeper;
  std::vector<int> by_sextant(6);
  while (radio.now_ns() < test::kStart + 8'000'000'000) {
    REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
  }
  for (const auto& read : keeper.reads) ++by_sextant[read.phase_cdeg / 6000U];
  for (const int reads : by_sextant) CHECK(reads > 100);
}
