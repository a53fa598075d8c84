#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "emulated_module.h"
#include "radio/mercury/mercury_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using emulator::mercury::Module;
using radio::mercury::MercuryRadio;
using singulate::test::EmulatedModule;

using singulate::test::kMs;

namespace {

radio::RadioSettings settings(const radio::RadioModule& module, const char* profile) {
  radio::RadioSettings result{.link_profile = profile, .antennas = {}};
  result.antennas.push_back(
      {.port = 1, .transmit_power_cdbm = module.capabilities().max_transmit_power_cdbm});
  return result;
}

std::set<std::vector<std::uint8_t>> epcs_of(const singulate::test::Keeper& keeper) {
  std::set<std::vector<std::uint8_t>> epcs;
  for (const auto& read : keeper.reads) epcs.insert(read.epc);
  return epcs;
}

}  // namespace

TEST_CASE("the driver finds every kind of module and reads its tags") {
  for (const auto* profile : {"m7e", "m6e", "nano"}) {
    CAPTURE(profile);
    EmulatedModule emulated(profile, singulate::test::field_of(40));
    MercuryRadio radio({.path = emulated.path(), .times = singulate::test::kPatient});
    const auto opened = radio.open();
    CHECK(opened.error().message == "");
    REQUIRE(opened.ok());
    CHECK(radio.capabilities().antennas == std::vector<std::uint8_t>{1, 2, 3, 4});
    CHECK(emulated.module().line().baud() == 921'600);
    REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
    singulate::test::Keeper keeper;
    const std::uint64_t until = radio.now_ns() + 20'000 * kMs;
    unsigned rounds = 0;
    std::uint64_t slots = 0;
    while ((rounds < 3 || epcs_of(keeper).size() < 40) && radio.now_ns() < until) {
      const auto result =
          radio.run_round({.antenna = 1, .deadline_ns = radio.now_ns() + 600 * kMs}, keeper);
      REQUIRE(result.ok());
      ++rounds;
      slots += result.value().single_slots;
    }
    CHECK(epcs_of(keeper).size() == 40);
    CHECK(rounds >= 3);
    // Reads come in the order of their times, none of them in the future.
    CHECK(std::is_sorted(keeper.reads.begin(), keeper.reads.end(),
                         [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; }));
    CHECK(keeper.reads.back().time_ns <= radio.now_ns());
    CHECK(keeper.reads.front().frequency_khz == 915'250);
    // The end of its time may cut a round in the middle of a slot.
    CHECK(keeper.reads.size() + rounds >= slots);
    CHECK(emulated.module().counters().lost_records == 0);
    // How hot it is comes with the end of a cycle.
    const std::uint64_t latest = radio.now_ns() + 20'000 * kMs;
    while (!radio.link()->temperature_celsius && radio.now_ns() < latest) {
      REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = latest}, keeper).ok());
    }
    CHECK(radio.link()->temperature_celsius == 29);
    CHECK(radio.idle_until(radio.now_ns()));
    const auto temperature = radio.temperature_celsius();
    REQUIRE(temperature.ok());
    CHECK(temperature.value() == 29);
    CHECK(radio.antenna_connected(1).value());
    CHECK_FALSE(radio.antenna_connected(2).value());
    CHECK(radio.link()->crc_errors == 0);
    radio.close();
  }
}

TEST_CASE("sessions, selects and an embedded read reach the tags through the module") {
  auto field = singulate::test::field_of(10);
  for (std::size_t i = 0; i < 10; ++i) {
    field.groups[0].tags[i].tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, 0, static_cast<std::uint8_t>(i)};
  }
  EmulatedModule emulated("m7e", field);
  MercuryRadio radio(
      {.path = emulated.path(), .baud = 115'200, .times = singulate::test::kPatient});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  radio::SelectList selects;
  gen2::Select one;
  one.target = gen2::SelectTarget::kSl;
  one.pointer = 0x70;
  for (int bit = 15; bit >= 0; --bit) one.mask.append((0x0003 >> bit & 1) != 0);
  selects.selects = {one};
  const std::vector<radio::AccessOp> access{
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4}};
  singulate::test::Keeper keeper;
  const auto result = radio.run_round({.antenna = 1,
                                       .session = gen2::Session::kS1,
                                       .select_filter = gen2::SelectFilter::kSelected,
                                       .selects = &selects,
                                       .access = access,
                                       .deadline_ns = radio.now_ns() + 400 * kMs},
                                      keeper);
  REQUIRE(result.ok());
  REQUIRE(!keeper.reads.empty());
  CHECK(epcs_of(keeper).size() == 1);
  CHECK(keeper.reads[0].epc.back() == 3);
  REQUIRE(keeper.reads[0].access.size() == 1);
  CHECK(keeper.reads[0].access[0].status == radio::AccessStatus::kDone);
  CHECK(keeper.reads[0].access[0].words ==
        std::vector<std::uint16_t>{0xE280, 0x1160, 0x0000, 0x0003});
}

