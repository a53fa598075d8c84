#include "gen2/link_limits.h"

#include <algorithm>
#include <vector>

#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

namespace {

struct Row {
  double trcal_us;
  double nominal;  // percent; 0 = not in the table
  double extended;
};

void check_rows(DivideRatio ratio, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.trcal_us);
    const auto nominal = blf_tolerance(ratio, row.trcal_us);
    const auto extended = blf_tolerance(ratio, row.trcal_us, Temperature::kExtended);
    CHECK(nominal.value_or(0) * 100 == doctest::Approx(row.nominal));
    CHECK(extended.value_or(0) * 100 == doctest::Approx(row.extended));
  }
}

}  // namespace

TEST_CASE("the tolerance of the BLF with DR 64/3 is that of the table, at every border") {
  // What the table names holds within a hundredth.
  check_rows(DivideRatio::k64Over3,
             {{32.9, 0, 0},    {33.01, 15, 15}, {100.0 / 3, 15, 15}, {33.6, 15, 15}, {33.7, 22, 22},
              {65.9, 22, 22},  {66.1, 10, 15},  {200.0 / 3, 10, 15}, {67.3, 10, 15}, {67.4, 12, 15},
              {82.4, 12, 15},  {82.6, 10, 10},  {250.0 / 3, 10, 10}, {84.1, 10, 10}, {84.2, 10, 12},
              {133.3, 10, 12}, {134, 7, 7},     {200, 7, 7},         {200.1, 5, 5},  {225, 5, 5},
              {225.1, 0, 0}});
}

TEST_CASE("the tolerance of the BLF with DR 8 is that of the table, at every border") {
  check_rows(DivideRatio::k8, {{17.1, 0, 0},
                               {17.2, 19, 19},
                               {24.7, 19, 19},
                               {24.8, 10, 15},
                               {25, 10, 15},
                               {25.2, 10, 15},
                               {25.3, 12, 15},
                               {30.9, 12, 15},
                               {31, 10, 10},
                               {31.25, 10, 10},
                               {31.4, 10, 10},
                               {49.9, 10, 10},
                               {50, 7, 7},
                               {75, 7, 7},
                               {75.1, 4, 4},
                               {200, 4, 4},
                               {200.1, 0, 0}});
}

TEST_CASE("T1 to T7 of M4-250 are those of the formulas") {
  const LinkLimits limits = link_limits(*find_link_profile("M4-250"));
  // RTcal 75 us, Tpri 4 us, TRcal 85.3 us: 10 %.
  CHECK(limits.t1.min_us == doctest::Approx(75 * 0.9 - 2));
  CHECK(limits.t1.max_us == doctest::Approx(75 * 1.1 + 2));
  CHECK(limits.t2.min_us == doctest::Approx(12));
  CHECK(limits.t2.max_us == doctest::Approx(80));
  CHECK(limits.t4_us == doctest::Approx(150));
  CHECK(limits.t5.max_us == 20'000);
  CHECK(limits.t7.min_us == 250);
  CHECK(limits.t7.max_us == 20'000);
  CHECK(link_limits(*find_link_profile("FM0-40")).t7.min_us == doctest::Approx(500));
}

TEST_CASE("the nominal T1 of every profile lies inside its limits, which the tables know") {
  for (const LinkProfile& profile : link_profiles()) {
    CAPTURE(profile.name);
    const LinkLimits limits = link_limits(profile);
    const double rtcal = profile.tari_us * (1 + profile.pie);
    const double t1 = std::max(rtcal, 10'000 / profile.blf_khz);
    CHECK(limits.t1.min_us < t1 - 2);
    CHECK(limits.t1.max_us > t1 + 2);
  }
}
