#include "radio/virtual/virtual_radio.h"

#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include "radio/virtual/slot_times.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Session;
using gen2::Target;
using radio::RoundEnd;
using radio::RoundRequest;
using radio::VirtualRadio;
using test::field_of;
using test::Keeper;
using test::kStart;

namespace {

constexpr std::uint64_t kRestartNs = 2'500'000;

radio::RoundResult run(VirtualRadio& radio, const RoundRequest& request, Keeper& keeper) {
  const auto result = radio.run_round(request, keeper);
  REQUIRE(result.ok());
  return result.value();
}

// Reads per second of air over several rounds of A and B in turns; the carrier stays on.
double rate(std::size_t tags, const std::string& profile, std::uint16_t population, int rounds) {
  VirtualRadio radio(field_of(tags));
  REQUIRE(radio.configure(test::settings(profile)).ok());
  Keeper keeper;
  Target target = Target::kA;
  std::uint64_t from = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto result = run(radio,
                            {.antenna = 1,
                             .session = Session::kS2,
                             .target = target,
                             .tag_population = population,
                             .fresh_carrier = i == 0},
                            keeper);
    CHECK(result.end == RoundEnd::kComplete);
    CHECK(result.single_slots == tags);
    target = other(target);
    if (i == 0) {
      from = radio.now_ns();
      keeper.reads.clear();
    }
  }
  return static_cast<double>(keeper.reads.size()) * 1e9 /
         static_cast<double>(radio.now_ns() - from);
}

}  // namespace

