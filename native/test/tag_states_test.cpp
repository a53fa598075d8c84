// The state rules of reference section 6, each by its row, through whole frames.
#include <iterator>
#include <string_view>

#include "test/talking_tag.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Session;
using gen2::Target;
using radio::TagState;
using test::TalkingTag;

namespace {

// Brings the tag into a state of a round in S0.
void bring(TalkingTag& tag, TagState state) {
  switch (state) {
    case TagState::kReady:
      return;
    case TagState::kArbitrate:
      do {
        tag.say(gen2::Query{.q = 15});
      } while (tag.state.state() != TagState::kArbitrate);
      return;
    case TagState::kReply:
      REQUIRE(tag.say(gen2::Query{}));
      return;
    case TagState::kAcknowledged:
      return tag.singulate();
    case TagState::kOpen:
      return tag.open();
    case TagState::kSecured:
      return tag.secure();
    case TagState::kKilled:
      tag.open();
      tag.say_half_kill(0x1234);
      tag.say_half_kill(0x5678);
      return;
  }
}

using Say = gen2::AnyCommand (*)(const TalkingTag&);

// What a command makes of a tag: the states that it is in afterwards, by those before it.
struct Row {
  const char* command;
  Say say;
  TagState ready, arbitrate, reply, acknowledged, open, secured;
};

std::uint16_t right(const TalkingTag& tag) { return tag.state.rn16(); }
std::uint16_t wrong(const TalkingTag& tag) { return tag.state.rn16() ^ 1U; }

// The state tables of the standard (annex B), but for the commands between the halves of passwords,
// and for what begins a round, which depends on the slot. Sent without what must come before it a
// command changes nothing in open and secured.
constexpr auto kRd = TagState::kReady;
constexpr auto kAr = TagState::kArbitrate;
constexpr auto kRp = TagState::kReply;
constexpr auto kAk = TagState::kAcknowledged;
constexpr auto kOp = TagState::kOpen;
constexpr auto kSe = TagState::kSecured;
using T = const TalkingTag&;
const Row kTable[] = {
    {"Query, no match",
     [](T) -> gen2::AnyCommand { return gen2::Query{.select = gen2::SelectFilter::kSelected}; },
     kRd, kRd, kRd, kRd, kRd, kRd},
    {"Query, slot 0", [](T) -> gen2::AnyCommand { return gen2::Query{.session = Session::kS2}; },
     kRp, kRp, kRp, kRp, kRp, kRp},
    {"QueryRep", [](T) -> gen2::AnyCommand { return gen2::QueryRep{}; }, kRd, kAr, kAr, kRd, kRd,
     kRd},
    {"QueryRep, other session", [](T) -> gen2::AnyCommand { return gen2::QueryRep{Session::kS3}; },
     kRd, kAr, kRp, kAk, kOp, kSe},
    {"QueryAdjust", [](T) -> gen2::AnyCommand { return gen2::QueryAdjust{}; }, kRd, kAr, kRp, kRd,
     kRd, kRd},
    {"QueryAdjust, other session",
     [](T) -> gen2::AnyCommand { return gen2::QueryAdjust{Session::kS3}; }, kRd, kAr, kRp, kAk, kOp,
     kSe},
    {"ACK, right", [](T tag) -> gen2::AnyCommand { return gen2::Ack{right(tag)}; }, kRd, kAr, kAk,
     kAk, kOp, kSe},
    {"ACK, wrong", [](T tag) -> gen2::AnyCommand { return gen2::Ack{wrong(tag)}; }, kRd, kAr, kAr,
     kAr, kAr, kAr},
    {"NAK", [](T) -> gen2::AnyCommand { return gen2::Nak{}; }, kRd, kAr, kAr, kAr, kAr, kAr},
    {"Select", [](T) -> gen2::AnyCommand { return gen2::Select{}; }, kRd, kRd, kRd, kRd, kRd, kRd},
    {"Req_RN, right", [](T tag) -> gen2::AnyCommand { return gen2::ReqRn{right(tag)}; }, kRd, kAr,
     kAr, kOp, kOp, kSe},
    {"Req_RN, wrong", [](T tag) -> gen2::AnyCommand { return gen2::ReqRn{wrong(tag)}; }, kRd, kAr,
     kAr, kAk, kOp, kSe},
    {"Read, right",
     [](T tag) -> gen2::AnyCommand {
       return gen2::Read{.bank = gen2::Bank::kTid, .word_count = 1, .handle = right(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"Read, wrong",
     [](T tag) -> gen2::AnyCommand {
       return gen2::Read{.bank = gen2::Bank::kTid, .word_count = 1, .handle = wrong(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"Write, right",
     [](T tag) -> gen2::AnyCommand {
       return gen2::Write{.bank = gen2::Bank::kUser, .handle = right(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"Write, wrong",
     [](T tag) -> gen2::AnyCommand {
       return gen2::Write{.bank = gen2::Bank::kUser, .handle = wrong(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"Kill, right", [](T tag) -> gen2::AnyCommand { return gen2::Kill{.handle = right(tag)}; }, kRd,
     kAr, kAr, kAr, kOp, kSe},
    {"Kill, wrong", [](T tag) -> gen2::AnyCommand { return gen2::Kill{.handle = wrong(tag)}; }, kRd,
     kAr, kAr, kAr, kOp, kSe},
    {"Lock, right", [](T tag) -> gen2::AnyCommand { return gen2::Lock{.handle = right(tag)}; }, kRd,
     kAr, kAr, kAr, kOp, kSe},
    {"Lock, wrong", [](T tag) -> gen2::AnyCommand { return gen2::Lock{.handle = wrong(tag)}; }, kRd,
     kAr, kAr, kAr, kOp, kSe},
    {"Access, right", [](T tag) -> gen2::AnyCommand { return gen2::Access{.handle = right(tag)}; },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"Access, wrong", [](T tag) -> gen2::AnyCommand { return gen2::Access{.handle = wrong(tag)}; },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockWrite, right",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockWrite{
           .bank = gen2::Bank::kUser, .data = {.words = {1}, .count = 1}, .handle = right(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockWrite, wrong",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockWrite{
           .bank = gen2::Bank::kUser, .data = {.words = {1}, .count = 1}, .handle = wrong(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockErase, right",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockErase{.bank = gen2::Bank::kUser, .word_count = 1, .handle = right(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockErase, wrong",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockErase{.bank = gen2::Bank::kUser, .word_count = 1, .handle = wrong(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockPermalock, right",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockPermalock{.bank = gen2::Bank::kUser, .handle = right(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
    {"BlockPermalock, wrong",
     [](T tag) -> gen2::AnyCommand {
       return gen2::BlockPermalock{.bank = gen2::Bank::kUser, .handle = wrong(tag)};
     },
     kRd, kAr, kAr, kAr, kOp, kSe},
};

constexpr TagState kLiving[] = {TagState::kReady,        TagState::kArbitrate, TagState::kReply,
                                TagState::kAcknowledged, TagState::kOpen,      TagState::kSecured};
constexpr TagState kSingulated[] = {TagState::kAcknowledged, TagState::kOpen, TagState::kSecured};

}  // namespace

TEST_CASE("every command leads from every state where the standard's tables say") {
  for (const Row& row : kTable) {
    const TagState to[] = {row.ready,        row.arbitrate, row.reply,
                           row.acknowledged, row.open,      row.secured};
    for (std::size_t i = 0; i < std::size(kLiving); ++i) {
      CAPTURE(row.command);
      CAPTURE(i);
      TalkingTag tag;
      bring(tag, kLiving[i]);
      (void)tag.say(row.say(tag));
      CHECK(tag.state.state() == to[i]);
    }
    TalkingTag killed;
    bring(killed, TagState::kKilled);
    CHECK_FALSE(killed.say(row.say(killed)));
    CHECK(killed.state.state() == TagState::kKilled);
  }
}

TEST_CASE("between the halves of a password only Req_RN, the other half and Query go through") {
  for (const Row& row : kTable) {
    CAPTURE(row.command);
    const std::string_view name(row.command);
    TalkingTag tag;
    tag.open();
    tag.say_half_access(0xCAFE);
    REQUIRE(tag.state.half() == radio::Tag::Half::kAccess);
    (void)tag.say(row.say(tag));
    if (name == "Query, slot 0") {
      CHECK(tag.state.state() == TagState::kReply);
    } else if (name == "Query, no match") {
      CHECK(tag.state.state() == TagState::kReady);
    } else if (name == "Req_RN, right" || name.ends_with("wrong")) {
      // A wrong handle means another tag, a wrong RN16 of an ACK this one.
      CHECK(tag.state.state() == (name == "ACK, wrong" ? TagState::kArbitrate : TagState::kOpen));
    } else if (name == "Access, right") {
      // Without an RN16 to cover it, it is no second half.
      CHECK(tag.state.state() == TagState::kOpen);
    } else {
      CHECK(tag.state.state() == TagState::kArbitrate);
    }
  }
}

TEST_CASE("Query: slot 0 replies with an RN16, another slot is silent in arbitrate") {
  for (int i = 0; i < 50; ++i) {
    TalkingTag tag;
    for (int draws = 0; draws <= i; ++draws) {
      const auto reply = tag.say(gen2::Query{.q = 2});
      CHECK(reply.has_value() == (tag.state.state() == TagState::kReply));
      CHECK((tag.state.state() == TagState::kArbitrate) == !reply.has_value());
      if (reply) CHECK(reply->frame == gen2::encode_rn16(tag.state.rn16()));
    }
  }
}

TEST_CASE("Query: a tag that does not match goes to ready from every state") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::Query{.select = gen2::SelectFilter::kSelected}));
    CHECK(tag.state.state() == TagState::kReady);
  }
}

TEST_CASE("Query of the same session inverts the flag first, then the tag is matched") {
  for (const TagState state : kSingulated) {
    TalkingTag tag;
    bring(tag, state);
    CHECK(tag.say(gen2::Query{.target = Target::kB}));
    CHECK(tag.state.flag(Session::kS0, 0) == Target::kB);
    CHECK(tag.state.state() == TagState::kReply);
  }
}

TEST_CASE("Query of another session inverts nothing") {
  for (const TagState state : kSingulated) {
    TalkingTag tag;
    bring(tag, state);
    CHECK(tag.say(gen2::Query{.session = Session::kS2}));
    CHECK(tag.state.flag(Session::kS0, 0) == Target::kA);
    CHECK(tag.state.flag(Session::kS2, 0) == Target::kA);
  }
}

TEST_CASE("QueryRep and QueryAdjust invert the flag of a singulated tag, which goes to ready") {
  for (const TagState state : kSingulated) {
    for (const bool adjust : {false, true}) {
      TalkingTag tag;
      bring(tag, state);
      if (adjust) {
        CHECK_FALSE(tag.say(gen2::QueryAdjust{}));
      } else {
        CHECK_FALSE(tag.say(gen2::QueryRep{}));
      }
      CHECK(tag.state.state() == TagState::kReady);
      CHECK(tag.state.flag(Session::kS0, 0) == Target::kB);
    }
  }
}

TEST_CASE("QueryRep and QueryAdjust of another session are ignored in every state") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::QueryRep{Session::kS3}));
    CHECK_FALSE(tag.say(gen2::QueryAdjust{Session::kS3, gen2::QChange::kUp}));
    CHECK(tag.state.state() == state);
  }
}

TEST_CASE("QueryRep: reply goes to arbitrate and its slot wraps to 7FFFh") {
  TalkingTag tag;
  bring(tag, TagState::kReply);
  CHECK_FALSE(tag.say(gen2::QueryRep{}));
  CHECK(tag.state.state() == TagState::kArbitrate);
  CHECK(tag.state.slot() == 0x7FFF);
}

TEST_CASE("QueryAdjust: a tag in reply draws again and may reply at once") {
  TalkingTag tag;
  bring(tag, TagState::kReply);
  const std::uint16_t before = tag.state.rn16();
  CHECK(tag.say(gen2::QueryAdjust{}));  // Q is 0: slot 0 again
  CHECK(tag.state.state() == TagState::kReply);
  CHECK(tag.state.rn16() != before);
}

TEST_CASE("ACK: the right RN16 gives PC, EPC and CRC, also in acknowledged, open and secured") {
  TalkingTag reply;
  bring(reply, TagState::kReply);
  const auto epc = reply.say(gen2::Ack{reply.state.rn16()});
  REQUIRE(epc);
  CHECK(epc->frame == gen2::encode_epc_reply(0x3000, test::full_tag().epc));
  for (const TagState state : kSingulated) {
    TalkingTag tag;
    bring(tag, state);
    const auto again = tag.say(gen2::Ack{tag.state.rn16()});
    REQUIRE(again);
    CHECK(again->frame == epc->frame);
    CHECK(tag.state.state() == state);
  }
}

TEST_CASE("ACK: a wrong RN16 sends reply and every singulated state to arbitrate") {
  for (const TagState state :
       {TagState::kReply, TagState::kAcknowledged, TagState::kOpen, TagState::kSecured}) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::Ack{static_cast<std::uint16_t>(tag.state.rn16() ^ 1U)}));
    CHECK(tag.state.state() == TagState::kArbitrate);
    CHECK(tag.state.flag(Session::kS0, 0) == Target::kA);
  }
}

TEST_CASE("ACK is ignored in ready and arbitrate") {
  for (const TagState state : {TagState::kReady, TagState::kArbitrate}) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::Ack{tag.state.rn16()}));
    CHECK(tag.state.state() == state);
  }
}

TEST_CASE("NAK sends reply to secured back to arbitrate; ready ignores it") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::Nak{}));
    CHECK(tag.state.state() ==
          (state == TagState::kReady ? TagState::kReady : TagState::kArbitrate));
    CHECK(tag.state.flag(Session::kS0, 0) == Target::kA);
  }
}

