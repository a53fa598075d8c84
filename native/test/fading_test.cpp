#include <cmath>
#include <set>

#include "radio/virtual/field.h"
#include "radio/virtual/rician_fading.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Field;
using radio::RicianFading;

namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Of the power, over many draws.
Moments power(double k_db) {
  const RicianFading fading({.k_db = k_db}, 7);
  constexpr int kDraws = 40'000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value =
        std::pow(10, fading.db(i / 10, static_cast<unsigned>(i % 10), 0, 915'250) / 10);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws;
  return {.mean = mean, .variance = squares / kDraws - mean * mean};
}

}  // namespace

TEST_CASE("the mean power of fading is 1 and its variance that of Rice") {
  for (const double k_db : {-20.0, 0.0, 3.0, 6.0, 10.0, 20.0}) {
    CAPTURE(k_db);
    const double k = std::pow(10, k_db / 10);
    const Moments found = power(k_db);
    CHECK(std::fabs(found.mean - 1) < 0.02);
    CHECK(found.variance == doctest::Approx((1 + 2 * k) / ((1 + k) * (1 + k))).epsilon(0.06));
  }
}

TEST_CASE("a draw belongs to a tag, an antenna, a channel and a stretch of time") {
  const RicianFading fading({.k_db = 6, .hold_ms = 40}, 1);
  CHECK(fading.draw_at(0) == 0);
  CHECK(fading.draw_at(0.0399) == 0);
  CHECK(fading.draw_at(0.0401) == 1);
  const double base = fading.db(3, 5, 0, 915'250);
  CHECK(base == fading.db(3, 5, 0, 915'250));
  CHECK(base == RicianFading({.k_db = 6, .hold_ms = 40}, 1).db(3, 5, 0, 915'250));
  const std::set<double> all{base,
                             fading.db(4, 5, 0, 915'250),
                             fading.db(3, 6, 0, 915'250),
                             fading.db(3, 5, 1, 915'250),
                             fading.db(3, 5, 0, 915'750),
                             RicianFading({.k_db = 6, .hold_ms = 40}, 2).db(3, 5, 0, 915'250)};
  CHECK(all.size() == 6);
  for (int draw = 0; draw < 20'000; ++draw) {
    const double db = fading.db(draw, 1, 0, 915'250);
    CHECK((db >= -60 && db <= fading.most_db()));
  }
}

TEST_CASE("fading is added to the power once and to the RSSI twice") {
  auto options = test::field_of(1);
  options.groups[0].tags[0].offset = {};
  Field clear(options);
  options.fading = radio::Fading{.k_db = 3, .hold_ms = 50};
  options.seed = 9;
  const RicianFading fading(*options.fading, options.seed);
  std::vector<radio::Reach> reach(1);
  const auto carrier = clear.carrier(0, 0, 30, 915'250, -90);
  clear.illuminate(carrier, 0, false, reach);
  const double without = clear.signal(carrier, 0, 0).rssi_cdbm / 100.0;
  const double clear_power = carrier.budget.tag_power_dbm - 3 - radio::distance_db(2);
  for (int draw = 0; draw < 50; ++draw) {
    const double seconds = 0.05 * draw + 0.01;
    const double db = fading.db(draw, 0, 0, 915'250);
    // The chip is just sensitive enough, or just not.
    for (const double margin : {-0.01, 0.01}) {
      options.groups[0].tags[0].sensitivity_dbm = clear_power + db + margin;
      Field field(options);
      field.illuminate(carrier, seconds, false, reach);
      CHECK((reach[0] == radio::Reach::kNone) == (margin > 0));
      CHECK(std::fabs(field.signal(carrier, seconds, 0).rssi_cdbm / 100.0 - (without + 2 * db)) <
            0.011);
    }
  }
}

TEST_CASE("tags that stand still fade too while the carrier stays on") {
  auto options = test::field_of(1);
  options.fading = radio::Fading{.k_db = 0, .hold_ms = 20};
  options.antennas[0].position.z = 10;  // Worked example: -16.7 dBm at 10 m.
  options.groups[0].tags[0].sensitivity_dbm = -16.7;
  Field field(options);
  CHECK(field.anything_changes());
  std::vector<radio::Reach> reach(1);
  const auto carrier = field.carrier(0, 0, 30, 915'250, -90);
  int powered = 0;
  for (int i = 0; i < 500; ++i) {
    field.illuminate(carrier, 0.02 * i + 0.001, i > 0, reach);
    powered += reach[0] == radio::Reach::kNone ? 0 : 1;
  }
  CHECK(powered > 100);
  CHECK(powered < 300);
}

TEST_CASE("one seed gives the same reads with fading, another one others") {
  const auto reads = [](std::uint64_t seed) {
    auto options = test::field_of(60);
    options.antennas[0].position.z = 9;
    options.seed = seed;
    options.fading.emplace();
    options.groups[0].turn_seconds = 3;
    options.channels_khz = {903'250, 915'250, 927'250};
    options.channel_rule.dwell_ms = 100;
    radio::VirtualRadio radio(options);
    REQUIRE(radio.configure(test::settings("FM0-640")).ok());
    test::Keeper keeper;
    for (int i = 0; i < 50; ++i) {
      REQUIRE(radio.run_round({.antenna = 1, .tag_population = 60}, keeper).ok());
    }
    return keeper.reads;
  };
  const auto five = reads(5);
  CHECK(five.size() > 500);
  CHECK(five == reads(5));
  CHECK(five != reads(6));
}

TEST_CASE("fading has the same figures in every build, on every machine") {
  // Written down once, as those of the reads are.
  const RicianFading fading({.k_db = 5, .hold_ms = 50}, 11);
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < 200; ++i) {
    sum = sum * 31 +
          static_cast<std::uint64_t>(std::floor((fading.db(i, i % 7, i % 3, 915'250) + 100) * 1e9));
  }
  CHECK(sum == 11066375121563561434ULL);
}
