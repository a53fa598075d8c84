// The simulation does not send QueryRep to silent tags. Here it is compared, slot for slot,
// with tags that hear every command.
#include "radio/virtual/population.h"

#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Session;
using gen2::Target;
using radio::Population;
using radio::Reach;
using radio::Tag;

namespace {

constexpr std::size_t kTags = 60;

radio::VirtualOptions field(std::uint64_t seed) {
  radio::VirtualOptions options = test::field_of(kTags);
  options.seed = seed;
  return options;
}

// Every tag a state machine of its own, every command to every one.
class Reference {
 public:
  explicit Reference(std::uint64_t seed) {
    radio::Random seeds(seed);
    for (std::size_t i = 0; i < kTags; ++i) tags.emplace_back(seeds.next());
  }
  void power(const std::vector<Reach>& reach, std::uint64_t now) {
    for (std::size_t i = 0; i < kTags; ++i) {
      if (reach[i] == Reach::kNone) {
        tags[i].power_down(now);
      } else {
        tags[i].power_up(now);
      }
    }
  }
  template <typename Command>
  void send(Command command) {
    answering.clear();
    for (std::size_t i = 0; i < kTags; ++i) {
      if (tags[i].powered() && command(tags[i])) answering.push_back(i);
    }
  }

  std::vector<Tag> tags;
  std::vector<std::size_t> answering;
};

}  // namespace

TEST_CASE("skipping silent tags changes nothing") {
  std::size_t singles = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    radio::Random random(seed * 977);
    Population fast(field(seed));
    Reference slow(seed);
    std::uint64_t now = 1'000'000'000;
    const auto power = [&] {
      std::vector<Reach> reach(kTags);
      for (Reach& r : reach) {
        const std::uint64_t dice = random.next() % 16;
        r = dice == 0 ? Reach::kNone : dice == 1 ? Reach::kDeaf : Reach::kHeard;
      }
      std::copy(reach.begin(), reach.end(), fast.reach().begin());
      fast.apply_power(now);
      slow.power(reach, now);
    };
    power();
    unsigned q = 4;
    const auto session = static_cast<Session>(seed % 4);
    for (int frame = 0; frame < 12; ++frame) {
      if (frame % 4 == 0) {
        const gen2::Query query{.session = session,
                                .target = frame % 8 == 0 ? Target::kA : Target::kB,
                                .q = static_cast<std::uint8_t>(q)};
        fast.query(query, now);
        slow.send([&](Tag& tag) { return tag.query(query, now); });
      } else {
        const auto change = frame % 3 == 0 ? gen2::QChange::kDown : gen2::QChange::kUp;
        q = frame % 3 == 0 ? q - 1 : q + 1;
        fast.query_adjust({.session = session, .change = change}, now);
        slow.send([&](Tag& tag) { return tag.query_adjust(session, change, now); });
      }
      // Some frames are broken off.
      const std::uint32_t slots = frame % 5 == 0 ? (1U << q) / 2 : 1U << q;
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (slot > 0) {
          now += 1'000'000;
          fast.query_rep(now);
          slow.send([&](Tag& tag) { return tag.query_rep(session, now); });
        }
        const Population::Slot heard = fast.answer(slot);
        std::size_t expected = 0;
        for (const std::size_t i : slow.answering) {
          if (fast.reach()[i] == Reach::kHeard) ++expected;
        }
        REQUIRE(heard.heard == expected);
        if (heard.heard == 1) {
          ++singles;
          fast.ack(heard.tag);
          REQUIRE(slow.tags[heard.tag].ack(fast.tag(heard.tag).rn16()));
          // All others in the slot hear an ACK with a wrong RN16.
          for (const std::size_t i : slow.answering) {
            if (i != heard.tag) slow.tags[i].ack(fast.tag(heard.tag).rn16());
          }
        }
        if (slot % 16 == 9) power();
      }
    }
    for (std::size_t i = 0; i < kTags; ++i) {
      for (unsigned s = 0; s < gen2::kSessions; ++s) {
        const auto each = static_cast<Session>(s);
        CHECK(fast.tag(i).flag(each, now) == slow.tags[i].flag(each, now));
      }
    }
  }
  CHECK(singles > 300);
}
