#include <algorithm>

#include "inventory/check.h"
#include "inventory/inventory_plan.h"

namespace singulate::inventory {

namespace {

constexpr std::int64_t kMaxDwellMs = 86'400'000;
constexpr std::int64_t kMaxRounds = 65'535;
constexpr std::int64_t kMaxPopulation = 65'535;
constexpr std::int64_t kMaxCycles = 4'294'967'295;
constexpr std::int64_t kMaxTagCount = 1'000'000;
constexpr std::int64_t kMaxDebounceMs = 60'000;
constexpr std::int64_t kMaxEveryMs = 86'400'000'000;
constexpr std::int64_t kMaxSelectDelayUs = 65'000;
constexpr std::int64_t kMaxCycleDelayMs = 60'000;
constexpr std::int64_t kMinRssiCdbm = -12'000;
constexpr std::int64_t kMaxStopMs = 9'007'199'254'740'991;

void check_port(const InventoryPlan& plan, std::size_t index, const std::string& field,
                const radio::Capabilities& radio, Check& check) {
  const InventoryPlan::Antenna& antenna = plan.antennas[index];
  const auto found = std::find(radio.antennas.begin(), radio.antennas.end(), antenna.port);
  if (found == radio.antennas.end()) {
    check.violation(field + "port",
                    std::to_string(antenna.port) + " given; allowed: " +
                        joined(radio.antennas, [](auto p) { return std::to_string(p); }));
    return;
  }
  const auto at = static_cast<std::size_t>(found - radio.antennas.begin());
  const std::int64_t beams = at < radio.beams.size() ? radio.beams[at] : 0;
  check.range(field + "beam", antenna.beam, 0, beams);
  for (std::size_t before = 0; before < index; ++before) {
    const InventoryPlan::Antenna& other = plan.antennas[before];
    if (other.port != antenna.port || other.beam != antenna.beam) continue;
    check.violation(field + (antenna.beam == 0 ? "port" : "beam"),
                    std::to_string(antenna.beam == 0 ? antenna.port : antenna.beam) +
                        " given twice; allowed: each port and beam once");
    return;
  }
}

void check_input(const InputLevel& input, const std::string& field, Check& check) {
  check.range(field + ".port", input.port, 1, kMaxInputs);
  check.range(field + ".debounce_ms", input.debounce_ms, 0, kMaxDebounceMs);
}

void check_inputs(const std::vector<InputLevel>& inputs, const std::string& field, Check& check) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    check_input(inputs[i], field + "[" + std::to_string(i) + "]", check);
  }
}

void check_selects(const InventoryPlan::Antenna& antenna, const std::string& field,
                   const radio::Features& features, Check& check) {
  const std::size_t given = antenna.selects.size();
  const std::string text = std::to_string(given) + " given; allowed: ";
  if (given > 0 && !features.has(radio::Feature::kSelects)) {
    check.violation(field + "selects", text + "none on this radio");
  } else if (given > std::min(kMaxSelects, features.most_selects)) {
    const bool of_radio = features.most_selects < kMaxSelects;
    check.violation(field + "selects",
                    text + "at most " +
                        std::to_string(std::min(kMaxSelects, features.most_selects)) +
                        (of_radio ? " on this radio" : ""));
  }
  for (std::size_t i = 0; i < given; ++i) {
    const std::string select = field + "selects[" + std::to_string(i) + "]";
    if (antenna.selects[i].truncate && !features.has(radio::Feature::kTruncate)) {
      check.violation(select + ".truncate", "true given; allowed: false on this radio");
    }
    if (antenna.selects[i].bank == gen2::Bank::kReserved && !features.selects_reserved) {
      check.violation(select + ".bank", "RESERVED given; allowed: EPC, TID, USER on this radio");
    }
    if (features.only_asserts_sl && !radio::asserts_sl(antenna.selects[i])) {
      check.violation(select + ".action",
                      "given; allowed: action 0 or 4 on the target SL, on this radio");
    }
  }
}

// Sel of the Query, where the radio takes it from the selects.
void check_select_filter(const InventoryPlan::Antenna& antenna, const std::string& field,
                         const radio::Features& features, Check& check) {
  constexpr std::int64_t kAllToo = 1;
  const std::int64_t filter = antenna.query.select_filter;
  if (!features.filter_follows_selects || filter < 0 || filter > 3) return;
  if (!features.has(radio::Feature::kSelects)) {
    if (filter != 0) check.violation(field + "query.sel", "given; allowed: all tags on this radio");
    return;
  }
  const auto asked = static_cast<std::int64_t>(radio::filter_of(antenna.selects));
  if (filter == asked || (filter == kAllToo && asked == 0)) return;
  check.violation(field + "query.sel",
                  asked == 0 ? "given; allowed: all tags on this radio, unless a select acts on SL"
                             : "given; allowed: SL on this radio, as a select acts on SL");
}

void check_access(const InventoryPlan::Antenna& antenna, const std::string& field,
                  const radio::Features& features, Check& check) {
  const std::size_t given = antenna.access.size();
  const std::string text = std::to_string(given) + " given; allowed: ";
  if (given > 0 && !features.has(radio::Feature::kAccess)) {
    check.violation(field + "access", text + "none on this radio");
    return;
  }
  if (given > kMaxAccess) {
    check.violation(field + "access", text + "at most " + std::to_string(kMaxAccess));
  }
  for (std::size_t i = 0; i < given; ++i) {
    check_operation(antenna.access[i], field + "access[" + std::to_string(i) + "]", i + 1 == given,
                    features, check);
  }
}

