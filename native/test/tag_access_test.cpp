// Passwords, kill, lock and memory rules, each allowed and refused (sections 4, 6 and 8).
#include "gen2/crc.h"
#include "test/talking_tag.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Bank;
using gen2::LockField;
using gen2::LockState;
using gen2::TagError;
using radio::TagState;
using test::TalkingTag;

namespace {

radio::VirtualTag locked(LockField field, LockState state) {
  radio::VirtualTag tag = test::full_tag();
  tag.lock = gen2::lock_bits(field, state);
  return tag;
}

struct Place {
  LockField field;
  Bank bank;
  std::uint32_t pointer;
};
constexpr Place kPlaces[] = {{LockField::kKillPassword, Bank::kReserved, 0},
                             {LockField::kAccessPassword, Bank::kReserved, 3},
                             {LockField::kEpc, Bank::kEpc, 4},
                             {LockField::kTid, Bank::kTid, 5},
                             {LockField::kUser, Bank::kUser, 7}};
constexpr LockState kStates[] = {LockState::kOpen, LockState::kOpenForEver, LockState::kSecured,
                                 LockState::kNever};

std::vector<std::uint32_t> all_memory(TalkingTag& tag) {
  std::vector<std::uint32_t> words{tag.memory.kill_password(), tag.memory.access_password()};
  for (const Bank bank : {Bank::kEpc, Bank::kTid, Bank::kUser}) {
    gen2::WordList list;
    CHECK_FALSE(tag.memory.read(bank, 0, 0, {.secured = true}, list));
    words.insert(words.end(), list.words.begin(), list.words.begin() + list.count);
  }
  return words;
}

}  // namespace

// --- Access.

TEST_CASE("Access: both halves right leads to secured, from open and again from secured") {
  TalkingTag tag;
  tag.open();
  for (int i = 0; i < 2; ++i) {
    const auto first = tag.say_half_access(0xCAFE);
    REQUIRE(first);
    CHECK(gen2::decode_handle_reply(first->frame) == tag.handle);
    const auto second = tag.say_half_access(0xBABE);
    REQUIRE(second);
    CHECK(gen2::decode_handle_reply(second->frame) == tag.handle);
    CHECK(tag.state.state() == TagState::kSecured);
  }
}

TEST_CASE("Access: a wrong half leads to arbitrate without a reply") {
  for (const bool second : {false, true}) {
    TalkingTag tag;
    tag.open();
    if (second) REQUIRE(tag.say_half_access(0xCAFE));
    CHECK_FALSE(tag.say_half_access(0x0000));
    CHECK(tag.state.state() == TagState::kArbitrate);
  }
}

TEST_CASE("Access, Kill and Write without a Req_RN just before are ignored") {
  TalkingTag tag;
  tag.open();
  const std::uint16_t cover = tag.cover();
  CHECK(tag.word(Bank::kTid, 0) == 0xE280);  // any command uses the RN16 up
  CHECK_FALSE(tag.say(gen2::Access{gen2::cover(0xCAFE, cover), tag.handle}));
  CHECK_FALSE(
      tag.say(gen2::Kill{.covered_half = gen2::cover(0x1234, cover), .handle = tag.handle}));
  CHECK_FALSE(tag.say(gen2::Write{.covered_data = cover, .handle = tag.handle}));
  CHECK(tag.state.state() == TagState::kOpen);
}

TEST_CASE("a command between the halves of a password leads to arbitrate, Query is executed") {
  TalkingTag tag;
  tag.open();
  REQUIRE(tag.say_half_access(0xCAFE));
  CHECK_FALSE(tag.say(gen2::Read{.handle = tag.handle}));
  CHECK(tag.state.state() == TagState::kArbitrate);

  TalkingTag kill;
  kill.open();
  REQUIRE(kill.say_half_kill(0x1234));
  CHECK_FALSE(kill.say_half_access(0xCAFE));
  CHECK(kill.state.state() == TagState::kArbitrate);

  TalkingTag query;
  query.open();
  REQUIRE(query.say_half_access(0xCAFE));
  CHECK(query.say(gen2::Query{.target = gen2::Target::kB}));
  CHECK(query.state.state() == TagState::kReply);
}

