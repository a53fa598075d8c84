// The simulation calls the tag's transitions directly; here they are compared with frames.
#include "radio/virtual/tag_ear.h"

#include "radio/virtual/random.h"
#include "test/talking_tag.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Random;
using radio::Tag;

TEST_CASE("a tag that hears frames and one that is called directly do the same") {
  std::size_t replies = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const radio::VirtualTagModel model = test::full_model();
    Tag heard(seed);
    Tag called(seed);
    radio::TagMemory memory(test::full_tag(), model);
    radio::TagEar ear(heard, memory);
    ear.power_up(0);
    called.power_up(0);
    std::uint64_t now = 0;
    for (int step = 0; step < 200; ++step) {
      now += random.next() % 100'000'000;
      const auto session = static_cast<gen2::Session>(random.next() % 2);
      const std::uint64_t dice = random.next() % 16;
      std::optional<radio::TagReply> reply;
      bool backscatters = false;
      if (dice == 0) {
        const gen2::Query query{.select = static_cast<gen2::SelectFilter>(random.next() % 4),
                                .session = session,
                                .target = static_cast<gen2::Target>(random.next() % 2),
                                .q = static_cast<std::uint8_t>(random.next() % 4)};
        reply = ear.hear(gen2::encode(query), now);
        backscatters = called.query(query, now);
      } else if (dice < 6) {
        reply = ear.hear(gen2::encode(gen2::QueryRep{session}), now);
        backscatters = called.query_rep(session, now);
      } else if (dice < 10) {
        constexpr gen2::QChange kChanges[] = {gen2::QChange::kUp, gen2::QChange::kSame,
                                              gen2::QChange::kDown};
        const gen2::QChange change = kChanges[random.next() % 3];
        reply = ear.hear(gen2::encode(gen2::QueryAdjust{session, change}), now);
        backscatters = called.query_adjust(session, change, now);
      } else if (dice < 14) {
        const auto rn16 =
            static_cast<std::uint16_t>(heard.rn16() ^ (random.next() % 8 == 0 ? 1U : 0U));
        reply = ear.hear(gen2::encode(gen2::Ack{rn16}), now);
        backscatters = called.ack(rn16);
      } else if (dice == 14) {
        ear.power_down(now);
        called.power_down(now);
        now += 10'000'000;
        ear.power_up(now);
        called.power_up(now);
      } else {
        reply = ear.hear(gen2::encode(gen2::Nak{}), now);
        called.nak();
      }
      replies += reply.has_value() ? 1 : 0;
      REQUIRE(reply.has_value() == backscatters);
      REQUIRE(heard.state() == called.state());
      REQUIRE(heard.slot() == called.slot());
      REQUIRE(heard.rn16() == called.rn16());
      for (unsigned s = 0; s < gen2::kSessions; ++s) {
        const auto each = static_cast<gen2::Session>(s);
        REQUIRE(heard.flag(each, now) == called.flag(each, now));
      }
    }
  }
  CHECK(replies > 1000);
}
