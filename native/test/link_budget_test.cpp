#include <array>
#include <cmath>

#include "radio/virtual/field.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Field;
using radio::Reach;

namespace {

// A tag straight below the antenna.
radio::VirtualOptions below(double metres) {
  auto options = test::field_of(1);
  options.groups[0].tags[0].offset = {};
  options.antennas[0].position = {.x = 0, .y = 0, .z = metres};
  return options;
}

radio::Signal signal(const radio::VirtualOptions& options, std::uint32_t khz = 915'250) {
  Field field(options);
  std::vector<Reach> reach(1);
  const auto carrier = field.carrier(0, 0, 30, khz, -100);
  field.illuminate(carrier, 0, false, reach);
  return field.signal(carrier, 0, 0);
}

Reach reach_at(radio::VirtualOptions options, double sensitivity_dbm, double transmit_dbm = 30,
               std::uint32_t khz = 915'250, double receiver_dbm = -100) {
  options.groups[0].tags[0].sensitivity_dbm = sensitivity_dbm;
  Field field(options);
  std::vector<Reach> reach(1);
  field.illuminate(field.carrier(0, 0, transmit_dbm, khz, receiver_dbm), 0, false, reach);
  return reach[0];
}

double wavelength(double khz) { return 299'792'458.0 / (khz * 1000); }

// The phase of the reference's formula, degrees.
double formula(double metres, double khz) { return std::fmod(720 * metres / wavelength(khz), 360); }

// From one phase on to another, 0..360.
double advance(const radio::Signal& from, const radio::Signal& to) {
  return std::fmod((to.phase_cdeg - from.phase_cdeg) / 100.0 + 360, 360);
}

}  // namespace

