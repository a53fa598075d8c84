#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "rules.h"

namespace singulate::test {

namespace {

using radio::ErrorCode;

void check_capabilities(Ready& ready) {
  const auto& radio = ready->capabilities();
  MUST(!radio.module.empty());
  MUST(!radio.model.empty());
  MUST(!radio.firmware.empty());
  NEED(!radio.antennas.empty());
  MUST(std::is_sorted(radio.antennas.begin(), radio.antennas.end()));
  MUST(std::set(radio.antennas.begin(), radio.antennas.end()).size() == radio.antennas.size());
  MUST(radio.antennas.front() >= 1);
  MUST(radio.beams.empty() || radio.beams.size() == radio.antennas.size());
  MUST(radio.min_transmit_power_cdbm <= radio.max_transmit_power_cdbm);
  NEED(!radio.link_profiles.empty());
  MUST(std::set(radio.link_profiles.begin(), radio.link_profiles.end()).size() ==
       radio.link_profiles.size());
  MUST(!radio.features.name.empty());
  // An imitation has the row of another, and no more sensors than it has.
  MUST(!radio.has_temperature || ready.has(radio::Feature::kTemperature));
  MUST(!radio.has_antenna_sense || ready.has(radio::Feature::kAntennaSense));
  MUST(!ready->region().has_value() || ready.has(radio::Feature::kRegion));
}

void check_fixed_capabilities(Ready& ready) {
  const radio::Capabilities before = ready->capabilities();
  const auto same = [&] {
    const auto& now = ready->capabilities();
    return now.module == before.module && now.model == before.model &&
           now.firmware == before.firmware && now.antennas == before.antennas &&
           now.beams == before.beams &&
           now.min_transmit_power_cdbm == before.min_transmit_power_cdbm &&
           now.max_transmit_power_cdbm == before.max_transmit_power_cdbm &&
           now.link_profiles == before.link_profiles && now.paced == before.paced &&
           now.sequences_antennas == before.sequences_antennas &&
           now.features.support == before.features.support;
  };
  Keeper keeper;
  (void)ready.round(ready.short_request(), keeper);
  MUST(same());
  ready.configure();
  MUST(same());
}

void check_life(Ready& ready) {
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
  ready->close();
  ready->close();
  NEED(ready->open().ok());
  ready.configure();
  Keeper again;
  ready.read_all(again, ready.request());
  MUST(Ready::epcs(again).size() == kTags);
}

void check_settings(Ready& ready) {
  auto settings = ready.settings();
  settings.link_profile = "M16-9600";
  if (!ready.recorded()) {
    const auto refused = ready->configure(settings);
    NEED(!refused.ok());
    MUST(refused.error().code != ErrorCode::kModule);
    MUST(is_for_people(refused.error()));
  }
  settings = ready.settings();
  const auto& radio = ready->capabilities();
  for (const std::int32_t power : {radio.min_transmit_power_cdbm, radio.max_transmit_power_cdbm}) {
    settings.antennas[0].transmit_power_cdbm = power;
    MUST(ready->configure(settings).ok());
  }
  for (const std::string& profile : radio.link_profiles) {
    settings.link_profile = profile;
    MUST(ready->change(settings).ok());
  }
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
}

void check_change(Ready& ready) {
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  // Not a new inventory: an interrupt is not forgotten, unless change() is configure().
  MUST(ready->change(ready.settings()).ok());
  ready.configure();
  Keeper again;
  ready.read_all(again, ready.request());
  MUST(Ready::epcs(again).size() == kTags);
}

void check_clock(Ready& ready) {
  const std::uint64_t before = ready->now_ns();
  MUST(before > 1'600'000'000ULL * 1000 * kMs);
  std::uint64_t last = before;
  bool forward = true;
  const auto look = [&] {
    const std::uint64_t now = ready->now_ns();
    forward = forward && now >= last;
    last = now;
  };
  Keeper keeper;
  for (int i = 0; i < 5; ++i) {
    (void)ready.round(ready.short_request(), keeper);
    look();
    ready.configure();
    look();
  }
  ready->close();
  NEED(ready->open().ok());
  look();
  MUST(forward);
}

void check_idle(Ready& ready) {
  const std::uint64_t before = ready->now_ns();
  MUST(ready->idle_until(before + 20 * kMs));
  MUST(ready->now_ns() >= before + 20 * kMs);
  // A time that is over already is no wait.
  MUST(ready->idle_until(before));
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
}

void check_senses(Ready& ready) {
  const auto temperature = ready->temperature_celsius();
  MUST(temperature.ok() == ready->capabilities().has_temperature);
  if (temperature.ok()) {
    MUST(temperature.value() > -40);
    MUST(temperature.value() < 125);
  } else {
    MUST(temperature.error().code == ErrorCode::kNotSupported);
    MUST(is_for_people(temperature.error()));
  }
  const auto antenna = ready->antenna_connected(ready->capabilities().antennas.front());
  MUST(antenna.ok() == ready->capabilities().has_antenna_sense);
  if (antenna.ok()) {
    MUST(antenna.value());
  } else {
    MUST(antenna.error().code == ErrorCode::kNotSupported);
    MUST(is_for_people(antenna.error()));
  }
}

void check_region(Ready& ready) {
  const auto region = ready->region();
  if (!region) {
    const auto refused = ready->set_region(1, {});
    NEED(!refused.ok());
    MUST(refused.error().code == ErrorCode::kNotSupported);
    MUST(is_for_people(refused.error()));
    return;
  }
  MUST(!region->supported.empty());
  const auto& known = region->supported;
  MUST(region->present == 0 || std::count(known.begin(), known.end(), region->present) == 1);
  for (unsigned number = 1; number < 256; ++number) {
    const auto one = static_cast<std::uint8_t>(number);
    if (std::count(known.begin(), known.end(), one) > 0) continue;
    const auto refused = ready->set_region(one, {});
    NEED(!refused.ok());
    MUST(is_for_people(refused.error()));
    break;
  }
}

void check_region_names(Ready& ready) {
  const auto region = ready->region();
  NEED(region.has_value());
  MUST(ready->region_name(0).empty());
  std::set<std::string> names;
  for (const std::uint8_t number : region->supported) {
    const std::string name(ready->region_name(number));
    MUST(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
    MUST(name.empty() || names.insert(name).second);
  }
  if (region->present == 0) return;
  NEED(ready->set_region(region->present, {}).ok());
  MUST(ready->region().has_value());
  MUST(ready->region()->present == region->present);
}

constexpr std::array kLifeRules{
    Rule{"it says what it is", check_capabilities, always},
    Rule{"capabilities are fixed from open() to close()", check_fixed_capabilities, always},
    Rule{"it is closed, twice, and opened again", check_life, always},
    Rule{"it takes its own settings, and no others", check_settings, always},
    Rule{"settings change between two rounds", check_change, always},
    Rule{"the clock is that of the world, and never goes back", check_clock, always},
    Rule{"idling lasts as long as it shall", check_idle, always},
    Rule{"it says what it senses, and no more", check_senses, always},
    Rule{"a region is one of its own", check_region, always},
    Rule{"each region has a name of its own", check_region_names, with_region},
};

}  // namespace

std::span<const Rule> life_rules() { return kLifeRules; }

}  // namespace singulate::test