TEST_CASE("commands with a wrong handle are ignored") {
  TalkingTag tag;
  tag.secure();
  const auto wrong = static_cast<std::uint16_t>(tag.handle ^ 1U);
  CHECK_FALSE(tag.say(gen2::Read{.handle = wrong}));
  CHECK_FALSE(tag.say(gen2::Lock{.handle = wrong}));
  CHECK_FALSE(tag.say(gen2::BlockErase{.word_count = 1, .handle = wrong}));
  CHECK(tag.state.state() == TagState::kSecured);
}

// --- Kill.

TEST_CASE("Kill: both halves right kill, from open and from secured, with a delayed reply") {
  for (const bool secured : {false, true}) {
    TalkingTag tag;
    secured ? tag.secure() : tag.open();
    const auto first = tag.say_half_kill(0x1234);
    REQUIRE(first);
    CHECK(gen2::decode_handle_reply(first->frame) == tag.handle);
    CHECK(tag.state.state() != TagState::kKilled);
    const auto second = tag.say_half_kill(0x5678);
    REQUIRE(second);
    CHECK(second->delayed);
    CHECK(second->frame == gen2::encode_done_reply(tag.handle));
    CHECK(tag.state.state() == TagState::kKilled);
  }
}

TEST_CASE("Kill: a wrong half leads to arbitrate, and the tag lives") {
  for (const bool second : {false, true}) {
    TalkingTag tag;
    tag.open();
    if (second) REQUIRE(tag.say_half_kill(0x1234));
    CHECK_FALSE(tag.say_half_kill(0x9999));
    CHECK(tag.state.state() == TagState::kArbitrate);
    CHECK(tag.say(gen2::QueryAdjust{}));
  }
}

TEST_CASE("Kill: a tag whose kill password is zero replies with an error and lives") {
  radio::VirtualTag immortal = test::full_tag();
  immortal.kill_password = 0;
  TalkingTag tag(immortal);
  tag.open();
  REQUIRE(tag.say_half_kill(0));
  const auto reply = tag.say_half_kill(0);
  REQUIRE(reply);
  CHECK(gen2::decode_access_reply(reply->frame)->error == TagError::kInsufficientPrivileges);
  CHECK(tag.state.state() == TagState::kOpen);
}

// --- Memory.

TEST_CASE("Read: words of every bank, to the end of the bank with a count of 0") {
  TalkingTag tag;
  tag.open();
  CHECK(tag.word(Bank::kTid, 0) == 0xE280);
  CHECK(tag.word(Bank::kEpc, 1) == 0x3000);
  CHECK(tag.word(Bank::kEpc, 0) == tag.memory.stored_crc());
  CHECK(tag.word(Bank::kReserved, 2) == 0xCAFE);
  CHECK(tag.word(Bank::kUser, 7) == 0);
  const auto all = [&](Bank bank, std::uint32_t from) {
    const auto reply =
        tag.say(gen2::Read{.bank = bank, .word_pointer = from, .handle = tag.handle});
    return unsigned{gen2::decode_access_reply(reply->frame)->word_count};
  };
  CHECK(all(Bank::kTid, 0) == 6);
  CHECK(all(Bank::kTid, 4) == 2);
  CHECK(all(Bank::kReserved, 0) == 4);
  CHECK(all(Bank::kEpc, 1) == 7);  // PC and what L announces
  CHECK(all(Bank::kUser, 0) == 8);
}

