// Access operations on every singulated tag of a round, on the simulated radio.
#include "gen2/link_timing.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Bank;
using gen2::LockField;
using gen2::LockState;
using gen2::TagError;
using radio::AccessKind;
using radio::AccessOp;
using radio::AccessStatus;
using radio::VirtualRadio;

namespace {

constexpr std::uint32_t kPassword = 0xCAFEBABE;

radio::VirtualOptions writable(std::size_t tags) {
  radio::VirtualOptions options = test::field_of(tags);
  options.models[0].user_words = 4;
  options.models[0].block_write = true;
  for (radio::VirtualTag& tag : options.groups[0].tags) {
    tag.tid = {0xE2, 0x80, 0x11, 0x60, 0x20, 0x00, 0, 0, 0, 0, tag.epc[10], tag.epc[11]};
    tag.access_password = kPassword;
    tag.kill_password = 0x11112222;
  }
  return options;
}

AccessOp lock_user() {
  return {.kind = AccessKind::kLock,
          .lock = {.mask = gen2::lock_bits(LockField::kUser, LockState::kNever),
                   .action = gen2::lock_bits(LockField::kUser, LockState::kSecured)}};
}

std::vector<test::Kept> reads_of(VirtualRadio& radio, const std::vector<AccessOp>& access,
                                 const char* profile = "M4-250") {
  REQUIRE(radio.configure(test::settings(profile)).ok());
  test::Keeper keeper;
  REQUIRE(radio.run_round({.antenna = 1, .access = access, .tag_population = 200}, keeper).ok());
  return keeper.reads;
}

std::uint16_t serial(const test::Kept& read) {
  return static_cast<std::uint16_t>(read.epc[10] << 8U | read.epc[11]);
}

}  // namespace

TEST_CASE("read, write and lock with a password leave 200 tags exactly as asked") {
  VirtualRadio radio(writable(200));
  const std::vector<AccessOp> access{
      {.kind = AccessKind::kAccess, .password = kPassword},
      {.kind = AccessKind::kRead, .bank = Bank::kTid, .word_pointer = 0, .word_count = 6},
      {.kind = AccessKind::kWrite,
       .bank = Bank::kUser,
       .word_pointer = 1,
       .words = {0xAAAA, 0xBBBB}},
      lock_user()};
  const auto reads = reads_of(radio, access);
  REQUIRE(reads.size() == 200);
  for (const test::Kept& read : reads) {
    REQUIRE(read.access.size() == 4);
    for (const radio::AccessResult& result : read.access) {
      CHECK(result.status == AccessStatus::kDone);
    }
    REQUIRE(read.access[1].words.size() == 6);
    CHECK(read.access[1].words[5] == serial(read));
    CHECK(read.access[2].words_written == 2);
  }
  for (std::size_t i = 0; i < 200; ++i) {
    gen2::WordList user;
    CHECK_FALSE(radio.population().memory(i).read(Bank::kUser, 0, 0, {}, user));
    CHECK(user.words[0] == 0);
    CHECK(user.words[1] == 0xAAAA);
    CHECK(user.words[2] == 0xBBBB);
    CHECK(user.words[3] == 0);
  }
  // Without the password nobody writes there any more, with it everybody.
  const AccessOp write{
      .kind = AccessKind::kWrite, .bank = Bank::kUser, .word_pointer = 1, .words = {1}};
  for (const test::Kept& read : reads_of(radio, {write})) {
    CHECK(read.access[0].status == AccessStatus::kTagError);
    CHECK(read.access[0].error == TagError::kMemoryLocked);
  }
  for (const test::Kept& read : reads_of(radio, {access[0], write})) {
    CHECK(read.access[1].status == AccessStatus::kDone);
  }
}

TEST_CASE("a wrong password silences the tag: the rest is skipped, and the tag is reported") {
  VirtualRadio radio(writable(10));
  const auto reads = reads_of(radio, {{.kind = AccessKind::kAccess, .password = 1},
                                      {.kind = AccessKind::kRead, .word_count = 1}});
  // The tag goes back to arbitrate: it may be singulated again, in vain, in a later frame.
  REQUIRE(reads.size() >= 10);
  for (const test::Kept& read : reads) {
    CHECK(read.access[0].status == AccessStatus::kNoReply);
    CHECK(read.access[1].status == AccessStatus::kSkipped);
  }
}

