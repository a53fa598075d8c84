// Selects, their delay, Sel and the RSSI limit of a round, on the simulated radio.
#include "gen2/link_timing.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::VirtualRadio;

namespace {

// Tags with an odd serial number.
gen2::Select odd(std::uint8_t action = 0) {
  gen2::Select select{.action = action, .bank = gen2::Bank::kEpc, .pointer = 0x20 + 95};
  select.mask.append(true);
  return select;
}

std::vector<test::Kept> round(VirtualRadio& radio, radio::RoundRequest request) {
  request.antenna = 1;
  test::Keeper keeper;
  REQUIRE(radio.run_round(request, keeper).ok());
  return keeper.reads;
}

bool is_odd(const test::Kept& read) { return read.epc.back() % 2 == 1; }

}  // namespace

TEST_CASE("a round reads the tags that its Selects and Sel ask for, and no others") {
  for (const bool selected : {true, false}) {
    VirtualRadio radio(test::field_of(100));
    REQUIRE(radio.configure(test::settings()).ok());
    const radio::SelectList list{.selects = {odd()}};
    const auto reads = round(radio, {.select_filter = selected ? gen2::SelectFilter::kSelected
                                                               : gen2::SelectFilter::kNotSelected,
                                     .selects = &list,
                                     .tag_population = 50});
    CHECK(reads.size() == 50);
    for (const test::Kept& read : reads) CHECK(is_odd(read) == selected);
  }
}

TEST_CASE("Selects act in their order") {
  VirtualRadio radio(test::field_of(100));
  REQUIRE(radio.configure(test::settings()).ok());
  // All asserted, then the odd ones negated.
  const radio::SelectList list{.selects = {gen2::Select{.action = 0}, odd(3)}};
  const auto reads = round(
      radio,
      {.select_filter = gen2::SelectFilter::kSelected, .selects = &list, .tag_population = 50});
  CHECK(reads.size() == 50);
  for (const test::Kept& read : reads) CHECK_FALSE(is_odd(read));
}

TEST_CASE("the delay after the last Select is exact on the air clock, at least T4") {
  const gen2::LinkTiming link(*gen2::find_link_profile("M4-250"));
  const auto first_read = [](const radio::SelectList& list) {
    VirtualRadio radio(test::field_of(1));
    REQUIRE(radio.configure(test::settings()).ok());
    return round(radio, {.selects = &list}).at(0).time_ns;
  };
  const std::uint64_t none = first_read({});
  const std::uint64_t least = first_read({.selects = {odd()}});
  const auto select_ns = static_cast<double>(link.command_time(gen2::encode(odd()))) / 1000;
  const auto after = [&](std::uint64_t time) { return static_cast<double>(time - none); };
  CHECK(after(least) ==
        doctest::Approx(select_ns + static_cast<double>(link.t4()) / 1000).epsilon(1e-5));
  for (const std::uint32_t ms : {1U, 3U, 65U}) {
    const std::uint64_t delayed = first_read({.selects = {odd()}, .delay_us = ms * 1000});
    CHECK(after(delayed) == doctest::Approx(select_ns + ms * 1e6).epsilon(1e-5));
  }
}

TEST_CASE("tags below the RSSI limit are not inventoried: they keep their flag, and are counted") {
  radio::VirtualOptions options = test::field_of(100);
  for (std::size_t i = 0; i < 30; ++i) options.groups[0].tags[i].offset.z = -3;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings()).ok());
  test::Keeper keeper;
  const auto result = radio.run_round(
      {.antenna = 1, .session = gen2::Session::kS2, .min_rssi_cdbm = -4700, .tag_population = 100},
      keeper);
  REQUIRE(result.ok());
  CHECK(keeper.reads.size() == 70);
  for (const test::Kept& read : keeper.reads) CHECK(read.rssi_cdbm >= -4700);
  CHECK(result.value().too_weak > 0);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto flag = radio.population().tag(i).flag(gen2::Session::kS2, radio.now_ns());
    CHECK((flag == gen2::Target::kA) == (i < 30));
  }
}