TEST_CASE("Read and Write past the end of a bank, or of a bank that is not there: overrun") {
  radio::VirtualTagModel small = test::full_model();
  small.user_words = 0;
  TalkingTag tag(test::full_tag(), small);
  tag.secure();
  CHECK(tag.read_error(Bank::kTid, 6) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kTid, 5, 2) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kEpc, 10) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kReserved, 4) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kUser, 0, 0) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kEpc, 0xFFFFFFFF) == TagError::kMemoryOverrun);
  CHECK(tag.write(Bank::kUser, 0, 1) == TagError::kMemoryOverrun);
  CHECK(tag.write(Bank::kEpc, 10, 1) == TagError::kMemoryOverrun);
}

TEST_CASE("a bank is written in open and secured, secured alone or never, as its lock says") {
  for (const Place& place : kPlaces) {
    for (const LockState state : kStates) {
      for (const bool secured : {false, true}) {
        TalkingTag tag(locked(place.field, state));
        secured ? tag.secure() : tag.open();
        const auto before = all_memory(tag);
        const bool allowed = gen2::allows(state, secured);
        const auto error = tag.write(place.bank, place.pointer, 0xBEEF);
        CHECK(error == (allowed ? std::nullopt : std::optional(TagError::kMemoryLocked)));
        CHECK((all_memory(tag) == before) == !allowed);
      }
    }
  }
}

TEST_CASE("passwords are read as they are written, other banks always") {
  for (const Place& place : kPlaces) {
    for (const LockState state : kStates) {
      for (const bool secured : {false, true}) {
        TalkingTag tag(locked(place.field, state));
        secured ? tag.secure() : tag.open();
        const bool allowed = place.bank != Bank::kReserved || gen2::allows(state, secured);
        CHECK(tag.read_error(place.bank, place.pointer) ==
              (allowed ? std::nullopt : std::optional(TagError::kMemoryLocked)));
      }
    }
  }
}

TEST_CASE("Lock: from secured to every state, refused in open") {
  for (const Place& place : kPlaces) {
    for (const LockState to : kStates) {
      TalkingTag tag(locked(place.field, LockState::kOpen));
      tag.open();
      CHECK(tag.lock(place.field, to) == TagError::kInsufficientPrivileges);
      CHECK_FALSE(tag.write(place.bank, place.pointer, 1));
      tag.say(gen2::Nak{});
      tag.ear.power_down(0);
      tag.ear.power_up(1);
      tag.secure(place.field == LockField::kAccessPassword ? 0xCAFE0001 : 0xCAFEBABE);
      CHECK_FALSE(tag.lock(place.field, to));
      CHECK(tag.write(place.bank, place.pointer, 2) ==
            (gen2::allows(to, true) ? std::nullopt : std::optional(TagError::kMemoryLocked)));
    }
  }
}

TEST_CASE("Lock: a permalocked field refuses change with an error and changes nothing") {
  for (const Place& place : kPlaces) {
    for (const LockState before : kStates) {
      for (const LockState to : kStates) {
        TalkingTag tag(locked(place.field, before));
        tag.secure();
        const bool permanent = before == LockState::kOpenForEver || before == LockState::kNever;
        const bool allowed = !permanent || before == to;
        CHECK(tag.lock(place.field, to) ==
              (allowed ? std::nullopt : std::optional(TagError::kMemoryLocked)));
        const LockState after = allowed ? to : before;
        CHECK(tag.write(place.bank, place.pointer, 2) ==
              (gen2::allows(after, true) ? std::nullopt : std::optional(TagError::kMemoryLocked)));
      }
    }
  }
}

TEST_CASE("Lock of USER on a tag without it: overrun") {
  radio::VirtualTagModel small = test::full_model();
  small.user_words = 0;
  TalkingTag tag(test::full_tag(), small);
  tag.secure();
  CHECK(tag.lock(LockField::kUser, LockState::kSecured) == TagError::kMemoryOverrun);
}

TEST_CASE("Write: the word is covered, the reply is delayed by the time of the chip") {
  TalkingTag tag;
  tag.open();
  const std::uint16_t cover = tag.cover();
  const auto reply = tag.say(gen2::Write{.bank = Bank::kUser,
                                         .word_pointer = 3,
                                         .covered_data = gen2::cover(0xABCD, cover),
                                         .handle = tag.handle});
  REQUIRE(reply);
  CHECK(reply->delayed);
  CHECK(reply->delay_us == 1000);
  CHECK(reply->frame.size() == 33);
  CHECK(tag.word(Bank::kUser, 3) == 0xABCD);
}

