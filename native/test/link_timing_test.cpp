#include "gen2/link_timing.h"

#include <array>
#include <cmath>

#include "gen2/commands.h"
#include "radio/virtual/slot_times.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Coding;
using gen2::DivideRatio;
using gen2::LinkProfile;

namespace {

double us(gen2::Picoseconds time) { return static_cast<double>(time) / 1e6; }

// 0.2 %, and half a unit of the last digit that the table prints.
void check_near(double value, double table, double digit) {
  CAPTURE(value);
  CAPTURE(table);
  CHECK(std::fabs(value - table) <= table * 0.002 + digit / 2);
}

struct Row {
  LinkProfile profile;
  double rtcal, t1, query_rep, ack, rn16, epc, t0, tc, ts;
  double digit;  // of T0, Tc, Ts
};

constexpr auto kR = DivideRatio::k64Over3;
constexpr auto k8 = DivideRatio::k8;

// The ceiling table of the reference (section 10.2).
const Row kTable[] = {
    {{"", Coding::kFm0, 640, 6.25, 1.5, kR},
     15.6,
     15.6,
     59.4,
     175,
     35.9,
     211,
     90.6,
     115.6,
     521.9,
     .1},
    {{"", Coding::kFm0, 640, 6.25, 2, kR}, 18.8, 18.8, 62.5, 206, 35.9, 211, 100, 121.9, 562.5, .1},
    {{"", Coding::kFm0, 426, 12.5, 1.5, kR}, 31.3, 31.3, 106, 338, 54.0, 317, 169, 198, 891, 1},
    {{"", Coding::kFm0, 320, 12.5, 2, kR}, 37.5, 37.5, 113, 400, 71.9, 422, 188, 231, 1100, 1},
    {{"", Coding::kFm0, 160, 12.5, 2, k8}, 37.5, 62.5, 113, 400, 144, 844, 188, 338, 1663, 1},
    {{"", Coding::kFm0, 40, 25, 2, k8}, 75, 250, 213, 788, 575, 3375, 463, 1113, 5600, 1},
    {{"", Coding::kMiller2, 640, 6.25, 1.5, kR},
     15.6,
     15.6,
     59.4,
     175,
     84.4,
     434,
     90.6,
     164,
     794,
     1},
    {{"", Coding::kMiller2, 320, 12.5, 2, kR}, 37.5, 37.5, 113, 400, 169, 869, 188, 328, 1644, 1},
    {{"", Coding::kMiller2, 250, 25, 2, kR}, 75, 75, 213, 788, 216, 1112, 363, 516, 2502, 1},
    {{"", Coding::kMiller4, 640, 7.14, 1.5, kR},
     17.9,
     17.9,
     66.1,
     198,
     169,
     869,
     102,
     257,
     1347,
     1},
    {{"", Coding::kMiller4, 320, 12.5, 2, kR}, 37.5, 37.5, 113, 400, 338, 1738, 188, 497, 2681, 1},
    {{"", Coding::kMiller4, 274, 20, 2, kR}, 60, 60, 173, 633, 394, 2029, 293, 638, 3370, 1},
    {{"", Coding::kMiller4, 250, 25, 2, kR}, 75, 75, 213, 788, 432, 2224, 363, 732, 3830, 1},
    {{"", Coding::kMiller8, 320, 20, 2, kR}, 60, 60, 173, 633, 675, 3475, 293, 917, 5094, 1},
    {{"", Coding::kMiller8, 160, 20, 2, kR}, 60, 62.5, 173, 633, 1350, 6950, 293, 1604, 9268, 1},
};

}  // namespace

TEST_CASE("frame and slot times are those of the reference's table") {
  for (const Row& row : kTable) {
    CAPTURE(row.ts);
    const gen2::LinkTiming timing(row.profile);
    const radio::SlotTimes slots(row.profile, gen2::Session::kS0);
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

TEST_CASE("every profile of the table is without fault, and the first is the default") {
  CHECK(gen2::link_profiles().front().name == "M4-250");
  for (const LinkProfile& profile : gen2::link_profiles()) {
    CAPTURE(profile.name);
    CHECK(gen2::link_profile_fault(profile).empty());
    CHECK(gen2::find_link_profile(profile.name) == &profile);
  }
  CHECK(gen2::find_link_profile("M4-999") == nullptr);
}

TEST_CASE("a profile that tags cannot follow is refused with the rule it breaks") {
  const auto fault = [](double blf, double tari, double pie) {
    return gen2::link_profile_fault({.name = "", .blf_khz = blf, .tari_us = tari, .pie = pie});
  };
  // The reference's own example: M2 / 640 kHz with Tari 15, PIE 2.
  CHECK(fault(640, 15, 2).find("below 1.1 RTcal") != std::string::npos);
  CHECK(fault(120, 6.25, 1.5).find("above 3 RTcal") != std::string::npos);
  CHECK(fault(250, 30, 2).find("Tari") != std::string::npos);
  CHECK(fault(250, 25, 2.5).find("PIE") != std::string::npos);
  CHECK(fault(700, 6.25, 2).find("BLF") != std::string::npos);
  CHECK(fault(250, 25, 2).empty());
}
