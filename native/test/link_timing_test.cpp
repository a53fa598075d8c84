#include "gen2/link_timing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gen2/ceiling.h"
#include "gen2/commands.h"
#include "radio/virtual/slot_times.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::LinkProfile;

namespace {

double us(gen2::Picoseconds time) { return static_cast<double>(time) / 1e6; }

// 0.2 %, and half a unit of the last digit that the table prints.
void check_near(double value, double table, double digit) {
  CAPTURE(value);
  CAPTURE(table);
  CHECK(std::fabs(value - table) <= table * 0.002 + digit / 2);
}

struct TimingRow {
  const char* profile;
  double rtcal, t1, query_rep, ack, rn16, epc, t0, tc, ts, load, tags_per_second, with_slack;
  double digit;  // of T0, Tc, Ts
};

// The ceiling table of the reference (section 10.2).
// clang-format off
const TimingRow kTable[] = {
    {"FM0-640",    15.6, 15.6, 59.4, 175, 35.9, 211,  90.6, 115.6, 521.9, .913, 1440, 1310, .1},
    {"FM0-640-P2", 18.8, 18.8, 62.5, 206, 35.9, 211,  100,  121.9, 562.5, .929, 1335, 1221, .1},
    {"FM0-426",    31.3, 31.3, 106,  338, 54.0, 317,  169,  198,   891,   .941, 832,  765,  1},
    {"FM0-320",    37.5, 37.5, 113,  400, 71.9, 422,  188,  231,   1100,  .925, 689,  629,  1},
    {"FM0-160",    37.5, 62.5, 113,  400, 144,  844,  188,  338,   1663,  .800, 482,  423,  1},
    {"FM0-40",     75,   250,  213,  788, 575,  3375, 463,  1113,  5600,  .714, 148,  125,  1},
    {"M2-640",     15.6, 15.6, 59.4, 175, 84.4, 434,  90.6, 164,   794,   .799, 1006, 903,  1},
    {"M2-320",     37.5, 37.5, 113,  400, 169,  869,  188,  328,   1644,  .809, 487,  439,  1},
    {"M2-250",     75,   75,   213,  788, 216,  1112, 363,  516,   2502,  .876, 310,  284,  1},
    {"M4-640",     17.9, 17.9, 66.1, 198, 169,  869,  102,  257,   1347,  .700, 622,  553,  1},
    {"M4-320",     37.5, 37.5, 113,  400, 338,  1738, 188,  497,   2681,  .687, 315,  280,  1},
    {"M4-274",     60,   60,   173,  633, 394,  2029, 293,  638,   3370,  .742, 246,  220,  1},
    {"M4-250",     75,   75,   213,  788, 432,  2224, 363,  732,   3830,  .765, 214,  193,  1},
    {"M8-320",     60,   60,   173,  633, 675,  3475, 293,  917,   5094,  .641, 169,  150,  1},
    {"M8-160",     60,   62.5, 173,  633, 1350, 6950, 293,  1604,  9268,  .508, 97,   85,   1},
};
// clang-format on

const LinkProfile& profile_of(const char* name) {
  const LinkProfile* profile = gen2::find_link_profile(name);
  REQUIRE(profile != nullptr);
  return *profile;
}

gen2::Ceiling ceiling_of(const radio::SlotTimes& slots, std::size_t epc_bytes) {
  return gen2::ceiling(us(slots.empty_slot()), us(slots.collided_slot()),
                       us(slots.single_slot(epc_bytes)));
}

}  // namespace

TEST_CASE("frame and slot times are those of the reference's table") {
  for (const TimingRow& row : kTable) {
    CAPTURE(row.profile);
    const gen2::LinkTiming timing(profile_of(row.profile));
    const radio::SlotTimes slots(profile_of(row.profile), gen2::Session::kS0);
    check_near(us(timing.rtcal()), row.rtcal, .1);
    check_near(us(timing.t1()), row.t1, .1);
    check_near(us(slots.query_rep()), row.query_rep, row.query_rep < 100 ? .1 : 1);
    check_near(us(slots.ack(0x5555)), row.ack, 1);
    check_near(us(timing.reply_time(16)), row.rn16, row.rn16 < 100 ? .1 : 1);
    check_near(us(timing.reply_time(128)), row.epc, 1);
    check_near(us(slots.empty_slot()), row.t0, row.digit);
    check_near(us(slots.collided_slot()), row.tc, row.digit);
    check_near(us(slots.single_slot(12)), row.ts, row.digit);
  }
}

TEST_CASE("best load and ceiling are those of the reference's table") {
  for (const TimingRow& row : kTable) {
    CAPTURE(row.profile);
    const radio::SlotTimes slots(profile_of(row.profile), gen2::Session::kS0);
    check_near(ceiling_of(slots, 12).best_load, row.load, .001);
    check_near(ceiling_of(slots, 12).tags_per_second, row.tags_per_second, 1);
  }
}