TEST_CASE("what the module cannot do is refused, with its name") {
  EmulatedModule emulated("m7e", singulate::test::field_of(1));
  MercuryRadio radio(
      {.path = emulated.path(), .baud = 115'200, .times = singulate::test::kPatient});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  singulate::test::Keeper keeper;
  radio::SelectList four;
  four.selects.resize(4);
  const auto many = radio.run_round({.antenna = 1, .selects = &four}, keeper);
  REQUIRE(!many.ok());
  CHECK(many.error().message == "more than 3 selects");
  const std::vector<radio::AccessOp> two(2);
  CHECK_FALSE(radio.run_round({.antenna = 1, .access = two}, keeper).ok());
  CHECK_FALSE(radio.configure(settings(radio, "FM0-40")).ok());
}

TEST_CASE("an interrupt ends a round at once, and no module is one clear error") {
  EmulatedModule emulated("m7e", singulate::test::field_of(0));
  MercuryRadio radio(
      {.path = emulated.path(), .baud = 115'200, .times = singulate::test::kPatient});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "M4-250")).ok());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    radio.interrupt();
  });
  singulate::test::Keeper keeper;
  radio::RoundEnd end = radio::RoundEnd::kComplete;
  while (end == radio::RoundEnd::kComplete) {
    const auto result = radio.run_round({.antenna = 1}, keeper);
    REQUIRE(result.ok());
    end = result.value().end;
  }
  CHECK(end == radio::RoundEnd::kInterrupted);
  other.join();
  radio.close();

  MercuryRadio nobody({.path = "/dev/null", .baud = 115'200});
  const auto refused = nobody.open();
  REQUIRE(!refused.ok());
  CHECK(refused.error().message.find("/dev/null") != std::string::npos);
  MercuryRadio missing({.path = "/dev/no-such-line"});
  CHECK(missing.open().error().message.find("No such file") != std::string::npos);
}

TEST_CASE("a module that loses its power is found again, and reading goes on") {
  EmulatedModule emulated("m6e", singulate::test::field_of(5));
  MercuryRadio radio({.path = emulated.path()});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  singulate::test::Keeper keeper;
  const auto read_some = [&](std::size_t reads) {
    const std::uint64_t until = radio.now_ns() + 20'000 * kMs;
    while (keeper.reads.size() < reads && radio.now_ns() < until) {
      REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = until}, keeper).ok());
    }
    REQUIRE(keeper.reads.size() >= reads);
  };
  read_some(20);
  for (int i = 0; i < 2; ++i) {
    emulated.module().post([](Module& module) {
      module.power_cycle();
      module.fall_silent(std::chrono::milliseconds(200));
    });
    // What was on its way comes still; after it nothing does, until the module is found again.
    const auto reconnects = radio.reconnects();
    const std::uint64_t until = radio.now_ns() + 20'000 * kMs;
    while (radio.reconnects() == reconnects && radio.now_ns() < until) {
      REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = until}, keeper).ok());
    }
    CHECK(radio.reconnects() > reconnects);
    read_some(keeper.reads.size() + 50);
  }
}

TEST_CASE(
    "a module that lost its power between two rounds, at the rate that it starts with, is set "
    "again") {
  EmulatedModule emulated("m6e", singulate::test::field_of(5));
  MercuryRadio radio({.path = emulated.path(), .work_baud = 0});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  singulate::test::Keeper keeper;
  const auto round = [&] {
    const auto result = radio.run_round({.antenna = 1,
                                         .session = gen2::Session::kS0,
                                         .deadline_ns = radio.now_ns() + 20'000 * kMs,
                                         .stops_behind = true},
                                        keeper);
    REQUIRE(result.ok());
  };
  round();
  const auto reconnects = radio.reconnects();
  emulated.module().post([](Module& module) { module.power_cycle(); });
  const std::size_t before = keeper.reads.size();
  const std::uint64_t latest = radio.now_ns() + 20'000 * kMs;
  while (keeper.reads.size() < before + 5 && radio.now_ns() < latest) round();
  CHECK(keeper.reads.size() >= before + 5);
  CHECK(radio.reconnects() == reconnects + 1);
}

TEST_CASE("records that come before a late answer to the start are not dated before it") {
  EmulatedModule emulated("m7e", singulate::test::field_of(10),
                          {.line_paced = true, .stall_time = std::chrono::milliseconds(300)});
  MercuryRadio radio(
      {.path = emulated.path(),
       .baud = 115'200,
       .times = {.answer = std::chrono::milliseconds(400), .silence = std::chrono::seconds(6)}});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  singulate::test::Keeper before;
  REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = radio.now_ns() + 200 * kMs}, before).ok());
  REQUIRE(radio.idle_until(radio.now_ns() + 200 * kMs));
  const std::uint64_t from = radio.now_ns();
  REQUIRE(emulated.module().inject("late-start"));
  singulate::test::Keeper after;
  const std::uint64_t latest = from + 20'000 * kMs;
  while (after.reads.size() < 10 && radio.now_ns() < latest) {
    REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = latest}, after).ok());
  }
  REQUIRE(after.reads.size() >= 10);
  for (const auto& read : after.reads) CHECK(read.time_ns >= from);
  radio.close();
}

TEST_CASE("reads that come together are one batch, as far as those who wait for them allow it") {
  class Batches final : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& /*read*/) override {
      ++reads;
      most = std::max(most, ++together);
      return true;
    }
    void begin_batch() override { together = 0; }
    void end_batch() override { together = 0; }
    std::size_t reads = 0;
    std::size_t together = 0;
    std::size_t most = 0;
  };
  EmulatedModule emulated("m7e", singulate::test::field_of(40));
  MercuryRadio radio({.path = emulated.path(), .times = singulate::test::kPatient});
  REQUIRE(radio.open().ok());
  REQUIRE(radio.configure(settings(radio, "FM0-640")).ok());
  CHECK(radio.collect(10 * kMs));
  Batches sink;
  const std::uint64_t latest = radio.now_ns() + 20'000 * kMs;
  while ((sink.reads < 200 || sink.most < 2) && radio.now_ns() < latest) {
    REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = latest}, sink).ok());
  }
  CHECK(sink.most >= 2);
  CHECK(sink.most < sink.reads);
}