TEST_CASE("Req_RN: with an access password acknowledged goes to open, without one to secured") {
  TalkingTag with;
  with.open();
  CHECK(with.state.state() == TagState::kOpen);
  radio::VirtualTag plain = test::full_tag();
  plain.access_password = 0;
  TalkingTag without(plain);
  without.open();
  CHECK(without.state.state() == TagState::kSecured);
}

TEST_CASE("Req_RN in open and secured gives a new RN16 and keeps the handle") {
  for (const TagState state : {TagState::kOpen, TagState::kSecured}) {
    TalkingTag tag;
    bring(tag, state);
    const std::uint16_t first = tag.cover();
    CHECK(tag.cover() != first);
    CHECK(tag.state.rn16() == tag.handle);
    CHECK(tag.state.state() == state);
  }
}

TEST_CASE("Select sends every living state to ready, without inverting") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    CHECK_FALSE(tag.say(gen2::Select{.target = gen2::SelectTarget::kSl, .action = 0}));
    CHECK(tag.state.state() == TagState::kReady);
    CHECK(tag.state.flag(Session::kS0, 0) == Target::kA);
  }
}

TEST_CASE("a Select without a mask matches where the tag has memory, and nowhere else") {
  const auto matches = [](gen2::Bank bank, std::uint32_t pointer) {
    TalkingTag tag;
    // Asserts SL of those that match.
    tag.say(gen2::Select{
        .target = gen2::SelectTarget::kSl, .action = 0, .bank = bank, .pointer = pointer});
    return tag.state.selected();
  };
  // Eight words of USER.
  CHECK(matches(gen2::Bank::kUser, 0));
  CHECK(matches(gen2::Bank::kUser, 8 * 16 - 1));
  CHECK_FALSE(matches(gen2::Bank::kUser, 8 * 16));
  CHECK_FALSE(matches(gen2::Bank::kUser, 0xFFFF'FFFF));
  CHECK(matches(gen2::Bank::kTid, 5 * 16));
  CHECK_FALSE(matches(gen2::Bank::kTid, 6 * 16));
}

TEST_CASE("a frame with a bad CRC, an unknown code or half its bits is ignored in every state") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    const gen2::BitFrame good = gen2::encode(gen2::ReqRn{tag.state.rn16()});
    gen2::BitFrame bad;
    for (std::size_t i = 0; i < good.size(); ++i) bad.append(good.bit(i) != (i == 20), 1);
    CHECK_FALSE(tag.ear.hear(bad, 0));
    gen2::BitFrame unknown;
    unknown.append(0xDF, 8);
    gen2::append_crc16(unknown);
    CHECK_FALSE(tag.ear.hear(unknown, 0));
    gen2::BitFrame half;
    for (std::size_t i = 0; i < good.size() / 2; ++i) half.append(good.bit(i), 1);
    CHECK_FALSE(tag.ear.hear(half, 0));
    CHECK(tag.state.state() == state);
  }
}

