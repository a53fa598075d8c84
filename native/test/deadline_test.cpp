// How exactly the simulated radio keeps times: on the air clock, and on the real one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "radio/virtual/packet_log.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;

using singulate::test::kMs;

TEST_CASE("a round with a deadline lasts until then, and sends nothing after it") {
  for (const std::uint64_t ms : {1U, 4U, 7U, 25U, 333U}) {
    CAPTURE(ms);
    radio::VirtualRadio radio(test::field_of(400));
    radio::PacketLog log(100'000);
    radio.observe(&log);
    REQUIRE(radio.configure(test::settings("M4-250")).ok());
    test::Keeper keeper;
    const std::uint64_t deadline = radio.now_ns() + ms * kMs;
    const auto result = radio.run_round({.antenna = 1, .deadline_ns = deadline}, keeper);
    REQUIRE(result.ok());
    CHECK(result.value().end == radio::RoundEnd::kDeadline);
    CHECK(radio.now_ns() == deadline);
    for (const radio::Packet& packet : log.take().packets) CHECK(packet.time_ns < deadline);
    CHECK((keeper.reads.size() > 30) == (ms == 333));
  }
}

TEST_CASE("the tag that was read last learns that the round went on, before the deadline") {
  auto options = test::field_of(60);
  radio::VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("M4-250")).ok());
  test::Keeper keeper;
  for (int visit = 0; visit < 20; ++visit) {
    REQUIRE(radio
                .run_round({.antenna = 1,
                            .session = gen2::Session::kS2,
                            .deadline_ns = radio.now_ns() + 30 * kMs},
                           keeper)
                .ok());
  }
  // In S2 a tag that was read stays read: nobody comes twice.
  std::vector<int> epcs;
  for (const auto& read : keeper.reads) epcs.push_back(read.epc.at(10) * 256 + read.epc.at(11));
  std::sort(epcs.begin(), epcs.end());
  CHECK(std::adjacent_find(epcs.begin(), epcs.end()) == epcs.end());
  CHECK(epcs.size() == 60);
}

TEST_CASE("a watch ends a round within two milliseconds") {
  class Watch : public radio::RoundWatch {
   public:
    explicit Watch(radio::VirtualRadio& radio) : radio_(radio) {}
    bool goes_on() override { return radio_.now_ns() < test::kStart + 100 * kMs; }

   private:
    radio::VirtualRadio& radio_;
  };
  radio::VirtualRadio radio(test::field_of(400));
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  Watch watch(radio);
  test::Keeper keeper;
  const auto result = radio.run_round({.antenna = 1, .watch = &watch}, keeper);
  REQUIRE(result.ok());
  CHECK(result.value().end == radio::RoundEnd::kWatch);
  CHECK(radio.now_ns() < test::kStart + 102 * kMs);
}

TEST_CASE("on the real clock visits and pauses are on time within two milliseconds") {
  auto options = test::field_of(50);
  options.paced = true;
  options.start_ns.reset();
  radio::VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  test::Keeper keeper;
  // The air clock counts from the epoch, so it is compared with the wall clock itself.
  const auto late_ms = [&] {
    const std::chrono::nanoseconds real = std::chrono::system_clock::now().time_since_epoch();
    return (static_cast<double>(real.count()) - static_cast<double>(radio.now_ns())) / kMs;
  };
  // What this machine adds to any wait, no matter who waits.
  const auto nap_late_ms = [] {
    constexpr std::chrono::milliseconds kNap{5};
    const auto from = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(kNap);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - from;
    return took.count() - static_cast<double>(kNap.count());
  };
  // Half of the visits: a machine may be held up now and then.
  std::vector<double> late;
  std::vector<double> naps;
  for (int i = 0; i < 15; ++i) {
    REQUIRE(radio.run_round({.antenna = 1, .deadline_ns = radio.now_ns() + 25 * kMs}, keeper).ok());
    late.push_back(late_ms());
    REQUIRE(radio.idle_until(radio.now_ns() + 10 * kMs));
    late.push_back(late_ms());
    naps.push_back(nap_late_ms());
  }
  std::sort(late.begin(), late.end());
  std::sort(naps.begin(), naps.end());
  CHECK(late.front() > -1);
  // Nobody is on time on a machine that is not.
  const bool punctual = naps[naps.size() * 3 / 4] < 1;
  if (!test::kSlowBuild && punctual) CHECK(late[late.size() / 2] < 2);
}

TEST_CASE("other settings between rounds leave the carrier on, unless its power changes") {
  radio::VirtualRadio radio(test::field_of(10));
  radio::PacketLog log(10'000);
  radio.observe(&log);
  REQUIRE(radio.configure(test::settings("M4-250")).ok());
  test::Keeper keeper;
  REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
  const auto carriers = [&] {
    std::size_t count = 0;
    for (const auto& packet : log.take().packets) {
      count += packet.kind == radio::PacketKind::kCarrierOn ? 1 : 0;
    }
    return count;
  };
  CHECK(carriers() == 1);
  REQUIRE(radio.change(test::settings("FM0-640")).ok());
  REQUIRE(radio.run_round({.antenna = 1, .fresh_carrier = false}, keeper).ok());
  CHECK(carriers() == 0);
  auto louder = test::settings("FM0-640");
  louder.antennas[0].transmit_power_cdbm += 100;
  REQUIRE(radio.change(louder).ok());
  REQUIRE(radio.run_round({.antenna = 1, .fresh_carrier = false}, keeper).ok());
  CHECK(carriers() == 1);
}
