// Select against real tags: actions on all targets, banks, masks, truncation (section 7).
#include "test/talking_tag.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Bank;
using gen2::Session;
using gen2::Target;
using test::TalkingTag;

namespace {

gen2::SelectMask mask_of(std::uint64_t value, unsigned bits) {
  gen2::SelectMask mask;
  for (unsigned i = bits; i-- > 0;) mask.append(((value >> i) & 1U) != 0);
  return mask;
}

bool matches(TalkingTag& tag, Bank bank, std::uint32_t pointer, std::uint64_t value,
             unsigned bits) {
  // Action 0: asserted on a match, deasserted otherwise.
  tag.say(
      gen2::Select{.action = 0, .bank = bank, .pointer = pointer, .mask = mask_of(value, bits)});
  return tag.state.selected();
}

}  // namespace

TEST_CASE("all eight actions act on all five targets as the table says, matching or not") {
  for (unsigned target = 0; target < gen2::kSelectTargets; ++target) {
    for (unsigned action = 0; action < gen2::kSelectActions; ++action) {
      for (const bool match : {true, false}) {
        for (const bool set : {true, false}) {
          TalkingTag tag;
          const auto where = static_cast<gen2::SelectTarget>(target);
          // Set means SL asserted, or the flag in A: what "assert" leads to.
          const auto is_set = [&] {
            return where == gen2::SelectTarget::kSl
                       ? tag.state.selected()
                       : tag.state.flag(static_cast<Session>(target), 0) == Target::kA;
          };
          tag.say(gen2::Select{.target = where, .action = static_cast<std::uint8_t>(set ? 0 : 4)});
          REQUIRE(is_set() == set);
          tag.say(gen2::Select{.target = where,
                               .action = static_cast<std::uint8_t>(action),
                               .bank = Bank::kEpc,
                               .pointer = 32,
                               .mask = mask_of(match ? 0x30 : 0x31, 8)});
          const auto change = gen2::flag_change(action, match);
          const bool expected = change == gen2::FlagChange::kNone          ? set
                                : change == gen2::FlagChange::kAssertOrA   ? true
                                : change == gen2::FlagChange::kDeassertOrB ? false
                                                                           : !set;
          CHECK(is_set() == expected);
          // No other flag has moved.
          for (unsigned other = 0; other < gen2::kSessions; ++other) {
            if (other == target) continue;
            CHECK(tag.state.flag(static_cast<Session>(other), 0) == Target::kA);
          }
        }
      }
    }
  }
}

TEST_CASE("Select compares any bits of EPC, TID and USER, PC and stored CRC included") {
  radio::VirtualTag with_user = test::full_tag();
  with_user.user = {0xAB, 0xCD};
  TalkingTag tag(with_user);
  CHECK(matches(tag, Bank::kEpc, 0x20, 0x3008, 16));
  CHECK(matches(tag, Bank::kEpc, 0x23, 0b1'0000'0000'1000, 13));
  CHECK(matches(tag, Bank::kEpc, 0x10, 0b00110, 5));  // L
  CHECK(matches(tag, Bank::kEpc, 0x00, tag.memory.stored_crc(), 16));
  CHECK_FALSE(matches(tag, Bank::kEpc, 0x20, 0x3009, 16));
  CHECK(matches(tag, Bank::kTid, 0, 0xE280, 16));
  CHECK_FALSE(matches(tag, Bank::kTid, 0, 0xE281, 16));
  CHECK(matches(tag, Bank::kUser, 4, 0xBCD, 12));
  CHECK_FALSE(matches(tag, Bank::kUser, 4, 0xBCC, 12));
}

TEST_CASE("bank 0 and what passes the end of memory match no tag") {
  TalkingTag tag;
  CHECK_FALSE(matches(tag, Bank::kUser, 100000, 0, 0));
  CHECK_FALSE(matches(tag, Bank::kReserved, 0, 0x1234, 16));
  CHECK(matches(tag, Bank::kTid, 80, 0x0007, 16));
  CHECK_FALSE(matches(tag, Bank::kTid, 81, 0b111'0, 16));
  CHECK_FALSE(matches(tag, Bank::kTid, 1U << 30U, 1, 1));
  radio::VirtualTagModel small = test::full_model();
  small.user_words = 0;
  TalkingTag without_user(test::full_tag(), small);
  CHECK_FALSE(matches(without_user, Bank::kUser, 0, 0, 1));
}

TEST_CASE("Query asks for all, for SL, for not SL") {
  for (const bool selected : {true, false}) {
    TalkingTag tag;
    tag.say(gen2::Select{.action = static_cast<std::uint8_t>(selected ? 0 : 4)});
    using gen2::SelectFilter;
    CHECK(tag.say(gen2::Query{.select = SelectFilter::kAll}));
    CHECK(tag.say(gen2::Query{.select = SelectFilter::kAllToo}));
    CHECK(tag.say(gen2::Query{.select = SelectFilter::kSelected}).has_value() == selected);
    CHECK(tag.say(gen2::Query{.select = SelectFilter::kNotSelected}).has_value() == !selected);
  }
}

TEST_CASE("SL keeps with power for ever, without for more than 2 s") {
  TalkingTag tag;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  tag.say(gen2::Select{.action = 0});
  tag.ear.power_down(1000 * kSecond);
  tag.ear.power_up(1002 * kSecond);
  CHECK(tag.state.selected());
  tag.ear.power_down(1003 * kSecond);
  tag.ear.power_up(1030 * kSecond);
  CHECK_FALSE(tag.state.selected());
}

TEST_CASE("a truncating Select makes the tag send the rest of its EPC after 00000") {
  TalkingTag tag;
  const gen2::Select truncating{.action = 0,
                                .bank = Bank::kEpc,
                                .pointer = 0x20,
                                .mask = mask_of(0x3008, 16),
                                .truncate = true};
  tag.say(truncating);
  const gen2::Query query{.select = gen2::SelectFilter::kSelected};
  REQUIRE(tag.say(query));
  const auto reply = tag.say(gen2::Ack{tag.state.rn16()});
  REQUIRE(reply);
  CHECK(reply->frame ==
        gen2::encode_truncated_reply(test::full_tag().epc, 16, tag.memory.stored_crc()));
  CHECK(reply->frame.size() == 5 + 80 + 16);

  // Only for a Query that asks for SL, and only until the next Select.
  REQUIRE(tag.say(gen2::Query{.session = Session::kS1}));
  CHECK(tag.say(gen2::Ack{tag.state.rn16()})->frame.size() == 128);
  tag.say(gen2::Select{.action = 0});
  REQUIRE(tag.say(gen2::Query{.select = gen2::SelectFilter::kSelected, .session = Session::kS2}));
  CHECK(tag.say(gen2::Ack{tag.state.rn16()})->frame.size() == 128);
}

TEST_CASE("truncation of another target or bank, or after the EPC, is no valid Select") {
  for (const gen2::Select& wrong :
       {gen2::Select{
            .target = gen2::SelectTarget::kS1, .action = 4, .pointer = 0x20, .truncate = true},
        gen2::Select{.action = 0, .bank = Bank::kTid, .pointer = 0x20, .truncate = true},
        gen2::Select{.action = 0, .pointer = 0x10, .truncate = true},
        gen2::Select{.action = 0, .pointer = 0x20 + 97, .truncate = true}}) {
    TalkingTag tag;
    tag.singulate();
    CHECK_FALSE(tag.say(wrong));
    CHECK_FALSE(tag.state.selected());
    CHECK(tag.state.flag(Session::kS1, 0) == Target::kA);
    CHECK(tag.state.state() == radio::TagState::kAcknowledged);
  }
}