TEST_CASE(
    "without a command within T2 reply and acknowledged go to arbitrate, open and secured stay") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    tag.state.t2_expired();
    const bool falls = state == TagState::kReply || state == TagState::kAcknowledged;
    CHECK(tag.state.state() == (falls ? TagState::kArbitrate : state));
  }
}

TEST_CASE("a killed tag is silent for ever, whatever it hears and however often power comes") {
  TalkingTag tag;
  bring(tag, TagState::kKilled);
  REQUIRE(tag.state.state() == TagState::kKilled);
  for (int i = 0; i < 2; ++i) {
    CHECK_FALSE(tag.say(gen2::Query{}));
    CHECK_FALSE(tag.say(gen2::Query{.target = Target::kB}));
    CHECK_FALSE(tag.say(gen2::Select{}));
    CHECK_FALSE(tag.say(gen2::Ack{tag.state.rn16()}));
    CHECK_FALSE(tag.say(gen2::ReqRn{tag.handle}));
    CHECK_FALSE(tag.say(gen2::Nak{}));
    CHECK(tag.state.state() == TagState::kKilled);
    tag.ear.power_down(1);
    tag.ear.power_up(2);
  }
}

TEST_CASE("a tag without power hears nothing, and wakes up in ready") {
  TalkingTag tag;
  tag.singulate();
  tag.ear.power_down(5);
  CHECK_FALSE(tag.say(gen2::Query{}));
  tag.ear.power_up(6);
  CHECK(tag.state.state() == TagState::kReady);
  CHECK(tag.say(gen2::Query{}));
}
