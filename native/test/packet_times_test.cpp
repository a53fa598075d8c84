// When the packets of the air are: each reply begins T1 after its command.
#include <optional>
#include <set>
#include <vector>

#include "gen2/any_command.h"
#include "gen2/link_profile.h"
#include "gen2/link_timing.h"
#include "gen2/replies.h"
#include "radio/virtual/packet_log.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::Packet;
using radio::PacketKind;
using test::Keeper;

namespace {

// Of a reply or a collision: nanoseconds from the end of the command before it.
struct Gap {
  PacketKind kind;
  bool by_query = false;
  std::size_t bits = 0;
  std::uint64_t ns = 0;
};

std::vector<Gap> gaps_of(const radio::RoundRequest& request, const gen2::LinkTiming& link) {
  auto options = test::field_of(30);
  for (auto& tag : options.groups[0].tags) tag.user = {0x11, 0x22, 0x33, 0x44};
  options.models[0].user_words = 2;
  radio::PacketLog log(100'000);
  radio::VirtualRadio radio(options);
  radio.observe(&log);
  REQUIRE(radio.configure(test::settings("M4-250", {1})).ok());
  Keeper keeper;
  REQUIRE(radio.run_round(request, keeper).ok());
  REQUIRE(keeper.reads.size() == 30);
  std::vector<Gap> gaps;
  std::optional<Packet> command;
  for (const Packet& packet : log.take().packets) {
    if (packet.kind == PacketKind::kCommand) command = packet;
    if (packet.kind != PacketKind::kReply && packet.kind != PacketKind::kCollision) continue;
    REQUIRE(command);
    const auto decoded = gen2::decode_command(command->frame);
    REQUIRE(decoded);
    const bool query = std::holds_alternative<gen2::Query>(*decoded);
    const auto sent = query ? link.query_time(command->frame) : link.command_time(command->frame);
    gaps.push_back({packet.kind, query,
                    packet.kind == PacketKind::kReply ? packet.frame.size() : gen2::kRn16Bits,
                    packet.time_ns - command->time_ns - sent / 1000});
  }
  return gaps;
}

}  // namespace

TEST_CASE("every reply of a round ends T1 and its own length after its command") {
  const gen2::LinkTiming link(*gen2::find_link_profile("M4-250"));
  const std::vector<radio::AccessOp> reads{
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kUser, .word_count = 2}};
  const auto gaps = gaps_of({.antenna = 1, .access = reads}, link);
  std::set<std::size_t> lengths;
  for (const Gap& gap : gaps) {
    const auto expected = (link.t1() + link.reply_time(static_cast<unsigned>(gap.bits))) / 1000;
    CAPTURE(gap.bits);
    // Whole nanoseconds of a clock in picoseconds.
    CHECK(gap.ns + 2 >= expected);
    CHECK(gap.ns <= expected + 2);
    lengths.insert(gap.kind == PacketKind::kCollision ? 0 : gap.bits);
  }
  // Collisions, RN16, handles, EPCs, and the answers to Read.
  CHECK(lengths.size() >= 5);
}

TEST_CASE("a reply that is cut short takes the time of its bits") {
  const gen2::LinkTiming link(*gen2::find_link_profile("M4-250"));
  gen2::Select select{.target = gen2::SelectTarget::kSl, .pointer = 0x20, .truncate = true};
  // The first nibble of all EPCs.
  for (const bool one : {false, false, true, true}) select.mask.append(one);
  radio::SelectList selects;
  selects.selects = {select};
  const auto gaps = gaps_of(
      {.antenna = 1, .select_filter = gen2::SelectFilter::kSelected, .selects = &selects}, link);
  bool any = false;
  for (const Gap& gap : gaps) {
    if (gap.bits != 5 + 92 + 16) continue;
    any = true;
    const auto expected = (link.t1() + link.reply_time(5 + 92 + 16)) / 1000;
    CHECK(gap.ns + 2 >= expected);
    CHECK(gap.ns <= expected + 2);
  }
  CHECK(any);
}