void check_antenna(const InventoryPlan& plan, std::size_t index, const radio::Capabilities& radio,
                   Check& check) {
  const InventoryPlan::Antenna& antenna = plan.antennas[index];
  const std::string field = "antennas[" + std::to_string(index) + "].";
  check_port(plan, index, field, radio, check);
  check.range(field + "transmit_power_cdbm", antenna.transmit_power_cdbm,
              radio.min_transmit_power_cdbm, radio.max_transmit_power_cdbm);
  check.range(field + "query.session", antenna.query.session, 0, 3);
  check.range(field + "query.target", antenna.query.target, 0, 2);
  check.range(field + "query.sel", antenna.query.select_filter, 0, 3);
  check.range(field + "query.tag_population", antenna.query.tag_population, 0, kMaxPopulation);
  check.range(field + "dwell.duration_ms", antenna.dwell.duration_ms, 0, kMaxDwellMs);
  check.range(field + "dwell.rounds", antenna.dwell.rounds, 0, kMaxRounds);
  if (antenna.dwell.input) check_input(*antenna.dwell.input, field + "dwell.input", check);
  check_selects(antenna, field, radio.features, check);
  check_select_filter(antenna, field, radio.features, check);
  check_access(antenna, field, radio.features, check);
}

void check_start(const InventoryPlan::Start& start, Check& check) {
  check_inputs(start.inputs, "start.inputs", check);
  check.range("start.every_ms", start.every_ms, 0, kMaxEveryMs);
  if (!start.inputs.empty() && (start.at_ns > 0 || start.every_ms > 0)) {
    check.violation("start.inputs", "given with a time; allowed: inputs or a time");
  }
  if (start.inputs.empty() && start.restart) {
    check.violation("start.restart", "true given; allowed: only with inputs");
  }
}

void check_stop(const InventoryPlan::Stop& stop, Check& check) {
  check.range("stop.duration_ms", stop.duration_ms, 0, kMaxStopMs);
  check.range("stop.cycles", stop.cycles, 0, kMaxCycles);
  check.range("stop.tag_count", stop.tag_count, 0, kMaxTagCount);
  check.range("stop.no_new_tags_ms", stop.no_new_tags_ms, 0, kMaxStopMs);
  check_inputs(stop.inputs, "stop.inputs", check);
}

void check_candidates(const InventoryPlan& plan, const radio::Capabilities& radio, Check& check) {
  const auto& given = plan.link_profile_candidates;
  const auto& profiles = radio.link_profiles;
  if (given.size() > kMaxLinkCandidates) {
    check.violation("link_profile_candidates", std::to_string(given.size()) +
                                                   " given; allowed: at most " +
                                                   std::to_string(kMaxLinkCandidates));
    return;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string field = "link_profile_candidates[" + std::to_string(i) + "]";
    const auto before = given.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(given.begin(), before, given[i]) != before) {
      check.violation(field, "\"" + given[i] + "\" given twice; allowed: each once");
    }
    if (std::find(profiles.begin(), profiles.end(), given[i]) == profiles.end()) {
      check.violation(field, "\"" + given[i] + "\" given; allowed: " +
                                 joined(profiles, [](const std::string& name) { return name; }));
    }
  }
}

}  // namespace

std::vector<Violation> validate(const InventoryPlan& plan, const radio::Capabilities& radio) {
  Check check;
  const auto count = static_cast<std::int64_t>(plan.antennas.size());
  if (count < 1 || count > kMaxVisits) {
    check.violation("antennas", std::to_string(count) + " given; allowed: 1.." +
                                    std::to_string(kMaxVisits) + " antennas");
  }
  for (std::size_t i = 0; i < plan.antennas.size(); ++i) check_antenna(plan, i, radio, check);
  const auto& profiles = radio.link_profiles;
  if (!plan.link_profile.empty() &&
      std::find(profiles.begin(), profiles.end(), plan.link_profile) == profiles.end()) {
    check.violation("link_profile",
                    "\"" + plan.link_profile + "\" given; allowed: " +
                        joined(profiles, [](const std::string& name) { return name; }));
  }
  check_candidates(plan, radio, check);
  check.range("delay_after_selects_us", plan.delay_after_selects_us, 0,
              std::min<std::int64_t>(kMaxSelectDelayUs, radio.features.most_select_delay_us));
  if (plan.min_rssi_cdbm && !radio.has_rssi_limit()) {
    check.violation("min_rssi_cdbm", "given; allowed: none on this radio");
  } else if (plan.min_rssi_cdbm) {
    check.range("min_rssi_cdbm", *plan.min_rssi_cdbm, kMinRssiCdbm, 0);
  }
  check.range("cycle_delay.duration_ms", plan.cycle_delay_ms, 0, kMaxCycleDelayMs);
  check_start(plan.start, check);
  check_stop(plan.stop, check);
  return check.take();
}

}  // namespace singulate::inventory
