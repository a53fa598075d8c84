#include <chrono>
#include <thread>

#include "gen2/crc.h"
#include "radio/replay/replay_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::ReplayOptions;
using radio::ReplayRadio;
using radio::RoundEnd;
using test::Keeper;
using test::kStart;

using singulate::test::kMs;

namespace {

ReplayOptions recording(std::size_t reads, std::uint64_t spacing_ns) {
  ReplayOptions options;
  options.paced = false;
  options.start_ns = kStart;
  for (std::size_t i = 0; i < reads; ++i) {
    radio::RecordedRead read;
    read.time_ns = i * spacing_ns;
    read.antenna = static_cast<std::uint8_t>(1 + i % 2);
    read.epc_bytes = 12;
    read.epc[11] = static_cast<std::uint8_t>(i);
    read.rssi_cdbm = -5000;
    options.reads.push_back(read);
  }
  return options;
}

RoundEnd play(ReplayRadio& radio, Keeper& keeper, std::uint64_t deadline = radio::kNoDeadline) {
  const auto result = radio.run_round({.deadline_ns = deadline}, keeper);
  REQUIRE(result.ok());
  return result.value().end;
}

}  // namespace

TEST_CASE("a recording is played to its end, with its own times") {
  ReplayRadio radio(recording(10, 5 * kMs));
  CHECK(radio.capabilities().sequences_antennas);
  CHECK(radio.capabilities().antennas == std::vector<std::uint8_t>{1, 2});
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  Keeper keeper;
  CHECK(play(radio, keeper) == RoundEnd::kEndOfRecording);
  REQUIRE(keeper.reads.size() == 10);
  CHECK(keeper.reads[9].time_ns == kStart + 45 * kMs);
  CHECK(radio.now_ns() == kStart + 45 * kMs);
  CHECK(play(radio, keeper) == RoundEnd::kEndOfRecording);
  CHECK(keeper.reads.size() == 10);
}

TEST_CASE("PC and CRC are computed where a recording has none") {
  auto options = recording(2, 1);
  options.reads[1].pc = 0x3400;
  options.reads[1].crc = 0xBEEF;
  ReplayRadio radio(std::move(options));
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  Keeper keeper;
  play(radio, keeper);
  CHECK(keeper.reads[0].crc == gen2::packet_crc(0x3000, keeper.reads[0].epc));
  CHECK(keeper.reads[1].crc == 0xBEEF);
}

TEST_CASE("reads of a recording are sorted by time, and equal times keep their order") {
  auto options = recording(6, 0);
  options.reads[5].time_ns = 1;
  std::swap(options.reads[0], options.reads[5]);
  ReplayRadio radio(std::move(options));
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  Keeper keeper;
  play(radio, keeper);
  std::vector<int> order;
  for (const auto& read : keeper.reads) order.push_back(read.epc[11]);
  CHECK(order == std::vector<int>{1, 2, 3, 4, 0, 5});
}

TEST_CASE("each inventory plays from the beginning, and only the ports it asked for") {
  ReplayRadio radio(recording(10, kMs));
  for (int i = 0; i < 2; ++i) {
    REQUIRE(radio.configure(test::settings("M4-250", {2})).ok());
    Keeper keeper;
    play(radio, keeper);
    CHECK(keeper.reads.size() == 5);
    for (const auto& read : keeper.reads) CHECK(read.antenna == 2);
  }
}

TEST_CASE("a deadline ends a recording early, and the next round goes on") {
  ReplayRadio radio(recording(10, kMs));
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  Keeper keeper;
  CHECK(play(radio, keeper, kStart + 4 * kMs) == RoundEnd::kDeadline);
  CHECK(keeper.reads.size() == 4);
  CHECK(radio.now_ns() == kStart + 4 * kMs);
  CHECK(play(radio, keeper) == RoundEnd::kEndOfRecording);
  CHECK(keeper.reads.size() == 10);
}

TEST_CASE("a paced recording takes its time, and an interrupt ends it at once") {
  auto options = recording(11, 10 * kMs);
  options.paced = true;
  ReplayRadio radio(std::move(options));
  // Its time begins when it is configured.
  const auto before = std::chrono::steady_clock::now();
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  Keeper keeper;
  CHECK(play(radio, keeper) == RoundEnd::kEndOfRecording);
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(100));

  // One that takes far longer than a machine may be held up.
  auto longer = recording(11, 3000 * kMs);
  longer.paced = true;
  ReplayRadio slow(std::move(longer));
  REQUIRE(slow.configure(test::settings("M4-250", {1, 2})).ok());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    slow.interrupt();
  });
  Keeper few;
  CHECK(play(slow, few) == RoundEnd::kInterrupted);
  CHECK(few.reads.size() < 9);
  other.join();
}

TEST_CASE("wrong recordings are refused, with the first faults only") {
  CHECK(radio::check_replay_options({}).size() == 1);
  auto options = recording(100, 1);
  CHECK(radio::check_replay_options(options).empty());
  for (auto& read : options.reads) read.epc_bytes = 63;
  options.reads[0].antenna = 0;
  options.reads[0].phase_cdeg = 36'000;
  const auto faults = radio::check_replay_options(options);
  CHECK(faults.size() < 25);
  CHECK(faults[0].field == "records[0].antenna");
  CHECK(faults[2].field == "records[0].phase_cdeg");
}

TEST_CASE("a recording refuses what it cannot do: Selects, access, an RSSI limit, beams") {
  ReplayRadio radio(recording(3, kMs));
  REQUIRE(radio.configure(test::settings("M4-250", {1, 2})).ok());
  const radio::SelectList selects{.selects = {gen2::Select{}}};
  const std::vector<radio::AccessOp> access{{.kind = radio::AccessKind::kRead}};
  Keeper keeper;
  for (const radio::RoundRequest& request :
       {radio::RoundRequest{.selects = &selects}, radio::RoundRequest{.access = access},
        radio::RoundRequest{.min_rssi_cdbm = -5000}, radio::RoundRequest{.beam = 1}}) {
    const auto result = radio.run_round(request, keeper);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == radio::ErrorCode::kNotSupported);
  }
  CHECK(keeper.reads.empty());
  CHECK(play(radio, keeper) == RoundEnd::kEndOfRecording);
  CHECK(keeper.reads.size() == 3);
}
