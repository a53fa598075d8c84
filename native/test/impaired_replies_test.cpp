// Capture and loss: what the field does to replies beyond the path loss.
#include "radio/virtual/virtual_radio.h"

#include <set>
#include <string>

#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::VirtualOptions;
using radio::VirtualRadio;

namespace {

struct RoundOutcome {
  radio::RoundResult result;
  std::vector<test::Kept> reads;
};

RoundOutcome outcome_of(const VirtualOptions& options) {
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings()).ok());
  test::Keeper keeper;
  const auto result =
      radio.run_round({.antenna = 1, .session = gen2::Session::kS0, .tag_population = 100}, keeper);
  REQUIRE(result.ok());
  return {.result = result.value(), .reads = keeper.reads};
}

std::size_t different(const std::vector<test::Kept>& reads) {
  std::set<std::string> epcs;
  for (const test::Kept& read : reads) epcs.emplace(read.epc.begin(), read.epc.end());
  return epcs.size();
}

}  // namespace

TEST_CASE("with capture the stronger of two tags is read out of a collision, and all in the end") {
  VirtualOptions options = test::field_of(100);
  // Half the tags are far away: their replies are weaker by many dB.
  for (std::size_t i = 0; i < 50; ++i) options.groups[0].tags[i].offset.z = -1.5;
  const RoundOutcome without = outcome_of(options);
  options.capture_db = 3;
  const RoundOutcome with = outcome_of(options);
  CHECK(different(without.reads) == 100);
  CHECK(different(with.reads) == 100);
  CHECK(with.reads.size() == 100);
  CHECK(with.result.collided_slots < without.result.collided_slots);
  CHECK(with.reads.back().time_ns < without.reads.back().time_ns);
}

TEST_CASE("capture needs the ratio: of equal tags none is understood") {
  VirtualOptions options = test::field_of(50);
  for (auto& tag : options.groups[0].tags) tag.offset = {};
  const RoundOutcome without = outcome_of(options);
  options.capture_db = 1;
  const RoundOutcome with = outcome_of(options);
  CHECK(with.reads == without.reads);
}

TEST_CASE("lost replies cost time, but no tag is lost or read twice") {
  VirtualOptions options = test::field_of(200);
  const RoundOutcome clear = outcome_of(options);
  for (const double loss : {0.05, 0.3}) {
    options.reply_loss = loss;
    const RoundOutcome lossy = outcome_of(options);
    CHECK(lossy.reads.size() == 200);
    CHECK(different(lossy.reads) == 200);
    CHECK(lossy.reads.back().time_ns > clear.reads.back().time_ns);
  }
}

TEST_CASE("if every reply is lost the round ends at its deadline, without a read") {
  VirtualOptions options = test::field_of(5);
  options.reply_loss = 1;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings()).ok());
  test::Keeper keeper;
  const auto result = radio.run_round(
      {.antenna = 1, .tag_population = 5, .deadline_ns = test::kStart + 200'000'000}, keeper);
  REQUIRE(result.ok());
  CHECK(result.value().end == radio::RoundEnd::kDeadline);
  CHECK(keeper.reads.empty());
}

TEST_CASE("the same seed loses the same replies") {
  VirtualOptions options = test::field_of(100);
  options.reply_loss = 0.2;
  options.capture_db = 6;
  CHECK(outcome_of(options).reads == outcome_of(options).reads);
}

TEST_CASE(
    "interference silences tags that it drowns, costs time near the limit, and else nothing") {
  VirtualOptions options = test::field_of(60);
  const RoundOutcome clear = outcome_of(options);
  const double margin_db = clear.reads.front().rssi_cdbm / 100.0 + 91;  // of M4-250
  options.interference = {{.level_db = margin_db - 12}};
  CHECK(outcome_of(options).reads == clear.reads);
  options.interference = {{.level_db = margin_db - 0.5}};
  const RoundOutcome lossy = outcome_of(options);
  CHECK(different(lossy.reads) == lossy.reads.size());
  CHECK(lossy.reads.back().time_ns > clear.reads.back().time_ns);
  options.interference = {{.level_db = margin_db + 6}};
  CHECK(outcome_of(options).reads.empty());
  // It counts only while it is there.
  options.interference.front().from_seconds = 1000;
  CHECK(outcome_of(options).reads == clear.reads);
}
