#include "radio/virtual/tag.h"

#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::QChange;
using gen2::Session;
using gen2::Target;
using radio::Tag;
using radio::TagState;

using singulate::test::kMs;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

gen2::Query query(Session session, Target target = Target::kA, unsigned q = 0) {
  return {.session = session, .target = target, .q = static_cast<std::uint8_t>(q)};
}

// Reads the tag once in the session: its flag is inverted afterwards.
void read(Tag& tag, Session session, Target target, std::uint64_t now_ns) {
  REQUIRE(tag.query(query(session, target), now_ns));
  REQUIRE(tag.ack(tag.rn16()));
  tag.query_rep(session, now_ns);
}

}  // namespace

TEST_CASE("a tag in slot 0 replies, is acknowledged, and leaves with its flag inverted") {
  Tag tag(1);
  tag.power_up(0);
  CHECK(tag.query(query(Session::kS0), 0));
  CHECK(tag.state() == TagState::kReply);
  CHECK(tag.ack(tag.rn16()));
  CHECK(tag.state() == TagState::kAcknowledged);
  CHECK(tag.flag(Session::kS0, 0) == Target::kA);
  CHECK(tag.ack(tag.rn16()));  // the EPC again
  CHECK_FALSE(tag.query_rep(Session::kS0, 0));
  CHECK(tag.state() == TagState::kReady);
  CHECK(tag.flag(Session::kS0, 0) == Target::kB);
  CHECK_FALSE(tag.query(query(Session::kS0), 0));
  CHECK(tag.query(query(Session::kS0, Target::kB), 0));
}

TEST_CASE("a tag replies in the slot it drew") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Tag tag(seed);
    tag.power_up(0);
    bool replies = tag.query(query(Session::kS0, Target::kA, 4), 0);
    const unsigned slot = tag.slot();
    CHECK(slot < 16);
    for (unsigned i = 0; i < 16; ++i) {
      CHECK(replies == (i == slot));
      replies = tag.query_rep(Session::kS0, 0);
    }
  }
}

TEST_CASE("a tag that was not acknowledged is mute until the next frame") {
  Tag tag(3);
  tag.power_up(0);
  REQUIRE(tag.query(query(Session::kS0), 0));
  CHECK_FALSE(tag.query_rep(Session::kS0, 0));
  CHECK(tag.slot() == Tag::kMute);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(tag.query_rep(Session::kS0, 0));
  CHECK(tag.query_adjust(Session::kS0, QChange::kSame, 0));
}

TEST_CASE("a wrong RN16 sends the tag back to arbitrate") {
  Tag tag(3);
  tag.power_up(0);
  REQUIRE(tag.query(query(Session::kS0), 0));
  CHECK_FALSE(tag.ack(static_cast<std::uint16_t>(tag.rn16() ^ 1U)));
  CHECK(tag.state() == TagState::kArbitrate);
  CHECK_FALSE(tag.ack(tag.rn16()));
}

TEST_CASE("QueryRep and QueryAdjust of another session are ignored") {
  Tag tag(3);
  tag.power_up(0);
  REQUIRE(tag.query(query(Session::kS1), 0));
  REQUIRE(tag.ack(tag.rn16()));
  tag.query_rep(Session::kS2, 0);
  tag.query_adjust(Session::kS0, QChange::kUp, 0);
  CHECK(tag.state() == TagState::kAcknowledged);
  tag.query_adjust(Session::kS1, QChange::kUp, 0);
  CHECK(tag.flag(Session::kS1, 0) == Target::kB);
}

TEST_CASE("a Query of the same session inverts the flag before it looks at it") {
  Tag tag(3);
  tag.power_up(0);
  REQUIRE(tag.query(query(Session::kS2), 0));
  REQUIRE(tag.ack(tag.rn16()));
  CHECK(tag.query(query(Session::kS2, Target::kB), 0));
  CHECK(tag.flag(Session::kS2, 0) == Target::kB);

  REQUIRE(tag.ack(tag.rn16()));
  // Of another session: no inversion.
  CHECK(tag.query(query(Session::kS3), 0));
  CHECK(tag.flag(Session::kS2, 0) == Target::kB);
}

TEST_CASE("QueryAdjust changes Q by one within 0..15") {
  Tag tag(9);
  tag.power_up(0);
  tag.query(query(Session::kS0, Target::kA, 1), 0);
  unsigned highest = 0;
  for (int i = 0; i < 20; ++i) {
    tag.query_adjust(Session::kS0, QChange::kUp, 0);
    if (tag.slot() > highest) highest = tag.slot();
  }
  CHECK(highest > 4096);
  for (int i = 0; i < 20; ++i) tag.query_adjust(Session::kS0, QChange::kDown, 0);
  CHECK(tag.slot() == 0);
  CHECK(tag.state() == TagState::kReply);
}

TEST_CASE("S0 is lost without power, S2 and S3 keep for more than 2 s, and for ever with it") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Tag tag(seed);
    tag.power_up(0);
    for (const Session s : {Session::kS0, Session::kS2, Session::kS3}) read(tag, s, Target::kA, 0);
    const std::uint64_t later = 1000 * kSecond;
    for (const Session s : {Session::kS0, Session::kS2, Session::kS3}) {
      CHECK(tag.flag(s, later) == Target::kB);
    }
    tag.power_down(later);
    CHECK(tag.state() == TagState::kReady);
    tag.power_up(later + 1 * kMs);
    CHECK(tag.flag(Session::kS0, later) == Target::kA);
    CHECK(tag.flag(Session::kS2, later) == Target::kB);
    tag.power_down(later + 2 * kMs);
    tag.power_up(later + 2 * kMs + 2 * kSecond);
    CHECK(tag.flag(Session::kS3, later) == Target::kB);
    tag.power_down(later + 3 * kSecond);
    tag.power_up(later + 3 * kSecond + 20 * kSecond);
    CHECK(tag.flag(Session::kS2, later) == Target::kA);
    CHECK(tag.flag(Session::kS3, later) == Target::kA);
  }
}

TEST_CASE("S1 falls back to A after 0.5 to 5 s, powered or not") {
  for (const bool powered : {true, false}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Tag tag(seed);
      tag.power_up(0);
      read(tag, Session::kS1, Target::kA, 0);
      if (!powered) tag.power_down(1);
      CHECK(tag.flag(Session::kS1, 500 * kMs) == Target::kB);
      CHECK(tag.flag(Session::kS1, 5 * kSecond) == Target::kA);
    }
  }
}

TEST_CASE("S1 does not fall back while the tag is inside a round") {
  Tag tag(5);
  tag.power_up(0);
  read(tag, Session::kS1, Target::kA, 0);
  REQUIRE(tag.query(query(Session::kS1, Target::kB), 400 * kMs));
  CHECK(tag.flag(Session::kS1, 60 * kSecond) == Target::kB);
  REQUIRE(tag.ack(tag.rn16()));
  tag.query_rep(Session::kS1, 60 * kSecond);
  CHECK(tag.flag(Session::kS1, 60 * kSecond) == Target::kA);
}
