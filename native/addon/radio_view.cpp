#include "addon/radio_view.h"

#include <string>

#include "addon/link_profile_view.h"

namespace singulate::addon {

namespace {

template <typename Number>
Napi::Array numbers(Napi::Env env, const std::vector<Number>& values) {
  Napi::Array result = Napi::Array::New(env, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.Set(static_cast<std::uint32_t>(i), Napi::Number::New(env, values[i]));
  }
  return result;
}

Napi::Array array_of(Napi::Env env, const std::vector<std::string>& values) {
  Napi::Array result = Napi::Array::New(env, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.Set(static_cast<std::uint32_t>(i), Napi::String::New(env, values[i]));
  }
  return result;
}

Napi::Number number(Napi::Env env, std::uint64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

}  // namespace

Napi::Value show_capabilities(Napi::Env env, const radio::Capabilities& radio) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("module", radio.module);
  result.Set("model", radio.model);
  result.Set("firmware", radio.firmware);
  result.Set("antennas", numbers(env, radio.antennas));
  result.Set("beams", numbers(env, radio.beams));
  result.Set("minTransmitPowerCdbm", Napi::Number::New(env, radio.min_transmit_power_cdbm));
  result.Set("maxTransmitPowerCdbm", Napi::Number::New(env, radio.max_transmit_power_cdbm));
  result.Set("linkProfiles", array_of(env, radio.link_profiles));
  result.Set("linkProfileDetails", show_link_profiles(env, radio.link_profiles));
  result.Set("sequencesAntennas", Napi::Boolean::New(env, radio.sequences_antennas));
  result.Set("hasSelects", Napi::Boolean::New(env, radio.has_selects()));
  result.Set("hasAccess", Napi::Boolean::New(env, radio.has_access()));
  result.Set("hasRssiLimit", Napi::Boolean::New(env, radio.has_rssi_limit()));
  result.Set("paced", Napi::Boolean::New(env, radio.paced));
  Napi::Array features = Napi::Array::New(env, radio::kFeatures);
  for (std::uint32_t i = 0; i < radio::kFeatures; ++i) {
    const auto feature = static_cast<radio::Feature>(i);
    const radio::FeatureText& text = radio::text_of(feature);
    Napi::Object one = Napi::Object::New(env);
    one.Set("field", std::string(text.field));
    one.Set("what", std::string(text.what));
    one.Set("support", Napi::Number::New(env, static_cast<unsigned>(radio.features.of(feature))));
    features.Set(i, one);
  }
  result.Set("features", features);
  return result;
}

radio::Result<Health> ask_health(radio::RadioModule& module) {
  Health health;
  const radio::Capabilities& radio = module.capabilities();
  if (radio.has_temperature) {
    const auto temperature = module.temperature_celsius();
    if (!temperature.ok()) return temperature.error();
    health.temperature_celsius = temperature.value();
  }
  if (!radio.has_antenna_sense) return health;
  for (const std::uint8_t port : radio.antennas) {
    const auto there = module.antenna_connected(port);
    if (!there.ok()) return there.error();
    health.antennas.emplace_back(port, there.value());
  }
  return health;
}

Napi::Value show_health(Napi::Env env, const Health& health) {
  Napi::Object result = Napi::Object::New(env);
  if (health.temperature_celsius) {
    result.Set("temperatureCelsius", Napi::Number::New(env, *health.temperature_celsius));
  }
  Napi::Array antennas = Napi::Array::New(env, health.antennas.size());
  for (std::size_t i = 0; i < health.antennas.size(); ++i) {
    Napi::Object one = Napi::Object::New(env);
    one.Set("port", Napi::Number::New(env, health.antennas[i].first));
    one.Set("connected", Napi::Boolean::New(env, health.antennas[i].second));
    antennas.Set(static_cast<std::uint32_t>(i), one);
  }
  result.Set("antennas", antennas);
  return result;
}

Napi::Value show_link(Napi::Env env, const std::optional<radio::LinkState>& link) {
  if (!link) return env.Null();
  Napi::Object result = Napi::Object::New(env);
  result.Set("connected", Napi::Boolean::New(env, link->connected));
  result.Set("fault", link->fault);
  result.Set("lastFault", link->last_fault);
  result.Set("reconnects", number(env, link->reconnects));
  result.Set("discardedBytes", number(env, link->discarded_bytes));
  result.Set("crcErrors", number(env, link->crc_errors));
  result.Set("overflows", number(env, link->overflows));
  result.Set("complaint", link->complaint);
  if (link->temperature_celsius) {
    result.Set("temperatureCelsius", Napi::Number::New(env, *link->temperature_celsius));
  }
  return result;
}

Napi::Value show_region(Napi::Env env, const inventory::RadioHost::Facts& facts) {
  if (!facts.region) return env.Null();
  const auto name_of = [&](std::uint8_t number) {
    const auto found = facts.region_names.find(number);
    return found == facts.region_names.end() ? std::string() : found->second;
  };
  Napi::Object result = Napi::Object::New(env);
  result.Set("present", Napi::Number::New(env, facts.region->present));
  result.Set("name", name_of(facts.region->present));
  Napi::Array supported = Napi::Array::New(env, facts.region->supported.size());
  for (std::uint32_t i = 0; i < supported.Length(); ++i) {
    const std::uint8_t number = facts.region->supported[i];
    Napi::Object one = Napi::Object::New(env);
    one.Set("number", Napi::Number::New(env, number));
    one.Set("name", name_of(number));
    supported.Set(i, one);
  }
  result.Set("supported", supported);
  return result;
}

Napi::Value show_phase(Napi::Env env, const inventory::Inventory* inventory, bool running) {
  enum : std::uint8_t { kEnded, kReading, kWaiting };
  if (!running || inventory == nullptr) return Napi::Number::New(env, kEnded);
  return Napi::Number::New(env, inventory->counters().waiting.get() != 0 ? kWaiting : kReading);
}

Napi::Value show_status(Napi::Env env, const inventory::Inventory* inventory, bool running) {
  const inventory::Counters none;
  const inventory::Counters& counters = inventory != nullptr ? inventory->counters() : none;
  Napi::Object result = Napi::Object::New(env);
  result.Set("running", Napi::Boolean::New(env, running));
  result.Set("endReason", inventory != nullptr ? inventory->end_reason() : "");
  result.Set("reads", number(env, counters.reads.get()));
  result.Set("dropped", number(env, counters.dropped.get()));
  result.Set("rounds", number(env, counters.rounds.get()));
  result.Set("cycles", number(env, counters.cycles.get()));
  result.Set("emptySlots", number(env, counters.empty_slots.get()));
  result.Set("singleSlots", number(env, counters.single_slots.get()));
  result.Set("collidedSlots", number(env, counters.collided_slots.get()));
  result.Set("airTimeNs", number(env, counters.air_time_ns.get()));
  result.Set("tooWeak", number(env, counters.too_weak.get()));
  result.Set("heldBack", number(env, counters.held_back.get()));
  result.Set("accessFailed", number(env, counters.access_failed.get()));
  result.Set("periods", number(env, counters.periods.get()));
  result.Set("planChanges", number(env, counters.plan_changes.get()));
  result.Set("changeGapNs", number(env, counters.change_gap_ns.get()));
  result.Set("linkChecks", number(env, counters.link_checks.get()));
  result.Set("linkChanges", number(env, counters.link_changes.get()));
  result.Set("linkCheckNs", number(env, counters.link_check_ns.get()));
  result.Set("linkProfile", inventory != nullptr ? inventory->link_profile() : std::string());
  result.Set("beats", number(env, counters.beats.get()));
  result.Set("waiting", Napi::Boolean::New(env, counters.waiting.get() != 0));
  Napi::Object by_antenna = Napi::Object::New(env);
  for (std::uint32_t port = 1; port < counters.reads_by_antenna.size(); ++port) {
    const std::uint64_t reads = counters.reads_by_antenna[port].get();
    if (reads > 0) by_antenna.Set(port, number(env, reads));
  }
  result.Set("readsByAntenna", by_antenna);
  return result;
}

}  // namespace singulate::addon
