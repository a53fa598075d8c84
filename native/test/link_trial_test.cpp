// Which link profile is taken, from what came of each on the air.
#include "inventory/link_trial.h"

#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using inventory::best_trial;
using inventory::LinkTrial;

namespace {

// Tags of these numbers, so many reads a second.
LinkTrial trial(std::uint64_t first, std::uint64_t last, std::uint64_t per_second,
                bool complete = true) {
  LinkTrial result{.reads = per_second / 20, .time_ns = 50'000'000, .complete = complete};
  for (std::uint64_t tag = first; tag <= last; ++tag) result.tags.push_back(tag);
  return result;
}

class Always final : public radio::RoundWatch {
 public:
  bool goes_on() override { return true; }
};

}  // namespace

TEST_CASE("the link profile with the most reads a second is taken") {
  CHECK(best_trial({trial(1, 50, 1200), trial(1, 50, 800), trial(1, 50, 200)}, 2) == 0);
}

TEST_CASE("the present link profile stays unless another is clearly better") {
  CHECK(best_trial({trial(1, 50, 220), trial(1, 50, 200)}, 1) == 1);
  CHECK(best_trial({trial(1, 50, 240), trial(1, 50, 200)}, 1) == 0);
}

TEST_CASE("a fast link profile that hears only some of the tags is not taken") {
  CHECK(best_trial({trial(1, 10, 1200), trial(1, 50, 200)}, 1) == 1);
  // Also if the slow one had no time for all of them.
  CHECK(best_trial({trial(1, 10, 1200), trial(5, 16, 200, false)}, 1) == 1);
  // A fast one that was cut short may hear them all.
  CHECK(best_trial({trial(1, 60, 1200, false), trial(30, 80, 200)}, 1) == 0);
}

TEST_CASE("without any read the link profile stays") {
  CHECK(best_trial({LinkTrial{}, LinkTrial{}, LinkTrial{}}, 1) == 1);
}

TEST_CASE("a present link profile that hears nothing is left") {
  CHECK(best_trial({LinkTrial{.complete = true}, trial(1, 5, 100)}, 0) == 1);
}

TEST_CASE("a trial leaves the flags of S1 to S3 as they are, and is over in its time") {
  radio::VirtualRadio radio(test::field_of(300));
  REQUIRE(radio.configure(test::settings("M8-160")).ok());
  Always always;
  const auto tried = inventory::try_link(radio, 1, 0, always);
  REQUIRE(tried.ok());
  CHECK(tried.value().reads > 2);
  CHECK(tried.value().tags.size() == tried.value().reads);
  CHECK_FALSE(tried.value().complete);
  CHECK(radio.now_ns() - test::kStart <= inventory::kLinkTrialNs + 1'000'000);
  test::Keeper keeper;
  REQUIRE(
      radio.run_round({.antenna = 1, .session = gen2::Session::kS2, .tag_population = 300}, keeper)
          .ok());
  CHECK(keeper.reads.size() == 300);
}
