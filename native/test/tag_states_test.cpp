// The state rules of reference section 6, each by its row, through whole frames.
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

constexpr TagState kLiving[] = {TagState::kReady,        TagState::kArbitrate, TagState::kReply,
                                TagState::kAcknowledged, TagState::kOpen,      TagState::kSecured};
constexpr TagState kSingulated[] = {TagState::kAcknowledged, TagState::kOpen, TagState::kSecured};

}  // namespace

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

TEST_CASE("Req_RN with a wrong RN16, and in ready, arbitrate and reply, is ignored") {
  for (const TagState state : kLiving) {
    TalkingTag tag;
    bring(tag, state);
    const bool singulated = state >= TagState::kAcknowledged;
    const auto rn16 =
        static_cast<std::uint16_t>(singulated ? tag.state.rn16() ^ 1U : tag.state.rn16());
    CHECK_FALSE(tag.say(gen2::ReqRn{rn16}));
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