TEST_CASE("an operation that the tag refuses does not keep the next ones from being tried") {
  VirtualRadio radio(writable(10));
  const auto reads = reads_of(
      radio, {{.kind = AccessKind::kRead, .bank = Bank::kUser, .word_pointer = 9, .word_count = 1},
              {.kind = AccessKind::kRead, .bank = Bank::kTid, .word_count = 0}});
  REQUIRE(reads.size() == 10);
  for (const test::Kept& read : reads) {
    CHECK(read.access[0].error == TagError::kMemoryOverrun);
    CHECK(read.access[1].words.size() == 6);
  }
}

TEST_CASE("killed tags are reported once and never again") {
  VirtualRadio radio(writable(50));
  const auto reads = reads_of(radio, {{.kind = AccessKind::kKill, .password = 0x11112222}});
  CHECK(reads.size() == 50);
  for (const test::Kept& read : reads) CHECK(read.access[0].status == AccessStatus::kDone);
  CHECK(reads_of(radio, {}).empty());
}

TEST_CASE("a tag that is too far away to be written says so") {
  radio::VirtualOptions options = writable(1);
  options.groups[0].tags[0].offset.z = -3;
  options.models[0].write_sensitivity_dbm = -5;
  VirtualRadio radio(options);
  const auto reads =
      reads_of(radio, {{.kind = AccessKind::kWrite, .bank = Bank::kUser, .words = {1, 2}}});
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].access[0].error == TagError::kInsufficientPower);
  CHECK(reads[0].access[0].words_written == 0);
}

TEST_CASE("a tag that leaves midway is reported with what was done and what was not") {
  radio::VirtualOptions options = writable(1);
  options.models[0].write_us_per_word = 20'000;
  options.groups[0].waypoints = {{.seconds = 0, .position = {}},
                                 {.seconds = 0.2, .position = {}},
                                 {.seconds = 0.2001, .position = {.x = 500}}};
  VirtualRadio radio(options);
  const auto reads = reads_of(
      radio, {{.kind = AccessKind::kWrite, .bank = Bank::kUser, .words = {1, 2, 3, 4}},
              {.kind = AccessKind::kBlockWrite, .bank = Bank::kUser, .words = {5, 6, 7, 8}},
              {.kind = AccessKind::kRead, .word_count = 1},
              {.kind = AccessKind::kWrite, .bank = Bank::kUser, .words = {1, 2, 3, 4}},
              {.kind = AccessKind::kRead, .word_count = 1}});
  REQUIRE(reads.size() == 1);
  const auto& results = reads[0].access;
  CHECK(results[0].status == AccessStatus::kDone);
  CHECK(results[1].status == AccessStatus::kDone);
  CHECK(results[2].status == AccessStatus::kDone);
  CHECK(results[3].status == AccessStatus::kNoReply);
  CHECK(results[3].words_written < 4);
  CHECK(results[4].status == AccessStatus::kSkipped);
}

TEST_CASE("replies that are lost are asked for again") {
  radio::VirtualOptions options = writable(200);
  options.reply_loss = 0.1;
  VirtualRadio radio(options);
  const auto reads =
      reads_of(radio, {{.kind = AccessKind::kRead, .bank = Bank::kTid, .word_count = 6}});
  std::size_t done = 0;
  for (const test::Kept& read : reads) done += read.access[0].status == AccessStatus::kDone ? 1 : 0;
  // Req_RN is not repeated, the Read is: about nine of ten.
  CHECK(done > 160);
  CHECK(done < 200);
}

TEST_CASE("reading six words of TID costs what Req_RN, Read and their replies take") {
  for (const char* profile : {"FM0-640", "M2-320", "M4-250"}) {
    const gen2::LinkTiming link(*gen2::find_link_profile(profile));
    const auto last = [&](const std::vector<AccessOp>& access) {
      VirtualRadio radio(writable(200));
      return reads_of(radio, access, profile).back().time_ns;
    };
    const std::uint64_t extra =
        last({{.kind = AccessKind::kRead, .bank = Bank::kTid, .word_count = 6}}) - last({});
    // Handle and CRCs with half their bits one, as the reference counts.
    const gen2::Picoseconds one = link.command_time(40, 5 + 8 + 8) + link.listen(32) +
                                  link.command_time(58, 4 + 1 + 0 + 2 + 8 + 8) +
                                  link.listen(33 + 16 * 6);
    CHECK(static_cast<double>(extra) ==
          doctest::Approx(199.0 * static_cast<double>(one) / 1000).epsilon(0.02));
  }
}