TEST_CASE("a round reads every tag once, in the order of time") {
  VirtualRadio radio(field_of(200));
  REQUIRE(radio.configure(test::settings()).ok());
  Keeper keeper;
  const auto result = run(radio, {.antenna = 1, .tag_population = 200}, keeper);
  CHECK(result.end == RoundEnd::kComplete);
  CHECK(result.single_slots == 200);
  std::set<std::string> epcs;
  std::uint64_t last = 0;
  for (const auto& read : keeper.reads) {
    epcs.emplace(read.epc.begin(), read.epc.end());
    CHECK(read.time_ns > last);
    last = read.time_ns;
    CHECK(read.frequency_khz == 915'250);
    CHECK(read.antenna == 1);
  }
  CHECK(epcs.size() == 200);
  // Without new power all tags are B now.
  CHECK(run(radio, {.antenna = 1, .fresh_carrier = false}, keeper).single_slots == 0);
  CHECK(run(radio, {.antenna = 1, .target = Target::kB, .fresh_carrier = false}, keeper)
            .single_slots == 200);
  // After new power S0 is A again.
  CHECK(run(radio, {.antenna = 1}, keeper).single_slots == 200);
}

TEST_CASE("one tag costs exactly its commands and replies") {
  VirtualRadio radio(field_of(1));
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  Keeper keeper;
  run(radio, {.antenna = 1}, keeper);
  const auto& profile = *gen2::find_link_profile("FM0-640");
  const gen2::LinkTiming timing(profile);
  const gen2::Query query{.divide_ratio = profile.divide_ratio, .coding = profile.coding};
  // The RN16 is the tag's second draw of numbers after its slot: its ones decide the time of
  // ACK, which lies between all zeros and all ones.
  const auto at = [&](unsigned ones) {
    return kStart + kRestartNs +
           (timing.query_time(encode(query)) + timing.listen(16) +
            timing.command_time(18, 1 + ones) + timing.t1() + timing.reply_time(128)) /
               1000;
  };
  REQUIRE(keeper.reads.size() == 1);
  bool exact = false;
  for (unsigned ones = 0; ones <= 16; ++ones) exact = exact || keeper.reads[0].time_ns == at(ones);
  CHECK(exact);
}

TEST_CASE("an empty field costs a Query and its silence") {
  VirtualRadio radio(field_of(0));
  REQUIRE(radio.configure(test::settings()).ok());
  Keeper keeper;
  const auto result = run(radio, {.antenna = 1}, keeper);
  CHECK(result.empty_slots == 1);
  const auto& profile = *gen2::find_link_profile("M4-250");
  const gen2::LinkTiming timing(profile);
  const gen2::Query query{.divide_ratio = profile.divide_ratio, .coding = profile.coding};
  CHECK(radio.now_ns() ==
        kStart + kRestartNs + (timing.query_time(encode(query)) + timing.silence()) / 1000);
}

TEST_CASE("read rates come within a few percent of the theoretical ceiling, never above 1/Ts") {
  struct Ceiling {
    const char* profile;
    double tags_per_second, hard;
  };
  for (const auto& ceiling : {Ceiling{"FM0-640", 1440, 1916}, Ceiling{"M2-320", 487, 608},
                              Ceiling{"M4-250", 214, 261}, Ceiling{"M8-160", 97, 108}}) {
    for (const std::size_t tags : {100U, 1000U}) {
      CAPTURE(ceiling.profile);
      CAPTURE(tags);
      const double reached =
          rate(tags, ceiling.profile, static_cast<std::uint16_t>(tags), tags == 100 ? 40 : 8);
      CAPTURE(reached);
      CHECK(reached > 0.94 * ceiling.tags_per_second);
      CHECK(reached < 1.02 * ceiling.tags_per_second);
      CHECK(reached < ceiling.hard);
    }
  }
}

TEST_CASE("a wrong population estimate costs little") {
  CHECK(rate(1000, "M4-250", 1, 6) > 200);
  CHECK(rate(1000, "M4-250", 65535, 6) > 190);
  CHECK(rate(10, "M4-250", 1000, 40) > 100);
}

TEST_CASE("one seed gives the same reads, another one others") {
  const auto reads = [](std::uint64_t seed) {
    auto options = field_of(40);
    options.seed = seed;
    VirtualRadio radio(options);
    REQUIRE(radio.configure(test::settings("FM0-640")).ok());
    Keeper keeper;
    for (int i = 0; i < 5; ++i) run(radio, {.antenna = 1, .session = Session::kS1}, keeper);
    return keeper.reads;
  };
  CHECK(reads(5) == reads(5));
  CHECK(reads(5) != reads(6));
}

TEST_CASE("the reads of a seed are the same in every build, on every machine") {
  // The figures were written down once. Who changes them changes every recorded benchmark.
  VirtualRadio radio(field_of(20));
  REQUIRE(radio.configure(test::settings("M2-320")).ok());
  Keeper keeper;
  run(radio, {.antenna = 1, .tag_population = 20}, keeper);
  std::uint64_t sum = 0;
  for (const auto& read : keeper.reads) {
    sum = sum * 31 + read.time_ns - kStart;
    sum = sum * 31 + static_cast<std::uint16_t>(read.rssi_cdbm);
    sum = sum * 31 + read.phase_cdeg;
    sum = sum * 31 + read.epc[11];
  }
  CHECK(keeper.reads.size() == 20);
  CHECK(sum == 4875937499430934650ULL);
}

TEST_CASE("a round ends at its deadline, at most one slot later") {
  VirtualRadio radio(field_of(500));
  REQUIRE(radio.configure(test::settings("M8-160")).ok());
  Keeper keeper;
  const std::uint64_t deadline = kStart + 200'000'000;
  const auto result =
      run(radio, {.antenna = 1, .tag_population = 500, .deadline_ns = deadline}, keeper);
  CHECK(result.end == RoundEnd::kDeadline);
  CHECK(radio.now_ns() >= deadline);
  CHECK(radio.now_ns() < deadline + 12'000'000);
  CHECK(keeper.reads.size() > 10);
}

TEST_CASE("a read that nobody takes ends the round") {
  VirtualRadio radio(field_of(100));
  REQUIRE(radio.configure(test::settings()).ok());
  Keeper keeper;
  keeper.limit = 5;
  CHECK(run(radio, {.antenna = 1, .tag_population = 100}, keeper).end == RoundEnd::kInterrupted);
  CHECK(keeper.reads.size() == 5);
}

TEST_CASE("RSSI and phase are those of the reference's worked example") {
  auto options = field_of(1);
  options.groups[0].tags[0].offset = {};
  for (const auto& [metres, rssi] :
       {std::pair{1.0, -29.4}, {2.0, -41.4}, {3.0, -48.4}, {5.0, -57.3}}) {
    options.antennas[0].position = {.x = 0, .y = 0, .z = metres};
    VirtualRadio radio(options);
    REQUIRE(radio.configure(test::settings()).ok());
    Keeper keeper;
    run(radio, {.antenna = 1}, keeper);
    REQUIRE(keeper.reads.size() == 1);
    CHECK(std::fabs(keeper.reads[0].rssi_cdbm / 100.0 - rssi) < 0.06);
    const double degrees = std::fmod(720 * metres / (299'792'458.0 / 915.25e6), 360);
    CHECK(std::fabs(keeper.reads[0].phase_cdeg / 100.0 - degrees) < 0.011);
  }
}

TEST_CASE("a tag is silent without power, and a weak reply is not heard") {
  auto options = field_of(1);
  options.groups[0].tags[0].offset = {};
  const auto singles = [&](double metres, double sensitivity, const std::string& profile) {
    options.antennas[0].position.z = metres;
    options.groups[0].tags[0].sensitivity_dbm = sensitivity;
    VirtualRadio radio(options);
    REQUIRE(radio.configure(test::settings(profile)).ok());
    Keeper keeper;
    return run(radio, {.antenna = 1}, keeper).single_slots;
  };
  // Worked example: -16.7 dBm at 10 m.
  CHECK(singles(10, -16.6, "M4-250") == 0);
  CHECK(singles(10, -16.8, "M4-250") == 1);
  // -93.5 dBm at 40 m: below M4-250 (-91), above M8-160 (-98).
  CHECK(singles(40, -60, "M4-250") == 0);
  CHECK(singles(40, -60, "M8-160") == 1);
}

TEST_CASE("a group passes by, and comes again with its period") {
  auto options = field_of(3);
  options.groups[0].waypoints = {{.seconds = 0, .position = {.x = 0, .y = -20, .z = 0}},
                                 {.seconds = 4, .position = {.x = 0, .y = 20, .z = 0}}};
  options.groups[0].period_seconds = 10;
  options.groups[0].offset_seconds = 1;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  std::vector<int> by_second(25);
  Keeper keeper;
  while (radio.now_ns() < kStart + 25'000'000'000) run(radio, {.antenna = 1}, keeper);
  for (const auto& read : keeper.reads) ++by_second[(read.time_ns - kStart) / 1'000'000'000];
  for (const std::size_t second : {2U, 3U, 12U, 13U, 22U, 23U}) CHECK(by_second[second] > 50);
  for (const std::size_t second : {0U, 5U, 6U, 9U, 10U, 15U, 16U, 20U})
    CHECK(by_second[second] == 0);
}

TEST_CASE("S1 makes a tag rest for half a second to five seconds") {
  VirtualRadio radio(field_of(1));
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  Keeper keeper;
  while (keeper.reads.size() < 6) run(radio, {.antenna = 1, .session = Session::kS1}, keeper);
  for (std::size_t i = 1; i < keeper.reads.size(); ++i) {
    const std::uint64_t rest = keeper.reads[i].time_ns - keeper.reads[i - 1].time_ns;
    CHECK(rest >= 500'000'000);
    CHECK(rest < 5'010'000'000);
  }
}

TEST_CASE("channels are used in their order, each for its dwell, also inside a round") {
  auto options = field_of(300);
  options.channels_khz = {903'000, 915'000, 927'000};
  options.channel_rule.dwell_ms = 100;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("M4-250")).ok());
  Keeper keeper;
  run(radio, {.antenna = 1, .session = Session::kS2, .tag_population = 300}, keeper);
  CHECK(keeper.reads.size() == 300);
  std::vector<std::uint32_t> order;
  std::uint64_t since = 0;
  for (const auto& read : keeper.reads) {
    if (order.empty() || order.back() != read.frequency_khz) {
      order.push_back(read.frequency_khz);
      since = read.time_ns;
    }
    CHECK(read.time_ns - since < 105'000'000);
  }
  REQUIRE(order.size() > 6);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == options.channels_khz[i % 3]);
}

TEST_CASE("a paced radio keeps to real time and is never early") {
  class Late : public Keeper {
   public:
    bool on_read(const radio::TagRead& read) override {
      const auto now =
          static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::system_clock::now().time_since_epoch())
                                         .count());
      early = early || read.time_ns > now + 500'000;
      return Keeper::on_read(read);
    }
    bool early = false;
  };
  auto options = field_of(20);
  options.paced = true;
  options.start_ns.reset();
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings()).ok());
  Late keeper;
  const auto before = std::chrono::steady_clock::now();
  const std::uint64_t deadline = radio.now_ns() + 150'000'000;
  while (radio.now_ns() < deadline) {
    run(radio, {.antenna = 1, .deadline_ns = deadline}, keeper);
  }
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(149));
  CHECK_FALSE(keeper.early);
  CHECK(keeper.reads.size() > 10);
}