TEST_CASE("Write without the power for it: insufficient power, and nothing is written") {
  TalkingTag tag;
  tag.secure();
  tag.power_to_write = false;
  const auto before = all_memory(tag);
  CHECK(tag.write(Bank::kUser, 0, 7) == TagError::kInsufficientPower);
  CHECK(tag.lock(LockField::kUser, LockState::kNever) == TagError::kInsufficientPower);
  CHECK(all_memory(tag) == before);
}

TEST_CASE("the tag computes StoredCRC, and that at power-up only") {
  TalkingTag tag;
  tag.open();
  CHECK(tag.write(Bank::kEpc, 0, 1) == TagError::kMemoryLocked);
  const auto before = tag.word(Bank::kEpc, 0);
  CHECK_FALSE(tag.write(Bank::kEpc, 2, 0x1111));
  CHECK(tag.word(Bank::kEpc, 0) == before);
  tag.ear.power_down(1);
  tag.ear.power_up(2);
  tag.open();
  CHECK(tag.word(Bank::kEpc, 0) != before);
  // The packet CRC was right all the time.
  radio::VirtualTag changed = test::full_tag();
  changed.epc[0] = 0x11;
  changed.epc[1] = 0x11;
  CHECK(tag.memory.packet(false).crc == gen2::packet_crc(0x3000, changed.epc));
}

TEST_CASE("L decides how much EPC is sent; a longer one than there is room is refused") {
  TalkingTag tag;
  tag.open();
  CHECK_FALSE(tag.write(Bank::kEpc, 1, 2U << 11U));
  CHECK(tag.say(gen2::Ack{tag.handle})->frame.size() == 16 + 32 + 16);
  CHECK_FALSE(tag.write(Bank::kEpc, 1, 8U << 11U));
  CHECK(tag.say(gen2::Ack{tag.handle})->frame.size() == 16 + 128 + 16);
  CHECK(tag.write(Bank::kEpc, 1, 9U << 11U) == TagError::kMemoryOverrun);
}

TEST_CASE("UMI says whether USER memory is used; nobody can write it") {
  TalkingTag tag;
  tag.open();
  CHECK_FALSE(tag.write(Bank::kEpc, 1, 0x3000 | gen2::kPcUmi | gen2::kPcXi | 0x00AB));
  CHECK(tag.word(Bank::kEpc, 1) == 0x30AB);
  CHECK_FALSE(tag.write(Bank::kUser, 0, 0x0100));
  CHECK(tag.word(Bank::kEpc, 1) == (0x30AB | gen2::kPcUmi));
  CHECK(tag.memory.packet(false).pc == (0x30AB | gen2::kPcUmi));
}

// --- Block commands.

TEST_CASE("BlockWrite and BlockErase change all words or none") {
  TalkingTag tag;
  tag.open();
  gen2::BlockWrite write{.word_pointer = 2, .handle = tag.handle};
  write.data = {.words = {0x1111, 0x2222, 0x3333}, .count = 3};
  CHECK_FALSE(tag.outcome(write));
  CHECK(tag.word(Bank::kUser, 4) == 0x3333);
  CHECK_FALSE(
      tag.outcome(gen2::BlockErase{.word_pointer = 3, .word_count = 2, .handle = tag.handle}));
  CHECK(tag.word(Bank::kUser, 2) == 0x1111);
  CHECK(tag.word(Bank::kUser, 3) == 0);
  CHECK(tag.word(Bank::kUser, 4) == 0);
  write.word_pointer = 6;  // one word too many
  CHECK(tag.outcome(write) == TagError::kMemoryOverrun);
  CHECK(tag.word(Bank::kUser, 6) == 0);
}

