// Everything that can go wrong between a host and a module, again and again while it reads.
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "emulated_module.h"
#include "radio/mercury/mercury_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using emulator::mercury::Module;
using radio::mercury::MercuryRadio;
using std::chrono::milliseconds;
using Epc = std::vector<std::uint8_t>;

using singulate::test::kMs;

namespace {

constexpr std::size_t kTags = 8;
constexpr int kTimes = 100;

// A machine that is busy is not taken for a silent module. Where a module shall be lost and found
// again a host that is hasty finds it soon; that it may be hasty for no reason costs only time.
constexpr milliseconds kLongSilence{2000};
constexpr milliseconds kShortSilence{20};

radio::mercury::MercuryOptions host_options(const std::string& path, milliseconds silence) {
  // The highest rate that a processor emulated by QEMU can tell a line.
  return {.path = path,
          .work_baud = 460'800,
          .times = {.answer = milliseconds(300),
                    .probe = milliseconds(25),
                    .on_cycle = silence == kShortSilence ? milliseconds(10) : milliseconds(30),
                    .silence = silence,
                    .first_pause = milliseconds(2),
                    .longest_pause = milliseconds(20)}};
}

emulator::mercury::ModuleOptions module_options() {
  // What is told at the wrong rate is not understood, on a pseudo-terminal as on a wire.
  return {.line_paced = false,
          .heeds_host_rate = true,
          .stall_time = milliseconds(20),
          .hang_time = milliseconds(50)};
}

// Rounds in the field of a module, and what came of them.
class Host {
 public:
  explicit Host(std::string_view profile, milliseconds silence = kLongSilence,
                gen2::Session session = gen2::Session::kS0)
      : emulated_(profile, singulate::test::field_of(kTags), module_options()),
        radio_(host_options(emulated_.path(), silence)),
        session_(session) {
    // A hasty host may miss it on a busy machine.
    radio::Status opened = radio_.open();
    for (int i = 0; i < 20 && !opened.ok(); ++i) opened = radio_.open();
    CHECK(opened.error().message == "");
    REQUIRE(opened.ok());
    REQUIRE(radio_
                .configure({.link_profile = "FM0-640",
                            .antennas = {{.port = 1, .transmit_power_cdbm = 2700}}})
                .ok());
  }

  void inject(const char* fault) { REQUIRE(emulated_.module().inject(fault)); }

  // While a stream goes on from round to round nothing is sent to the module: what befalls the line
  // befalls reports.
  void inject_in_stream(const char* fault) {
    if (!settled_ || radio_.reconnects() != *settled_) {
      constexpr int kRounds = 3;
      for (int i = 0; i < kRounds; ++i) (void)round();
      REQUIRE(read_more(kTags));
      settled_ = radio_.reconnects();
    }
    inject(fault);
  }

  // One round, long enough for every recovery.
  radio::RoundEnd round() {
    const auto result = radio_.run_round(
        {.antenna = 1, .session = session_, .deadline_ns = radio_.now_ns() + 60'000 * kMs},
        keeper_);
    CHECK(result.ok() == true);
    if (!result.ok()) FAIL(result.error().message);
    return result.value().end;
  }
  // Ends the stream: what the module has read until then comes.
  void stop() {
    radio::RoundEnd end = radio::RoundEnd::kComplete;
    // It may have come to its end already.
    while (end == radio::RoundEnd::kComplete) {
      const auto result = radio_.run_round(
          {.antenna = 1, .session = session_, .deadline_ns = radio_.now_ns()}, keeper_);
      REQUIRE(result.ok());
      end = result.value().end;
    }
    CHECK(end == radio::RoundEnd::kDeadline);
  }
  // So many more reads; false: they do not come.
  bool read_more(std::size_t count) {
    const std::size_t until = keeper_.reads.size() + count;
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (keeper_.reads.size() < until) {
      if (std::chrono::steady_clock::now() > latest) return false;
      (void)round();
    }
    return true;
  }
  // Rounds until it is so.
  template <typename Condition>
  void read_until(const Condition& condition) {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      REQUIRE(std::chrono::steady_clock::now() < latest);
      (void)round();
    }
  }
  // Rounds for so long.
  void read_for(milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) (void)round();
  }

