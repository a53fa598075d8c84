#include "addon/read_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "addon/input.h"
#include "addon/read_access.h"

namespace singulate::addon {

namespace {

using inventory::InputLevel;
using inventory::InventoryPlan;

// Violations name the fields as the contract spells them: snake_case.

InputLevel read_input(const Input& input) {
  return {.port = input["port"].integer(),
          .high = input["high"].boolean(),
          .debounce_ms = input.child("debounceMs", "debounce_ms").integer()};
}

std::vector<InputLevel> read_inputs(const Input& input) {
  std::vector<InputLevel> levels;
  for (const Input& item : input.items()) levels.push_back(read_input(item));
  return levels;
}

gen2::Select read_select(const Input& input) {
  gen2::Select select;
  select.target = static_cast<gen2::SelectTarget>(input["target"].integer(0, 4));
  select.action = static_cast<std::uint8_t>(input["action"].integer(0, 7));
  select.bank = static_cast<gen2::Bank>(input["bank"].integer(0, 3));
  select.pointer = static_cast<std::uint32_t>(input["pointer"].integer(0, kMaxU32));
  select.truncate = input["truncate"].boolean();
  select.mask = read_mask(input["mask"], input["length"]);
  if (select.truncate && (select.target != gen2::SelectTarget::kSl ||
                          select.bank != gen2::Bank::kEpc || select.pointer < 2 * 16)) {
    input["truncate"].fault("true given; allowed: only with target SL and a mask in the EPC");
  }
  return select;
}

InventoryPlan::Antenna read_plan_antenna(const Input& input) {
  const Input query = input["query"];
  const Input dwell = input["dwell"];
  InventoryPlan::Antenna antenna{
      .port = input["port"].integer(),
      .beam = input["beam"].integer(),
      .transmit_power_cdbm = input.child("transmitPowerCdbm", "transmit_power_cdbm").integer(),
      .query = {.session = query["session"].integer(),
                .target = query["target"].integer(),
                .tag_population = query.child("tagPopulation", "tag_population").integer(),
                .select_filter = query["sel"].integer()},
      .dwell = {.duration_ms = dwell.child("durationMs", "duration_ms").integer(),
                .rounds = dwell["rounds"].integer()},
  };
  if (dwell["input"].present()) antenna.dwell.input = read_input(dwell["input"]);
  for (const Input& item : input["selects"].items()) antenna.selects.push_back(read_select(item));
  for (const Input& item : input["access"].items()) antenna.access.push_back(read_access(item));
  const auto operations = static_cast<std::int64_t>(antenna.access.size());
  antenna.memory_from = input.child("memoryFrom", "memory_from").integer(0, operations);
  antenna.memory_count =
      input.child("memoryCount", "memory_count").integer(0, operations - antenna.memory_from);
  return antenna;
}

InventoryPlan::Start read_start(const Input& input) {
  return {.inputs = read_inputs(input["inputs"]),
          .at_ns = input.child("atNs", "at_ns").bigint().value_or(0),
          .every_ms = input.child("everyMs", "every_ms").integer(),
          .restart = input["restart"].boolean()};
}

InventoryPlan::Stop read_stop(const Input& input) {
  return {.duration_ms = input.child("durationMs", "duration_ms").integer(),
          .cycles = input["cycles"].integer(),
          .tag_count = input.child("tagCount", "tag_count").integer(),
          .no_new_tags_ms = input.child("noNewTagsMs", "no_new_tags_ms").integer(),
          .inputs = read_inputs(input["inputs"])};
}

}  // namespace

InventoryPlan read_plan(Napi::Env env, const Napi::Value& value, const radio::Capabilities& radio) {
  std::vector<Fault> faults;
  const Input input(value, "", faults);
  if (!value.IsObject()) {
    faults.push_back({"", input.shown() + " given; allowed: a plan"});
    throw violations_error(env, kInvalidPlan, faults);
  }
  InventoryPlan plan;
  for (const Input& antenna : input["antennas"].items()) {
    plan.antennas.push_back(read_plan_antenna(antenna));
  }
  plan.link_profile = input.child("linkProfile", "link_profile").text();
  const Input candidates = input.child("linkProfileCandidates", "link_profile_candidates");
  if (candidates.present()) {
    for (const Input& item : candidates.items()) {
      plan.link_profile_candidates.push_back(item.text());
    }
  }
  plan.delay_after_selects_us =
      input.child("delayAfterSelectsUs", "delay_after_selects_us").integer();
  const Input min_rssi = input.child("minRssiCdbm", "min_rssi_cdbm");
  if (min_rssi.present()) plan.min_rssi_cdbm = min_rssi.integer();
  const Input delay = input.child("cycleDelay", "cycle_delay");
  plan.cycle_delay = static_cast<inventory::CycleDelay>(delay["kind"].integer(0, 2));
  plan.cycle_delay_ms = delay.child("durationMs", "duration_ms").integer();
  plan.start = read_start(input["start"]);
  plan.stop = read_stop(input["stop"]);

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
