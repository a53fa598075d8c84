#include <cmath>

#include "gen2/portable_math.h"
#include "radio/virtual/path.h"
#include "radio/virtual/propagation.h"
#include "radio/virtual/random.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::radio;

TEST_CASE("the portable logarithm and exponential agree with those of the C library") {
  for (int i = 0; i < 110; ++i) {
    const double x = 1e-6 * std::pow(1.37, i);
    CHECK(gen2::portable_log(x) == doctest::Approx(std::log(x)).epsilon(1e-13));
  }
  for (int i = -170; i < 170; ++i) {
    const double x = 0.173 * i;
    CHECK(gen2::portable_exp(x) == doctest::Approx(std::exp(x)).epsilon(1e-13));
  }
  CHECK(gen2::portable_log(1) == 0);
  CHECK(gen2::portable_exp(0) == 1);
}

TEST_CASE("free-space loss is that of the reference's table") {
  const auto loss = [](double metres, std::uint32_t khz) {
    return distance_db(metres) + frequency_db(khz);
  };
  CHECK(std::fabs(loss(1, 866'300) - 31.20) < 0.01);
  CHECK(std::fabs(loss(2, 866'300) - 37.22) < 0.01);
  CHECK(std::fabs(loss(5, 915'250) - 45.66) < 0.01);
  CHECK(std::fabs(loss(10, 915'250) - 51.68) < 0.01);
}

TEST_CASE("phase turns by 22 degrees a centimetre and wraps at 360") {
  const int step = phase_cdeg(1.01, 915'250) - phase_cdeg(1.00, 915'250);
  CHECK(std::abs((step + 36'000) % 36'000 - 2198) <= 1);
  for (int i = 0; i < 4000; ++i) CHECK(phase_cdeg(0.0007 * i, 915'250) < 36'000);
}

TEST_CASE("hundredths of a dBm are rounded and stay in range") {
  CHECK(to_cdbm(-45.678) == -4568);
  CHECK(to_cdbm(-45.674) == -4567);
  CHECK(to_cdbm(-1000) == -32768);
}

TEST_CASE("a group moves on straight lines between its waypoints") {
  VirtualGroup group;
  group.waypoints = {{.seconds = 2, .position = {.x = 0, .y = 0, .z = 0}},
                     {.seconds = 4, .position = {.x = 2, .y = 4, .z = 6}},
                     {.seconds = 5, .position = {.x = 2, .y = 4, .z = 0}}};
  CHECK_FALSE(position_at(group, 1.9).has_value());
  CHECK(position_at(group, 2)->x == 0);
  CHECK(position_at(group, 3)->y == 2);
  CHECK(position_at(group, 4.5)->z == 3);
  CHECK(position_at(group, 5)->z == 0);
  CHECK_FALSE(position_at(group, 5.1).has_value());

  group.offset_seconds = 10;
  CHECK_FALSE(position_at(group, 3).has_value());
  CHECK(position_at(group, 13)->y == 2);

  group.period_seconds = 7;
  CHECK(position_at(group, 20)->y == 2);
  CHECK_FALSE(position_at(group, 16).has_value());
  CHECK_FALSE(position_at(group, 5).has_value());
  // A negative offset: under way when the field begins.
  group.offset_seconds = -3;
  CHECK(position_at(group, 0)->y == 2);

  group.waypoints.resize(1);
  CHECK(position_at(group, 1e6)->x == 0);
}

TEST_CASE("random numbers are those of SplitMix64") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317ULL);
  CHECK(random.next() == 3203168211198807973ULL);
  for (int i = 0; i < 1000; ++i) {
    const double unit = random.unit();
    CHECK((unit >= 0 && unit < 1));
    CHECK(random.bits(3) < 8);
    CHECK(random.bits(0) == 0);
  }
}

TEST_CASE("wrong options of a field are all found, by their JavaScript names") {
  auto options = singulate::test::field_of(2);
  CHECK(check_virtual_options(options).empty());
  options.antennas.push_back(options.antennas[0]);
  options.channels_khz = {915'250, 5};
  options.channel_rule.dwell_ms = 0;
  options.groups[0].waypoints = {{.seconds = 1}, {.seconds = 1}};
  options.groups[0].tags[1].epc.resize(7);
  options.groups[0].tags[0].sensitivity_dbm = std::nan("");
  std::vector<std::string> fields;
  for (const auto& fault : check_virtual_options(options)) fields.push_back(fault.field);
  const std::vector<std::string> expected{"antennas[1].port",
                                          "channelsKhz[1]",
                                          "channelRule.dwellMs",
                                          "groups[0].waypoints[1]",
                                          "groups[0].tags[0].sensitivityDbm",
                                          "groups[0].tags[1].epc"};
  CHECK(fields == expected);
}