  // What holds whatever happened: reads are of real tags, whole, in the order of their times, and
  // none of them was sent once and reported twice.
  void check() {
    std::set<Epc> known;
    const auto field = singulate::test::field_of(kTags);
    for (const auto& tag : field.groups[0].tags) known.insert(tag.epc);
    const auto& reads = keeper_.reads;
    CHECK(std::all_of(reads.begin(), reads.end(),
                      [&](const auto& read) { return known.count(read.epc) == 1; }));
    CHECK(std::is_sorted(reads.begin(), reads.end(),
                         [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; }));
    CHECK(reads.size() <= emulated_.module().counters().records);
  }

  MercuryRadio& radio() { return radio_; }
  Module& module() { return emulated_.module(); }
  singulate::test::Keeper& keeper() { return keeper_; }

 private:
  singulate::test::EmulatedModule emulated_;
  MercuryRadio radio_;
  gen2::Session session_;
  std::optional<std::uint64_t> settled_;  // with so many reconnects
  singulate::test::Keeper keeper_;
};

void strike_while_reading(const char* fault, const char* mended = nullptr) {
  Host host("m7e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    host.inject_in_stream(fault);
    if (mended != nullptr) {
      (void)host.round();
      host.inject(mended);
    }
    REQUIRE(host.read_more(5));
  }
  host.check();
  CHECK(host.radio().link()->connected);
}

}  // namespace

TEST_CASE("names of faults are known, others are none") {
  singulate::test::EmulatedModule emulated("m7e", singulate::test::field_of(1));
  CHECK_FALSE(emulated.module().inject("earthquake"));
  for (const auto& one : emulator::mercury::faults()) CHECK(emulated.module().inject(one.name));
  Module without_cable(*emulator::mercury::find_profile("m7e"), singulate::test::field_of(1), -1,
                       {});
  CHECK_FALSE(without_cable.inject("unplug"));
  CHECK(without_cable.inject("stall"));
}

TEST_CASE("bytes that are lost on the line cost their record, and reading goes on") {
  Host host("m7e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    const auto discarded = host.radio().link()->discarded_bytes;
    host.inject_in_stream("lost-bytes");
    host.read_until([&] { return host.radio().link()->discarded_bytes > discarded; });
    REQUIRE(host.read_more(5));
  }
  host.check();
  CHECK(host.radio().link()->discarded_bytes >= kTimes);
}

TEST_CASE("bits that turn on the line are found by the CRC, and reading goes on") {
  Host host("m6e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    host.inject_in_stream("bit-errors");
    REQUIRE(host.read_more(kTags));
  }
  host.check();
  CHECK(host.radio().link()->discarded_bytes >= kTimes);
  CHECK(host.radio().link()->crc_errors >= 1);
}

TEST_CASE("commands that the line loses are said again, and the module is not lost") {
  Host host("m7e");
  constexpr int kStrikes = kTimes / 5;
  for (int i = 0; i < kStrikes; ++i) {
    CAPTURE(i);
    host.stop();
    host.inject("lost-bytes");
    // The module is struck before the next command comes.
    std::this_thread::sleep_for(milliseconds(20));
    REQUIRE(host.read_more(5));
  }
  host.check();
  // Now and then for another reason: a machine that is held up for longer than this host waits.
  CHECK(host.radio().reconnects() <= kStrikes / 4);
}

TEST_CASE("bytes that nobody sent are discarded and counted, and reading goes on") {
  Host host("nano");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    host.inject_in_stream("garbage");
    REQUIRE(host.read_more(kTags));
  }
  host.check();
  // Those of the last time may still be on the way. And on a machine that is held up a link may
  // begin again: what came before is thrown away unseen.
  CHECK(host.radio().link()->discarded_bytes >= 300 * kTimes * 9 / 10);
}

TEST_CASE("a line that stalls loses nothing, nor does the stop after it") {
  Host host("m7e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    host.inject_in_stream("stall");
    REQUIRE(host.read_more(kTags));
  }
  host.stop();
  host.check();
  CHECK(host.keeper().reads.size() == host.module().counters().records);
  CHECK(host.radio().link()->discarded_bytes == 0);
}