TEST_CASE("RSSI, tag power and phase are those of the reference's worked table") {
  struct Row {
    double metres, rssi_dbm, tag_dbm;
  };
  for (const Row& row : {Row{1, -29.4, 3.3}, Row{2, -41.4, -2.7}, Row{3, -48.4, -6.2},
                         Row{5, -57.3, -10.7}, Row{10, -69.4, -16.7}}) {
    CAPTURE(row.metres);
    const auto options = below(row.metres);
    CHECK(std::fabs(signal(options).rssi_cdbm / 100.0 - row.rssi_dbm) < 0.1);
    CHECK(std::fabs(signal(options).phase_cdeg / 100.0 - formula(row.metres, 915'250)) < 0.011);
    // A chip 0.1 dB better answers, one 0.1 dB worse does not.
    CHECK(reach_at(options, row.tag_dbm - 0.1) == Reach::kHeard);
    CHECK(reach_at(options, row.tag_dbm + 0.1) == Reach::kNone);
  }
}

TEST_CASE("phase turns by 21.98 degrees a centimetre, and by 6 degrees a channel at 5 m") {
  const auto step = advance(signal(below(2)), signal(below(2.01)));
  CHECK(std::fabs(step - 21.98) < 0.02);
  const auto lower = advance(signal(below(2), 866'000), signal(below(2.01), 866'000));
  CHECK(std::fabs(lower - 20.8) < 0.02);
  const auto channel = advance(signal(below(5), 915'250), signal(below(5), 915'750));
  CHECK(std::fabs(channel - 720 * 5 * 500e3 / 299'792'458.0) < 0.011);
  CHECK(std::fabs(channel - 6) < 0.01);
  // It repeats every half wavelength: 16.4 cm.
  const auto half = advance(signal(below(2)), signal(below(2 + wavelength(915'250) / 2)));
  CHECK(std::min(half, 360 - half) < 0.011);
}

TEST_CASE("a chip's sensitivity decides the range, as in the reference's table") {
  struct Row {
    double sensitivity_dbm, metres;
  };
  for (const Row& row :
       {Row{-14, 7.3}, Row{-18, 11.6}, Row{-20, 14.7}, Row{-22.1, 18.7}, Row{-24, 23.2}}) {
    CAPTURE(row.metres);
    CHECK(reach_at(below(row.metres - 0.06), row.sensitivity_dbm, 30, 915'000) == Reach::kHeard);
    CHECK(reach_at(below(row.metres + 0.06), row.sensitivity_dbm, 30, 915'000) == Reach::kNone);
  }
}

TEST_CASE("a cable costs its loss on the way out and on the way back") {
  auto options = below(2);
  const int without = signal(options).rssi_cdbm;
  options.antennas[0].cable_loss_db = 2.5;
  CHECK(signal(options).rssi_cdbm == without - 500);
  // 2.5 dB less than the -2.7 dBm of the table: 2.5 dB more power makes up for it.
  CHECK(reach_at(options, -5.3) == Reach::kHeard);
  CHECK(reach_at(options, -5.1) == Reach::kNone);
  CHECK(reach_at(options, -2.8, 32.5) == Reach::kHeard);
}

TEST_CASE("a tag with power is deaf to the receiver when its reply is too weak") {
  // -57.3 dBm at 5 m.
  CHECK(reach_at(below(5), -18, 30, 915'250, -57.4) == Reach::kHeard);
  CHECK(reach_at(below(5), -18, 30, 915'250, -57.2) == Reach::kDeaf);
}

TEST_CASE("the phase of a moving tag advances as the Doppler effect has it") {
  // Past the antenna at 3 m/s, 1 m below.
  auto options = below(1);
  options.groups[0].waypoints = {{.seconds = 0, .position = {.x = -3}},
                                 {.seconds = 2, .position = {.x = 3}}};
  options.groups[0].period_seconds = 2;
  radio::VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  test::Keeper keeper;
  // S0 and fresh power: read again and again, some 200 times a second.
  while (radio.now_ns() < test::kStart + 1'900'000'000) {
    REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
  }
  REQUIRE(keeper.reads.size() > 300);
  double unwrapped = keeper.reads[0].phase_cdeg / 100.0;
  const auto metres = [](const test::Kept& read) {
    const double x = -3 + 3 * static_cast<double>(read.time_ns - test::kStart) * 1e-9;
    return std::sqrt(x * x + 1);
  };
  const double first = unwrapped - 720 * metres(keeper.reads[0]) / wavelength(915'250);
  for (std::size_t i = 1; i < keeper.reads.size(); ++i) {
    const double step = (keeper.reads[i].phase_cdeg - keeper.reads[i - 1].phase_cdeg) / 100.0;
    unwrapped += step - 360 * std::floor(step / 360 + 0.5);
    const double expected = first + 720 * metres(keeper.reads[i]) / wavelength(915'250);
    CHECK(std::fabs(unwrapped - expected) < 0.1);
  }
}

TEST_CASE("tags that lose power lose S0, and keep S2 for a while") {
  // The tag comes into the field, leaves it and comes back, while the carrier stays on.
  auto options = below(1);
  options.groups[0].waypoints = {{.seconds = 0, .position = {}},
                                 {.seconds = 0.1, .position = {.x = 30}},
                                 {.seconds = 0.2, .position = {}},
                                 {.seconds = 10, .position = {}}};
  const auto reads = [&](gen2::Session session) {
    radio::VirtualRadio radio(options);
    REQUIRE(radio.configure(test::settings("FM0-640")).ok());
    test::Keeper keeper;
    for (bool fresh = true; radio.now_ns() < test::kStart + 300'000'000; fresh = false) {
      REQUIRE(
          radio.run_round({.antenna = 1, .session = session, .fresh_carrier = fresh}, keeper).ok());
    }
    return keeper.reads.size();
  };
  CHECK(reads(gen2::Session::kS0) == 2);
  CHECK(reads(gen2::Session::kS2) == 1);
}

TEST_CASE("a round with a beam that the antenna does not have is an error") {
  auto options = below(2);
  options.antennas[0].beams = {{.gain_dbi = 9}};
  radio::VirtualRadio radio(options);
  auto settings = test::settings();
  for (const std::uint16_t beam : std::array<std::uint16_t, 2>{1, 2}) {
    settings.antennas.push_back({.port = 1, .beam = beam, .transmit_power_cdbm = 3000});
  }
  REQUIRE(radio.configure(settings).ok());
  test::Keeper keeper;
  REQUIRE(radio.run_round({.antenna = 1, .beam = 1}, keeper).ok());
  const int beam = keeper.reads.at(0).rssi_cdbm;
  REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
  CHECK(beam == keeper.reads.at(1).rssi_cdbm + 600);
  const auto result = radio.run_round({.antenna = 1, .beam = 2}, keeper);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == radio::ErrorCode::kBadSettings);
  CHECK(result.error().message == "antenna 1 has no beam 2; allowed: 0..1");
}
