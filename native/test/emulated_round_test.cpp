// What a module lacks the loop does: with the same outcome as on one that has it.
#include "inventory/emulated_round.h"

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "radio/virtual/virtual_radio.h"
#include "simulation.h"
#include "stream/access_bytes.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::AccessKind;
using radio::AccessOp;
using radio::AccessResult;
using radio::AccessStatus;
using Epc = std::vector<std::uint8_t>;

using singulate::test::kMs;

namespace {

constexpr std::uint8_t kTags = 5;

struct Outcome {
  std::map<Epc, std::vector<AccessResult>> reads{};
  radio::RoundResult round;
  std::size_t count = 0;
};

std::vector<AccessResult> results_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<AccessResult> results;
  if (bytes.empty()) return results;
  std::size_t at = 2;
  for (unsigned left = bytes[0]; left > 0; --left) {
    AccessResult one{.status = static_cast<AccessStatus>(bytes[at] & 0x7FU),
                     .error = static_cast<gen2::TagError>(bytes[at + 1]),
                     .words_written = bytes[at + 2]};
    const unsigned words = bytes[at + 3];
    at += stream::kAccessHeaderBytes;
    for (unsigned i = 0; i < words; ++i, at += 2) {
      one.words.push_back(static_cast<std::uint16_t>(bytes[at] << 8U | bytes[at + 1]));
    }
    results.push_back(std::move(one));
  }
  return results;
}

radio::VirtualOptions field_with_memory() {
  auto field = singulate::test::field_of(kTags);
  field.models[0].user_words = 8;
  field.models[0].block_write = true;
  for (std::uint8_t i = 0; i < kTags; ++i) {
    auto& tag = field.groups[0].tags[i];
    tag.tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, 0, i};
    tag.user = {0, 1, 0, 2, 0, 3, 0, i};
    tag.access_password = 0x11223344;
    tag.kill_password = 0x55667788;
  }
  return field;
}

// The loop's end of a radio.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the queue keeps its lines apart
class Loop {
 public:
  Loop(const radio::VirtualOptions& field, const char* kind) : radio_(imitating(field, kind)) {
    REQUIRE(radio_.configure(singulate::test::settings("FM0-640")).ok());
  }

  Outcome run(radio::RoundRequest request, std::uint64_t tag_limit = 0) {
    recorder_.begin_reading(radio_.now_ns(), true, tag_limit, true);
    recorder_.begin_visit({.port = 1});
    request.antenna = 1;
    if (request.deadline_ns == radio::kNoDeadline) {
      request.deadline_ns = radio_.now_ns() + 20'000 * kMs;
    }
    const auto result = inventory::EmulatedRound(radio_, recorder_).run(request);
    if (!result.ok()) FAIL(result.error().message);
    Outcome outcome{.round = result.value()};
    std::vector<stream::ReadRecord> records(1 + stream::kMaxContinued);
    for (;;) {
      const std::size_t count = queue_.pop(records.data(), records.size());
      if (count == 0) return outcome;
      for (std::size_t i = 0; i < count; i += 1 + records[i].more) {
        const auto& record = records[i];
        std::vector<std::uint8_t> bytes(record.more * sizeof(stream::ReadRecord));
        if (!bytes.empty()) std::memcpy(bytes.data(), &records[i + 1], bytes.size());
        outcome.reads[{record.epc.begin(), record.epc.begin() + record.epc_bytes}] =
            results_of(bytes);
        ++outcome.count;
      }
    }
  }
  radio::VirtualRadio& radio() { return radio_; }
  inventory::Counters& counters() { return counters_; }

 private:
  static radio::VirtualOptions imitating(radio::VirtualOptions field, const char* kind) {
    field.imitate = kind;
    return field;
  }

  radio::VirtualRadio radio_;
  stream::ReadQueue queue_{10'000, stream::WhenFull::kDrop};
  inventory::Counters counters_;
  std::function<void()> wake_ = [] {};
  inventory::Recorder recorder_{queue_, counters_, wake_};
};

constexpr const char* kKinds[] = {"m7e", "m6e", "silion"};

}  // namespace

TEST_CASE("operations beyond those of a round have the outcome that they have in it") {
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_count = 2},
      {.kind = AccessKind::kWrite, .bank = gen2::Bank::kUser, .word_pointer = 4, .words = {7, 8}},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 99, .word_count = 1},
      {.kind = AccessKind::kAccess, .password = 0x11223344},
      {.kind = AccessKind::kLock, .lock = {.mask = 3, .action = 2}},
      {.kind = AccessKind::kBlockWrite, .bank = gen2::Bank::kUser, .word_pointer = 6, .words = {9}},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 3, .word_count = 4}};
  Loop native(field_with_memory(), "virtual");
  const Outcome expected = native.run({.access = access});
  REQUIRE(expected.reads.size() == kTags);
  for (const auto& [epc, results] : expected.reads) {
    REQUIRE(results.size() == access.size());
    CHECK(results[3].status == AccessStatus::kTagError);
    CHECK(results.back().words == std::vector<std::uint16_t>{epc.back(), 7, 8, 9});
  }
  for (const char* kind : kKinds) {
    CAPTURE(kind);
    Loop loop(field_with_memory(), kind);
    const Outcome outcome = loop.run({.access = access});
    CHECK(outcome.reads == expected.reads);
    CHECK(outcome.count == kTags);
  }
}