TEST_CASE("a module that hangs is found again") {
  Host host("m7e", kShortSilence);
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    const auto before = host.radio().reconnects();
    // One between two commands costs no more than saying them again; on a machine that stalls the
    // stream may just have been begun again.
    constexpr int kMostHangs = 100;
    for (int hangs = 0; host.radio().reconnects() == before; ++hangs) {
      REQUIRE(hangs < kMostHangs);
      host.inject_in_stream("hang");
      REQUIRE(host.read_more(10 * kTags));
    }
  }
  host.check();
  CHECK(host.radio().reconnects() >= kTimes);
}

TEST_CASE("a module that loses its power is found, raised to its rate and set as it was") {
  Host host("m6e", kShortSilence);
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    const auto before = host.radio().reconnects();
    host.inject("reset");
    host.read_until([&] { return host.radio().reconnects() > before; });
    REQUIRE(host.read_more(5));
  }
  host.check();
  CHECK(host.radio().reconnects() >= kTimes);
  host.radio().close();
}

TEST_CASE("a module that is too hot reads less, says so, and recovers") {
  strike_while_reading("high-temperature", "temperature-normal");
}

TEST_CASE("antennas that reflect make empty rounds, not an end") {
  strike_while_reading("high-return-loss", "return-loss-normal");
}

TEST_CASE("a module without its antenna goes on when it is back") {
  strike_while_reading("antenna-pulled", "antenna-back");
}

TEST_CASE("a buffer that ran over is counted, and reading goes on") {
  Host host("m7e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    const auto before = host.radio().link()->overflows;
    host.inject_in_stream("buffer-overflow");
    host.read_until([&] { return host.radio().link()->overflows > before; });
    REQUIRE(host.read_more(5));
  }
  host.check();
  CHECK(host.module().counters().lost_records >= kTimes);
}

TEST_CASE("a cable that is pulled and put back costs nothing but its time") {
  Host host("m7e");
  for (int i = 0; i < kTimes; ++i) {
    CAPTURE(i);
    REQUIRE(host.read_more(5));
    host.inject("unplug");
    host.inject("replug");
    REQUIRE(host.read_more(5));
  }
  host.check();
  CHECK(host.radio().reconnects() >= 1);
}

TEST_CASE("a module that is away is told, waited for and found, and an interrupt ends the wait") {
  Host host("m7e");
  REQUIRE(host.read_more(kTags));
  host.inject("unplug");
  std::thread other([&] {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (host.radio().link()->connected && std::chrono::steady_clock::now() < latest) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK_FALSE(host.radio().link()->connected);
    CHECK(host.radio().link()->fault != "");
    host.radio().interrupt();
  });
  radio::RoundEnd end = radio::RoundEnd::kComplete;
  while (end == radio::RoundEnd::kComplete) end = host.round();
  CHECK(end == radio::RoundEnd::kInterrupted);
  other.join();
  // Settings are taken while it is away, and hold when it is back.
  REQUIRE(host.radio()
              .configure({.link_profile = "M4-250",
                          .antennas = {{.port = 1, .transmit_power_cdbm = 2000}}})
              .ok());
  host.inject("reset");
  host.inject("replug");
  REQUIRE(host.read_more(kTags));
  CHECK(host.radio().link()->connected);
  CHECK(host.radio().link()->fault == "");
}

TEST_CASE("no tag is reported twice because the module was lost and found again") {
  // Tags of S2 stay silent once they were read; faults cost reads, but bring none twice.
  for (const char* fault : {"lost-bytes", "garbage", "stall", "hang", "reset", "unplug"}) {
    CAPTURE(fault);
    Host host("m7e", kShortSilence, gen2::Session::kS2);
    for (int i = 0; i < 5; ++i) {
      host.inject(fault);
      if (std::string_view(fault) == "unplug") host.inject("replug");
      host.read_for(milliseconds(40));
    }
    host.read_for(milliseconds(200));
    std::set<Epc> epcs;
    for (const auto& read : host.keeper().reads) epcs.insert(read.epc);
    CHECK(host.keeper().reads.size() == epcs.size());
    host.check();
  }
}