TEST_CASE("the ceiling with slack: T2 of 8 Tpri, T3 of 5 Tpri, TRext") {
  for (const TimingRow& row : kTable) {
    CAPTURE(row.profile);
    LinkProfile profile = profile_of(row.profile);
    profile.extended_preamble = true;
    const gen2::LinkTiming timing(profile);
    const radio::SlotTimes slots(profile, gen2::Session::kS0);
    const double tpri = us(timing.tpri());
    const auto slot = [&](unsigned bits) {
      return std::max(us(timing.t1() + timing.reply_time(bits)) + 8 * tpri, us(timing.t4()));
    };
    const double query_rep = us(slots.query_rep());
    const double empty = query_rep + std::max(us(timing.t1()) + 5 * tpri, us(timing.t4()));
    const double collided = query_rep + slot(16);
    const double single = collided + us(slots.ack(0x5555)) + slot(128);
    check_near(gen2::ceiling(empty, collided, single).tags_per_second, row.with_slack, 1);
  }
}

TEST_CASE("the ceiling by the length of the EPC, and with a Read of six TID words") {
  struct Lengths {
    const char* profile;
    double words6, words8, words16, words31, tid;
  };
  for (const Lengths& row :
       {Lengths{"FM0-640", 1440, 1343, 1059, 758, 550}, Lengths{"M2-320", 487, 444, 328, 220, 194},
        Lengths{"M4-250", 214, 193, 138, 90, 87}}) {
    CAPTURE(row.profile);
    const gen2::LinkTiming timing(profile_of(row.profile));
    const radio::SlotTimes slots(profile_of(row.profile), gen2::Session::kS0);
    check_near(ceiling_of(slots, 12).tags_per_second, row.words6, 1);
    check_near(ceiling_of(slots, 16).tags_per_second, row.words8, 1);
    check_near(ceiling_of(slots, 32).tags_per_second, row.words16, 1);
    check_near(ceiling_of(slots, 62).tags_per_second, row.words31, 1);
    // Req_RN: code C1h, RN16, CRC-16; Read: code C2h, bank 2, pointer 0, 6 words, handle, CRC-16.
    const gen2::Picoseconds read = timing.command_time(40, 3 + 8 + 8) + timing.listen(32) +
                                   timing.command_time(58, 3 + 1 + 2 + 8 + 8) +
                                   timing.listen(33 + 16 * 6);
    const double single = us(slots.single_slot(12) + read);
    check_near(
        gen2::ceiling(us(slots.empty_slot()), us(slots.collided_slot()), single).tags_per_second,
        row.tid, 1);
  }
}

TEST_CASE("the ceilings of the E710's modes") {
  struct Mode {
    const char* profile;
    double tags_per_second;
  };
  for (const Mode& mode :
       {Mode{"FM0-426", 832}, Mode{"FM0-426-T15", 742}, Mode{"M2-426", 604}, Mode{"M2-320", 487},
        Mode{"M2-320-T20", 390}, Mode{"M8-640", 335}, Mode{"M4-320-T20", 271},
        Mode{"M4-250-T20", 231}, Mode{"M8-320", 169}, Mode{"FM0-50", 185}, Mode{"M8-160", 97}}) {
    CAPTURE(mode.profile);
    const radio::SlotTimes slots(profile_of(mode.profile), gen2::Session::kS0);
    check_near(ceiling_of(slots, 12).tags_per_second, mode.tags_per_second, 1);
  }
}

TEST_CASE("the time of a command depends on its bits") {
  const LinkProfile& profile = *gen2::find_link_profile("M4-250");
  const gen2::LinkTiming timing(profile);
  // Frame-sync 12.5 + 25 + 75, then 2 zeros, 2 ones of 50.
  CHECK(us(timing.command_time(encode(gen2::QueryRep{gen2::Session::kS3}))) == 262.5);
  CHECK(us(timing.command_time(encode(gen2::QueryRep{gen2::Session::kS0}))) == 212.5);
  const radio::SlotTimes slots(profile, gen2::Session::kS0);
  for (const std::uint16_t rn16 : std::array<std::uint16_t, 4>{0x0000, 0x0001, 0x8421, 0xFFFF}) {
    CHECK(slots.ack(rn16) == timing.command_time(encode(gen2::Ack{rn16})));
  }
  // A Query has a preamble: TRcal more than the frame-sync.
  const gen2::BitFrame query = encode(gen2::Query{});
  CHECK(timing.query_time(query) - timing.command_time(query) == timing.trcal());
}

TEST_CASE("TRext makes replies longer by its pilot tone") {
  LinkProfile profile = *gen2::find_link_profile("FM0-640");
  const gen2::LinkTiming without(profile);
  profile.extended_preamble = true;
  const gen2::LinkTiming with(profile);
  CHECK(with.reply_time(16) - without.reply_time(16) == 12 * without.tpri());
}
