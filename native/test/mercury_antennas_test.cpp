// Antennas of a module: those that it goes through by itself, those that are not there, and what it
// costs to switch between them.
#include <algorithm>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "emulated_module.h"
#include "emulator/mercury/air.h"
#include "radio/mercury/antenna_ports.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/mercury/summary_choice.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using emulator::mercury::Module;
using radio::RoundEnd;
using radio::TimedVisit;
using radio::mercury::AntennaPorts;
using radio::mercury::MercuryRadio;
using radio::mercury::PortState;
using singulate::test::EmulatedModule;
using singulate::test::Keeper;
using singulate::test::kMs;

namespace {

constexpr std::uint64_t kLong = 20'000 * kMs;
// Commands of a stream that begins again, once, without its round summaries.
constexpr std::uint64_t kAnotherStart = 8;

radio::VirtualOptions field_with(std::size_t tags, const std::vector<std::uint8_t>& ports) {
  auto field = singulate::test::field_of(tags);
  const auto first = field.antennas.front();
  field.antennas.clear();
  for (const std::uint8_t port : ports) {
    field.antennas.push_back(first);
    field.antennas.back().port = port;
  }
  return field;
}

// A driver on a module that has antennas on these ports, set to read on four.
class FourPorts {
 public:
  FourPorts(const char* profile, std::size_t tags, const std::vector<std::uint8_t>& ports,
            std::uint32_t work_baud = 921'600)
      : emulated_(profile, field_with(tags, ports)),
        radio_({.path = emulated_.path(),
                .work_baud = work_baud,
                .times = singulate::test::kPatient}) {
    REQUIRE(radio_.open().ok());
    radio::RadioSettings settings{.link_profile = "FM0-640", .antennas = {}};
    for (const std::uint8_t port : {1, 2, 3, 4}) {
      settings.antennas.push_back({.port = port, .transmit_power_cdbm = 2700});
    }
    REQUIRE(radio_.configure(settings).ok());
  }

  radio::RoundResult cycle(const std::vector<TimedVisit>& visits) {
    const auto result = radio_.run_round({.antenna = visits.front().antenna,
                                          .session = gen2::Session::kS0,
                                          .deadline_ns = radio_.now_ns() + kLong,
                                          .both_targets = true,
                                          .several = true,
                                          .cycle = visits},
                                         keeper);
    REQUIRE(result.ok());
    return result.value();
  }
  radio::RoundResult round(std::uint8_t port) {
    const auto result =
        radio_.run_round({.antenna = port, .deadline_ns = radio_.now_ns() + kLong}, keeper);
    REQUIRE(result.ok());
    return result.value();
  }
  std::string complaint() { return radio_.link()->complaint; }
  std::uint64_t commands() { return emulated_.module().counters().commands; }
  // Bytes that the module has sent.
  std::uint64_t bytes() {
    std::promise<std::uint64_t> count;
    emulated_.module().post([&](Module& there) { count.set_value(there.line().bytes_sent()); });
    return count.get_future().get();
  }
  Module& module() { return emulated_.module(); }
  MercuryRadio& radio() { return radio_; }

  Keeper keeper;

 private:
  EmulatedModule emulated_;
  MercuryRadio radio_;
};

std::vector<PortState> ports(const std::set<std::uint8_t>& connected) {
  std::vector<PortState> all;
  for (const std::uint8_t port : {1, 2, 3, 4}) {
    all.push_back({.number = port, .connected = connected.count(port) == 1});
  }
  return all;
}

}  // namespace

TEST_CASE("a module goes through its antennas by itself, cycle after cycle, without a command") {
  for (const char* profile : {"m7e", "m6e"}) {
    CAPTURE(profile);
    FourPorts host(profile, 10, {1, 2});
    CHECK(host.radio().capabilities().cycles_antennas);
    const std::vector<TimedVisit> visits{{2, 40}, {1, 60}};
    CHECK(host.cycle(visits).end == RoundEnd::kComplete);
    const auto commands = host.commands();
    const std::uint64_t from = host.radio().now_ns();
    constexpr std::uint64_t kCycles = 20;
    std::uint64_t rounds = 0;
    for (std::uint64_t i = 0; i < kCycles; ++i) rounds += host.cycle(visits).rounds;
    CHECK(host.commands() <= commands + kAnotherStart);
    CHECK(host.radio().now_ns() - from >= (kCycles - 1) * 100 * kMs);
    CHECK(rounds > kCycles);
    std::vector<std::uint8_t> order;
    for (const auto& read : host.keeper.reads) {
      if (order.empty() || order.back() != read.antenna) order.push_back(read.antenna);
    }
    REQUIRE(order.size() >= kCycles);
    CHECK(order[0] == 2);
    CHECK(order[1] == 1);
    // A single antenna after that has its own time again, after what was still on its way.
    CHECK(host.round(1).end == RoundEnd::kComplete);
    host.keeper.reads.clear();
    CHECK(host.round(1).end == RoundEnd::kComplete);
    const auto& reads = host.keeper.reads;
    CHECK(
        std::all_of(reads.begin(), reads.end(), [](const auto& one) { return one.antenna == 1; }));
  }
}

TEST_CASE("modules with pins, or without cycles of their own, are led from antenna to antenna") {
  EmulatedModule silion("silion", singulate::test::field_of(1));
  MercuryRadio asynchronous({.path = silion.path(), .times = singulate::test::kPatient});
  REQUIRE(asynchronous.open().ok());
  CHECK_FALSE(asynchronous.capabilities().cycles_antennas);
  EmulatedModule m7e("m7e", singulate::test::field_of(1));
  MercuryRadio with_pins(
      {.path = m7e.path(), .input_pins = {1}, .times = singulate::test::kPatient});
  REQUIRE(with_pins.open().ok());
  CHECK_FALSE(with_pins.capabilities().cycles_antennas);
}

TEST_CASE("ports without antenna are named once and skipped, in a cycle") {
  FourPorts host("m7e", 3, {1});
  const std::vector<TimedVisit> visits{{1, 30}, {2, 30}, {3, 30}, {4, 30}};
  CHECK(host.complaint() == "");
  CHECK(host.cycle(visits).end == RoundEnd::kComplete);
  const auto commands = host.commands();
  for (int i = 0; i < 20; ++i) {
    CHECK(host.complaint() == "no antenna on ports 2, 3 and 4");
    CHECK(host.cycle(visits).end == RoundEnd::kComplete);
  }
  CHECK(host.commands() <= commands + kAnotherStart);
  CHECK(host.keeper.reads.size() > 20);
}

TEST_CASE("ports without antenna are named once and skipped, one by one") {
  FourPorts host("m6e", 3, {1, 3});
  CHECK(host.round(1).end == RoundEnd::kComplete);
  CHECK(host.round(2).end == RoundEnd::kNoAntenna);
  const auto commands = host.commands();
  for (int i = 0; i < 5; ++i) {
    CHECK(host.complaint() == "no antenna on ports 2 and 4");
    const auto skipped = host.round(2);
    CHECK(skipped.end == RoundEnd::kNoAntenna);
    CHECK(skipped.rounds == 0);
    CHECK(host.round(4).end == RoundEnd::kNoAntenna);
  }
  CHECK(host.commands() == commands);
  CHECK(host.round(3).end == RoundEnd::kComplete);
}

TEST_CASE("antennas that are all pulled are read on for all that, and their return is reported") {
  FourPorts host("m7e", 3, {1, 2, 3, 4});
  const std::vector<TimedVisit> visits{{1, 20}, {2, 20}, {3, 20}, {4, 20}};
  (void)host.cycle(visits);
  CHECK(host.complaint() == "");
  REQUIRE(host.module().inject("antenna-pulled"));
  const std::uint64_t latest = host.radio().now_ns() + kLong;
  while (host.complaint().empty() && host.radio().now_ns() < latest) (void)host.cycle(visits);
  CHECK(host.complaint() == "no antenna on ports 1, 2, 3 and 4");
  REQUIRE(host.module().inject("antenna-back"));
  const std::size_t before = host.keeper.reads.size();
  while (!host.complaint().empty() && host.radio().now_ns() < latest) (void)host.cycle(visits);
  CHECK(host.complaint() == "");
  CHECK(host.keeper.reads.size() > before);
  CHECK(host.radio().reconnects() == 0);
}

TEST_CASE("missing antennas are looked at after ten seconds, then ever later up to a minute") {
  constexpr std::uint64_t kSecond = 1'000 * kMs;
  AntennaPorts known;
  const std::vector<std::uint8_t> used{1, 2, 4};
  CHECK(known.text() == "");
  CHECK_FALSE(known.look_is_due(kSecond));
  CHECK(known.complained(ports({1}), used, 0));
  CHECK(known.text() == "no antenna on ports 2 and 4");
  CHECK_FALSE(known.complained(ports({1}), used, 0));
  std::uint64_t now = 0;
  for (const std::uint64_t pause : {10, 20, 40, 60, 60}) {
    CHECK_FALSE(known.look_is_due(now + pause * kSecond - 1));
    now += pause * kSecond;
    CHECK(known.look_is_due(now));
    known.update(ports({1}), now);
  }
  known.update(ports({1, 2, 3}), now);
  CHECK(known.text() == "no antenna on port 4");
  CHECK_FALSE(known.is_missing(2));
  CHECK(known.complained(ports({}), used, now));
  known.keep(std::vector<std::uint8_t>{2, 3});
  CHECK(known.text() == "no antenna on port 2");
  known.update(ports({1, 2, 4}), now);
  CHECK(known.text() == "");
  CHECK_FALSE(known.look_is_due(now + 100 * kSecond));
  // A module that complains although it finds them all is not asked all the time.
  CHECK_FALSE(known.complained(ports({1, 2, 4}), used, now));
  CHECK_FALSE(known.may_ask(now + 9 * kSecond));
  CHECK(known.may_ask(now + 10 * kSecond));
}

TEST_CASE("rounds that nobody counts do not fill a slow line in a quiet field") {
  FourPorts host("m7e", 0, {1, 2, 3, 4}, 0);
  const std::vector<TimedVisit> visits{{1, 50}, {2, 50}, {3, 50}, {4, 50}};
  CHECK(host.cycle(visits).empty_slots > 0);
  // On a machine that is held up it takes more than a cycle to see what they take.
  const std::uint64_t latest = host.radio().now_ns() + kLong;
  while (host.cycle(visits).empty_slots > 0 && host.radio().now_ns() < latest) continue;
  const std::uint64_t from = host.radio().now_ns();
  const auto before = host.bytes();
  for (int i = 0; i < 5; ++i) (void)host.cycle(visits);
  const auto bytes = static_cast<double>(host.bytes() - before);
  const double seconds = static_cast<double>(host.radio().now_ns() - from) / 1e9;
  CHECK(bytes / seconds < 11'520 / 10.0);
  // Those that are counted are reported.
  CHECK(host.round(1).empty_slots > 0);
}

TEST_CASE("round summaries are spared a line that they fill, and looked at again after a minute") {
  radio::mercury::SummaryChoice choice;
  const auto cycle = [&](std::uint64_t from_ns, int summaries, std::uint32_t baud) {
    choice.begin(from_ns, baud);
    for (int i = 0; i < summaries; ++i) choice.take_summary();
    choice.end_cycle(from_ns + 1'000 * kMs);
  };
  cycle(0, 57, 115'200);
  CHECK(choice.wants(1'000 * kMs));
  cycle(0, 400, 921'600);
  CHECK(choice.wants(1'000 * kMs));
  cycle(0, 58, 115'200);
  CHECK_FALSE(choice.wants(1'000 * kMs));
  CHECK_FALSE(choice.wants(60'999 * kMs));
  CHECK(choice.wants(61'000 * kMs));
}

TEST_CASE("a carrier takes its time to come on, at each start and with each antenna") {
  using emulator::mercury::Air;
  const auto& profile = *emulator::mercury::find_profile("m6e");
  const auto field = field_with(1, {1, 2});
  Air air(profile, field, true);
  const emulator::mercury::Settings settings(profile, air.antennas(), field.channels_khz);
  const auto switch_on = [](Air& one, std::uint8_t port) {
    const std::uint64_t from = one.now_ns();
    one.switch_on(port, [] { return true; });
    return (one.now_ns() - from) / kMs;
  };
  REQUIRE(air.begin(settings) == 0);
  CHECK(switch_on(air, 1) == 20);
  CHECK(switch_on(air, 1) == 0);
  CHECK(switch_on(air, 2) == 20);
  REQUIRE(air.begin(settings) == 0);
  CHECK(switch_on(air, 2) == 20);
  Air at_once(profile, field);
  REQUIRE(at_once.begin(settings) == 0);
  CHECK(switch_on(at_once, 1) == 0);
}

TEST_CASE("reads of a module whose bytes take their time come after its carrier") {
  FourPorts host("m7e", 3, {1});
  for (int i = 0; i < 3; ++i) {
    REQUIRE(host.radio().idle_until(host.radio().now_ns()));
    host.keeper.reads.clear();
    const std::uint64_t from = host.radio().now_ns();
    while (host.keeper.reads.empty()) (void)host.round(1);
    CHECK(host.keeper.reads.front().time_ns >= from + 20 * kMs);
  }
}
