#include <algorithm>

#include "inventory/inventory_plan.h"

namespace singulate::inventory {

namespace {

constexpr std::int64_t kMaxAntennas = 255;
constexpr std::int64_t kMaxDwellMs = 86'400'000;
constexpr std::int64_t kMaxRounds = 65'535;
constexpr std::int64_t kMaxPopulation = 65'535;
constexpr std::int64_t kMaxCycles = 4'294'967'295;
constexpr std::int64_t kMaxStopMs = 9'007'199'254'740'991;

class Check {
 public:
  void violation(const std::string& field, const std::string& message) {
    found_.push_back({field, message});
  }
  void range(const std::string& field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value >= low && value <= high) return;
    violation(field, std::to_string(value) + " given; allowed: " + std::to_string(low) + ".." +
                         std::to_string(high));
  }
  std::vector<Violation> take() { return std::move(found_); }

 private:
  std::vector<Violation> found_;
};

template <typename List, typename Text>
std::string joined(const List& list, Text text) {
  std::string result;
  for (const auto& item : list) {
    if (!result.empty()) result += ", ";
    result += text(item);
  }
  return result;
}

void check_port(const InventoryPlan& plan, std::size_t index, const std::string& field,
                const radio::Capabilities& radio, Check& check) {
  const std::int64_t port = plan.antennas[index].port;
  const auto same = [port](const auto& other) { return other == port; };
  if (std::none_of(radio.antennas.begin(), radio.antennas.end(), same)) {
    check.violation(field, std::to_string(port) + " given; allowed: " +
                               joined(radio.antennas, [](auto p) { return std::to_string(p); }));
    return;
  }
  for (std::size_t before = 0; before < index; ++before) {
    if (plan.antennas[before].port != port) continue;
    check.violation(field, std::to_string(port) + " given twice; allowed: each port once");
    return;
  }
}

void check_antenna(const InventoryPlan& plan, std::size_t index, const radio::Capabilities& radio,
                   Check& check) {
  const InventoryPlan::Antenna& antenna = plan.antennas[index];
  const std::string field = "antennas[" + std::to_string(index) + "].";
  check_port(plan, index, field + "port", radio, check);
  check.range(field + "transmit_power_cdbm", antenna.transmit_power_cdbm,
              radio.min_transmit_power_cdbm, radio.max_transmit_power_cdbm);
  check.range(field + "query.session", antenna.query.session, 0, 3);
  check.range(field + "query.target", antenna.query.target, 0, 2);
  check.range(field + "query.tag_population", antenna.query.tag_population, 0, kMaxPopulation);
  check.range(field + "dwell.duration_ms", antenna.dwell.duration_ms, 0, kMaxDwellMs);
  check.range(field + "dwell.rounds", antenna.dwell.rounds, 0, kMaxRounds);
}

}  // namespace

std::vector<Violation> validate(const InventoryPlan& plan, const radio::Capabilities& radio) {
  Check check;
  const auto count = static_cast<std::int64_t>(plan.antennas.size());
  if (count < 1 || count > kMaxAntennas) {
    check.violation("antennas", std::to_string(count) + " given; allowed: 1..255 antennas");
  }
  for (std::size_t i = 0; i < plan.antennas.size(); ++i) check_antenna(plan, i, radio, check);
  const auto& profiles = radio.link_profiles;
  if (!plan.link_profile.empty() &&
      std::find(profiles.begin(), profiles.end(), plan.link_profile) == profiles.end()) {
    check.violation("link_profile",
                    "\"" + plan.link_profile + "\" given; allowed: " +
                        joined(profiles, [](const std::string& name) { return name; }));
  }
  check.range("stop.duration_ms", plan.stop.duration_ms, 0, kMaxStopMs);
  check.range("stop.cycles", plan.stop.cycles, 0, kMaxCycles);
  return check.take();
}

}  // namespace singulate::inventory
