#include "radio/virtual/adaptive_policy.h"

#include <cmath>

#include "radio/virtual/known_population.h"
#include "radio/virtual/occupancy.h"
#include "radio/virtual/random.h"
#include "radio/virtual/slot_times.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::AdaptivePolicy;
using radio::FrameCounts;

namespace {

radio::FrameCosts costs_of(const char* profile) {
  return radio::SlotTimes(*gen2::find_link_profile(profile), gen2::Session::kS0).costs();
}

// A frame as it is expected of so many tags.
FrameCounts expected(double tags, unsigned q) {
  const radio::Occupancy chance = radio::occupancy(tags, q);
  const auto count = [&](double share) {
    return static_cast<std::uint32_t>(std::lround(share * (1U << q)));
  };
  return {.q = q,
          .empty = count(chance.empty),
          .single = count(chance.single),
          .collided = count(chance.collided)};
}

}  // namespace

TEST_CASE("a slot's chances are those of tags that draw at random, and sum up to one") {
  for (const unsigned q : {0U, 1U, 4U, 9U, 15U}) {
    for (const double tags : {0.0, 0.5, 1.0, 2.0, 30.0, 1000.0, 60000.0}) {
      const radio::Occupancy chance = radio::occupancy(tags, q);
      CHECK(chance.empty + chance.single + chance.collided == doctest::Approx(1));
      CHECK(chance.collided >= 0);
      if (q == 0 || tags < 1) continue;
      const double slots = 1U << q;
      CHECK(chance.empty == doctest::Approx(std::pow(1 - 1 / slots, tags)).epsilon(1e-9));
      CHECK(chance.single ==
            doctest::Approx(tags / slots * std::pow(1 - 1 / slots, tags - 1)).epsilon(1e-9));
    }
  }
  CHECK(radio::occupancy(1, 0).single == 1);
  CHECK(radio::occupancy(2, 0).collided == 1);
}

TEST_CASE("the belief comes to the number of tags, whatever was believed before") {
  for (const double tags : {20.0, 100.0, 1000.0}) {
    for (const double believed : {10.0, 5000.0}) {
      const unsigned q = 9;
      const AdaptivePolicy::Belief before{.log_tags = std::log(believed), .precision = 0.25};
      const auto after = AdaptivePolicy::update(before, expected(tags, q));
      CHECK(std::exp(after.log_tags) == doctest::Approx(tags).epsilon(0.06));
      CHECK(after.precision > before.precision);
    }
  }
}

TEST_CASE("one slot alone moves the belief little, many collisions move it far") {
  const AdaptivePolicy::Belief before{.log_tags = std::log(100), .precision = 0.25};
  const auto empty = AdaptivePolicy::update(before, {.q = 7, .empty = 1});
  CHECK(std::exp(empty.log_tags) > 20);
  const auto collided = AdaptivePolicy::update(before, {.q = 7, .collided = 16});
  CHECK(std::exp(collided.log_tags) > 500);
}

TEST_CASE("an expectation of one tag begins with a single slot") {
  AdaptivePolicy policy(costs_of("M4-250"));
  CHECK(policy.first_q(1) == 0);
  CHECK(policy.first_q(1000) == 10);
}

TEST_CASE("a frame that fits is not broken off, one that is far off is, soon") {
  AdaptivePolicy policy(costs_of("FM0-640"));
  policy.first_q(128);
  FrameCounts frame{.q = 7};
  // Slots of a load of one tag, in turns.
  for (unsigned slot = 0; slot < 96; ++slot) {
    if (slot % 3 == 0) ++frame.empty;
    if (slot % 3 == 1) ++frame.single;
    if (slot % 3 == 2) ++frame.collided;
    CHECK_FALSE(policy.after_slot(frame));
  }
  policy.first_q(0);
  FrameCounts jammed{.q = 7};
  std::optional<unsigned> change;
  while (!change && jammed.collided < 40) {
    ++jammed.collided;
    change = policy.after_slot(jammed);
  }
  REQUIRE(change);
  CHECK(*change >= 8);
  CHECK(jammed.collided <= 24);
}

TEST_CASE("the best whole frame for a known number of tags has about the best load") {
  for (const char* profile : {"FM0-640", "M4-250", "M8-160"}) {
    const radio::FrameCosts costs = costs_of(profile);
    CHECK(radio::KnownPopulation::best_q(costs, 1) == 0);
    CHECK(radio::KnownPopulation::best_q(costs, 0) == 0);
    for (const double tags : {2.0, 7.0, 60.0, 1000.0, 9000.0}) {
      const unsigned best = radio::KnownPopulation::best_q(costs, tags);
      for (unsigned q = 0; q <= 15; ++q) {
        CHECK(radio::singulation_rate(costs, tags, q) <=
              radio::singulation_rate(costs, tags, best));
      }
    }
  }
}