TEST_CASE("an access password and one operation need no second way to the tag") {
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kAccess, .password = 0x11223344},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4}};
  Loop native(field_with_memory(), "virtual");
  const Outcome expected = native.run({.access = access});
  Loop loop(field_with_memory(), "m7e");
  const Outcome outcome = loop.run({.access = access});
  CHECK(outcome.reads == expected.reads);
  CHECK(outcome.round.single_slots == expected.round.single_slots);
}

TEST_CASE("a wrong password ends the operations on a tag") {
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4},
      {.kind = AccessKind::kAccess, .password = 1},
      {.kind = AccessKind::kLock, .lock = {.mask = 3, .action = 2}},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 1}};
  Loop loop(field_with_memory(), "m7e");
  const Outcome outcome = loop.run({.access = access});
  REQUIRE(outcome.reads.size() == kTags);
  for (const auto& [epc, results] : outcome.reads) {
    CHECK(results[0].status == AccessStatus::kDone);
    CHECK(results[1].status == AccessStatus::kNoReply);
    CHECK(results[2].status == AccessStatus::kNoReply);
    CHECK(results[3].status == AccessStatus::kSkipped);
  }
}

TEST_CASE("a tag that gets another EPC is found by it for the operations that follow") {
  auto field = field_with_memory();
  field.groups[0].tags.resize(1);
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kWrite, .bank = gen2::Bank::kEpc, .word_pointer = 7, .words = {0xBEEF}},
      {.kind = AccessKind::kWrite,
       .bank = gen2::Bank::kEpc,
       .word_pointer = 1,
       .words = {0x1000, 0xCAFE}},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4}};
  Loop loop(field, "m7e");
  const Outcome outcome = loop.run({.access = access});
  REQUIRE(outcome.reads.size() == 1);
  CHECK(outcome.reads.begin()->first == field.groups[0].tags[0].epc);
  for (const AccessResult& result : outcome.reads.begin()->second) {
    CHECK(result.status == AccessStatus::kDone);
  }
  const Outcome after = loop.run({});
  REQUIRE(after.reads.size() == 1);
  CHECK(after.reads.begin()->first == Epc{0xCA, 0xFE, 0, 0});
}

TEST_CASE("time that is over leaves operations undone, and says so") {
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kTid, .word_count = 4},
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_count = 2}};
  Loop loop(field_with_memory(), "m7e");
  const Outcome outcome =
      loop.run({.access = access, .deadline_ns = loop.radio().now_ns() + 30 * kMs});
  unsigned done = 0;
  unsigned late = 0;
  for (const auto& [epc, results] : outcome.reads) {
    CHECK(results[0].status == AccessStatus::kDone);
    done += results[1].status == AccessStatus::kDone ? 1U : 0U;
    late += results[1].status == AccessStatus::kNoTime ? 1U : 0U;
  }
  CHECK(late >= 1);
  CHECK(done + late == outcome.reads.size());
}

TEST_CASE("an RSSI limit leaves out the same tags, no matter who keeps it") {
  auto field = singulate::test::field_of(30);
  for (std::size_t i = 0; i < 30; ++i) {
    field.groups[0].tags[i].offset = {.x = 0.2 * static_cast<double>(i)};
  }
  Loop native(field, "virtual");
  const Outcome all = native.run({});
  Loop limited(field, "virtual");
  constexpr std::int16_t kLimit = -5200;
  const Outcome expected = limited.run({.min_rssi_cdbm = kLimit});
  REQUIRE(!expected.reads.empty());
  REQUIRE(expected.reads.size() < all.reads.size());
  for (const char* kind : kKinds) {
    CAPTURE(kind);
    Loop loop(field, kind);
    const Outcome outcome = loop.run({.min_rssi_cdbm = kLimit});
    CHECK(outcome.reads == expected.reads);
    CHECK(outcome.round.too_weak == all.reads.size() - expected.reads.size());
  }
}

TEST_CASE("the limit holds with operations after the round as well") {
  auto field = field_with_memory();
  field.groups[0].tags[0].offset = {.x = 3};
  const std::vector<AccessOp> access{{.kind = AccessKind::kRead, .word_count = 4},
                                     {.kind = AccessKind::kRead, .word_count = 2}};
  Loop loop(field, "m7e");
  const Outcome outcome = loop.run({.access = access, .min_rssi_cdbm = -5000});
  CHECK(outcome.reads.size() == kTags - 1);
  CHECK(outcome.round.too_weak == 1);
}

TEST_CASE("as many tags as are wanted are reported, not more") {
  const std::vector<AccessOp> access{{.kind = AccessKind::kRead, .word_count = 4},
                                     {.kind = AccessKind::kRead, .word_count = 2}};
  Loop loop(field_with_memory(), "m7e");
  const Outcome outcome = loop.run({.access = access}, 2);
  CHECK(outcome.reads.size() == 2);
  CHECK(loop.counters().reads.get() == 2);
  CHECK(outcome.round.end == radio::RoundEnd::kInterrupted);
}

TEST_CASE("flags of the session of the plan stay as the round left them") {
  const std::vector<AccessOp> access{{.kind = AccessKind::kRead, .word_count = 4},
                                     {.kind = AccessKind::kRead, .word_count = 2}};
  Loop loop(field_with_memory(), "m7e");
  CHECK(loop.run({.session = gen2::Session::kS2, .access = access}).reads.size() == kTags);
  CHECK(loop.run({.session = gen2::Session::kS2, .access = access}).reads.empty());
}
