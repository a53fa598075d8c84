#include <string>

#include "gen2/link_profile.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::DivideRatio;
using gen2::LinkProfile;

TEST_CASE("every profile of the table is without fault, and the first is the default") {
  CHECK(gen2::link_profiles().front().name == "M4-250");
  for (const LinkProfile& profile : gen2::link_profiles()) {
    CAPTURE(profile.name);
    CHECK(gen2::link_profile_fault(profile).empty());
    CHECK(gen2::find_link_profile(profile.name) == &profile);
  }
  CHECK(gen2::find_link_profile("M4-999") == nullptr);
}

TEST_CASE("no two profiles have the same name, or are the same") {
  for (const LinkProfile& one : gen2::link_profiles()) {
    for (const LinkProfile& other : gen2::link_profiles()) {
      if (&one == &other) continue;
      CHECK(one.name != other.name);
      CHECK_FALSE((one.coding == other.coding && one.blf_khz == other.blf_khz &&
                   one.tari_us == other.tari_us && one.pie == other.pie));
    }
  }
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

TEST_CASE("a refused profile is told what would do, and that does") {
  LinkProfile profile{.name = "", .blf_khz = 640, .tari_us = 15, .pie = 2};
  CHECK(gen2::link_profile_fault(profile).find("BLF of at most 431 kHz") != std::string::npos);
  profile.blf_khz = 430.9;
  CHECK(gen2::link_profile_fault(profile).empty());
  profile = {.name = "", .blf_khz = 40, .tari_us = 25, .pie = 2};
  CHECK(gen2::link_profile_fault(profile).find("With DR 8 it is 200 us") != std::string::npos);
  profile.divide_ratio = DivideRatio::k8;
  CHECK(gen2::link_profile_fault(profile).empty());
  profile = {
      .name = "", .blf_khz = 120, .tari_us = 6.25, .pie = 1.5, .divide_ratio = DivideRatio::k8};
  CHECK(gen2::link_profile_fault(profile).find("BLF of at least 170.7 kHz") != std::string::npos);
  profile.blf_khz = 170.7;
  CHECK(gen2::link_profile_fault(profile).empty());
}
