#include <algorithm>

#include "inventory/inventory_plan.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using inventory::InventoryPlan;

namespace {

radio::Capabilities two_antennas() {
  radio::Capabilities radio;
  radio.antennas = {1, 2};
  radio.min_transmit_power_cdbm = 500;
  radio.max_transmit_power_cdbm = 3000;
  radio.link_profiles = {"M4-250", "FM0-640"};
  return radio;
}

InventoryPlan good() {
  InventoryPlan plan;
  plan.antennas = {{.port = 2, .transmit_power_cdbm = 2700},
                   {.port = 1, .transmit_power_cdbm = 500}};
  return plan;
}

std::vector<std::string> fields(const InventoryPlan& plan) {
  std::vector<std::string> result;
  for (const auto& violation : validate(plan, two_antennas())) result.push_back(violation.field);
  return result;
}

using Fields = std::vector<std::string>;

}  // namespace

TEST_CASE("a good plan has no violations") {
  CHECK(fields(good()).empty());
  auto plan = good();
  plan.link_profile = "FM0-640";
  plan.antennas[0].query = {.session = 3, .target = 2, .tag_population = 65'535};
  plan.antennas[0].dwell = {.duration_ms = 86'400'000, .rounds = 65'535};
  plan.stop = {.duration_ms = 9'007'199'254'740'991, .cycles = 4'294'967'295};
  CHECK(fields(plan).empty());
}

TEST_CASE("every limit of the plan is checked, and all violations are found at once") {
  auto plan = good();
  plan.antennas[0].query = {.session = 4, .target = -1, .tag_population = 65'536};
  plan.antennas[1].dwell = {.duration_ms = 86'400'001, .rounds = 65'536};
  plan.antennas[1].transmit_power_cdbm = 499;
  plan.link_profile = "M4-251";
  plan.stop = {.duration_ms = -1, .cycles = 4'294'967'296};
  CHECK(fields(plan) == Fields{"antennas[0].query.session", "antennas[0].query.target",
                               "antennas[0].query.tag_population",
                               "antennas[1].transmit_power_cdbm", "antennas[1].dwell.duration_ms",
                               "antennas[1].dwell.rounds", "link_profile", "stop.duration_ms",
                               "stop.cycles"});
}

TEST_CASE("a port must exist and occur once") {
  auto plan = good();
  plan.antennas.push_back({.port = 2, .transmit_power_cdbm = 3000});
  plan.antennas.push_back({.port = 3, .transmit_power_cdbm = 3000});
  CHECK(fields(plan) == Fields{"antennas[2].port", "antennas[3].port"});
}

TEST_CASE("a plan has 1 to 512 antennas and beams") {
  InventoryPlan plan;
  CHECK(fields(plan) == Fields{"antennas"});
  plan.antennas.resize(513);
  const auto found = fields(plan);
  CHECK(std::find(found.begin(), found.end(), "antennas") != found.end());
}

TEST_CASE("a violation says what was given and what is allowed") {
  auto plan = good();
  plan.antennas[1].transmit_power_cdbm = 3001;
  plan.antennas[0].port = 7;
  plan.link_profile = "M9-99";
  const auto violations = validate(plan, two_antennas());
  REQUIRE(violations.size() == 3);
  CHECK(violations[0].message == "7 given; allowed: 1, 2");
  CHECK(violations[1].message == "3001 given; allowed: 500..3000");
  CHECK(violations[2].message == "\"M9-99\" given; allowed: M4-250, FM0-640");
}
