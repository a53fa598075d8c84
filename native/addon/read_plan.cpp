#include "addon/read_plan.h"

#include <algorithm>
#include <utility>

#include "addon/input.h"

namespace singulate::addon {

namespace {

// Violations name the fields as the contract spells them: snake_case.
inventory::InventoryPlan::Antenna read_antenna(const Input& input) {
  const Input query = input["query"];
  const Input dwell = input["dwell"];
  return {
      .port = input["port"].integer(),
      .transmit_power_cdbm = input.child("transmitPowerCdbm", "transmit_power_cdbm").integer(),
      .query = {.session = query["session"].integer(),
                .target = query["target"].integer(),
                .tag_population = query.child("tagPopulation", "tag_population").integer()},
      .dwell = {.duration_ms = dwell.child("durationMs", "duration_ms").integer(),
                .rounds = dwell["rounds"].integer()},
  };
}

}  // namespace

inventory::InventoryPlan read_plan(Napi::Env env, const Napi::Value& value,
                                   const radio::Capabilities& radio) {
  std::vector<Fault> faults;
  const Input input(value, "", faults);
  if (!value.IsObject()) {
    faults.push_back({"", input.shown() + " given; allowed: a plan"});
    throw violations_error(env, kInvalidPlan, faults);
  }
  inventory::InventoryPlan plan;
  for (const Input& antenna : input["antennas"].items()) {
    plan.antennas.push_back(read_antenna(antenna));
  }
  plan.link_profile = input.child("linkProfile", "link_profile").text();
  const Input stop = input["stop"];
  plan.stop = {.duration_ms = stop.child("durationMs", "duration_ms").integer(),
               .cycles = stop["cycles"].integer()};

  // A field of a wrong type was replaced by a number that is out of range as a rule: its own
  // fault says more than what validate() would find.
  for (const inventory::Violation& violation : validate(plan, radio)) {
    const bool known = std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.field == violation.field;
    });
    if (!known) faults.push_back({violation.field, violation.message});
  }
  if (!faults.empty()) throw violations_error(env, kInvalidPlan, faults);
  return plan;
}

}  // namespace singulate::addon