TEST_CASE("a paced radio hands its reads over in batches, none of which waits for too long") {
  class Batches : public Keeper {
   public:
    void begin_batch() override { open = true; }
    void end_batch() override {
      open = false;
      ++ended;
      first_ns = 0;
    }
    bool on_read(const radio::TagRead& read) override {
      outside = outside || !open;
      if (first_ns == 0) first_ns = read.time_ns;
      longest_ns = std::max(longest_ns, read.time_ns - first_ns);
      return Keeper::on_read(read);
    }
    bool open = false;
    bool outside = false;
    std::uint64_t ended = 0;
    std::uint64_t first_ns = 0;
    std::uint64_t longest_ns = 0;
  };
  constexpr std::uint64_t kSlotNs = 3'000'000;
  const auto batches_with = [&](std::uint64_t collect_ns) {
    auto options = field_of(20);
    options.paced = true;
    VirtualRadio radio(options);
    CHECK(radio.collect(collect_ns));
    REQUIRE(radio.configure(test::settings()).ok());
    Batches batches;
    const std::uint64_t from = radio.now_ns();
    while (radio.now_ns() < from + 300'000'000) {
      run(radio, {.antenna = 1, .deadline_ns = from + 300'000'000}, batches);
    }
    CHECK_FALSE(batches.outside);
    CHECK(batches.longest_ns <= collect_ns + kSlotNs);
    // Two rounds may share one, so it is never much shorter than half of the time.
    CHECK(batches.ended <= (radio.now_ns() - from) / (collect_ns / 2) + 1);
    CHECK(batches.ended < batches.reads.size());
    return batches.ended;
  };
  CHECK(batches_with(10'000'000) > 0);
  auto options = field_of(1);
  options.paced = false;
  CHECK_FALSE(VirtualRadio(options).collect(10'000'000));
}