TEST_CASE("a chip without block commands ignores them, as all do with files") {
  radio::VirtualTagModel plain = test::full_model();
  plain.block_write = false;
  plain.block_permalock = false;
  TalkingTag tag(test::full_tag(), plain);
  tag.secure();
  CHECK_FALSE(tag.say(gen2::BlockErase{.word_count = 1, .handle = tag.handle}));
  CHECK_FALSE(tag.say(gen2::BlockPermalock{.handle = tag.handle}));
  CHECK_FALSE(tag.say(gen2::Untraceable{.handle = tag.handle}));
  CHECK_FALSE(tag.say(gen2::FileOpen{.handle = tag.handle}));
  CHECK(tag.state.state() == TagState::kSecured);
}

TEST_CASE("BlockPermalock: blocks are locked for ever from secured, and shown") {
  TalkingTag tag;
  tag.open();
  gen2::BlockPermalock lock{.lock = true, .block_range = 1, .handle = tag.handle};
  lock.mask = {.words = {0x4000}, .count = 1};  // the second block: words 4..7
  CHECK(tag.outcome(lock) == TagError::kInsufficientPrivileges);
  CHECK_FALSE(tag.write(Bank::kUser, 4, 1));
  tag.ear.power_down(1);
  tag.ear.power_up(2);
  tag.secure();
  lock.handle = tag.handle;
  CHECK_FALSE(tag.outcome(lock));
  CHECK(tag.write(Bank::kUser, 4, 2) == TagError::kMemoryLocked);
  CHECK(tag.write(Bank::kUser, 7, 2) == TagError::kMemoryLocked);
  CHECK_FALSE(tag.write(Bank::kUser, 3, 2));
  const auto reply = tag.say(gen2::BlockPermalock{.handle = tag.handle});
  CHECK(gen2::decode_access_reply(reply->frame)->words[0] == 0x4000);
  lock.mask = {.words = {0x2000}, .count = 1};  // there are two blocks
  CHECK(tag.outcome(lock) == TagError::kMemoryOverrun);
  lock.bank = Bank::kEpc;
  CHECK(tag.outcome(lock) == TagError::kNotSupported);
}

// --- Untraceable.

TEST_CASE("Untraceable hides EPC, TID and USER from all but secured, and shows U in XPC_W1") {
  radio::VirtualTagModel shy = test::full_model();
  shy.untraceable = true;
  TalkingTag tag(test::full_tag(), shy);
  tag.open();
  gen2::Untraceable hide{.untraceable = true,
                         .hide_epc = true,
                         .epc_length = 2,
                         .tid = gen2::TidVisibility::kHideAbove20h,
                         .hide_user = true,
                         .handle = tag.handle};
  CHECK(tag.outcome(hide) == TagError::kInsufficientPrivileges);
  tag.ear.power_down(1);
  tag.ear.power_up(2);
  tag.secure();
  hide.handle = tag.handle;
  CHECK_FALSE(tag.outcome(hide));
  CHECK(tag.word(Bank::kTid, 5) == 0x0007);
  CHECK(tag.word(Bank::kEpc, 0x21) == (gen2::kXpcUntraceable | gen2::kXpcKillable));
  tag.ear.power_down(3);
  tag.ear.power_up(4);
  tag.open();
  // XI = 0: the low byte of XPC_W1 stands in the PC.
  const auto epc = gen2::decode_epc_reply(tag.say(gen2::Ack{tag.handle})->frame);
  REQUIRE(epc);
  CHECK(epc->epc_bytes == 4);
  CHECK((epc->pc & 0xFF) == (gen2::kXpcUntraceable | gen2::kXpcKillable));
  CHECK(tag.word(Bank::kTid, 1) == 0x1160);
  CHECK(tag.read_error(Bank::kTid, 2) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kUser, 0) == TagError::kMemoryOverrun);
  CHECK(tag.read_error(Bank::kEpc, 4) == TagError::kMemoryOverrun);
}