TEST_CASE("interrupt ends a paced round at once, from another thread, and all later ones") {
  auto options = field_of(500);
  options.paced = true;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("M8-160")).ok());
  Keeper keeper;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    radio.interrupt();
  });
  const auto before = std::chrono::steady_clock::now();
  CHECK(run(radio, {.antenna = 1, .tag_population = 500}, keeper).end == RoundEnd::kInterrupted);
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(3));
  other.join();
  CHECK(run(radio, {.antenna = 1}, keeper).end == RoundEnd::kInterrupted);
  REQUIRE(radio.configure(test::settings("M8-160")).ok());
  CHECK(run(radio, {.antenna = 1, .deadline_ns = radio.now_ns() + 20'000'000}, keeper).end ==
        RoundEnd::kDeadline);
}

TEST_CASE("settings and rounds that the radio does not know are errors") {
  VirtualRadio radio(field_of(1));
  Keeper keeper;
  CHECK_FALSE(radio.run_round({.antenna = 1}, keeper).ok());
  CHECK(radio.configure(test::settings("M16-1")).error().code == radio::ErrorCode::kBadSettings);
  CHECK_FALSE(radio.configure(test::settings("M4-250", {2})).ok());
  CHECK_FALSE(radio.temperature_celsius().ok());
  CHECK(radio.antenna_connected(1).error().code == radio::ErrorCode::kNotSupported);
}
