// What a radio module and its inventory say of themselves, for JavaScript. Types:
// src/radio-control/addon/.
#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "inventory/inventory.h"
#include "inventory/radio_host.h"
#include "radio/radio_module.h"

namespace singulate::addon {

// What a module says of its surroundings, as far as it has sensors.
struct Health {
  std::optional<double> temperature_celsius;
  std::vector<std::pair<std::uint8_t, bool>> antennas;  // port; an antenna is on it
};

// Asks the module: what its capabilities say that it can sense.
radio::Result<Health> ask_health(radio::RadioModule& module);

Napi::Value show_capabilities(Napi::Env env, const radio::Capabilities& radio);
Napi::Value show_health(Napi::Env env, const Health& health);
// null: the module cannot be lost, or has no region of its own.
Napi::Value show_link(Napi::Env env, const std::optional<radio::LinkState>& link);
Napi::Value show_region(Napi::Env env, const inventory::RadioHost::Facts& facts);
// inventory: nullptr = there was none yet. A number, one of PHASE.
Napi::Value show_phase(Napi::Env env, const inventory::Inventory* inventory, bool running);
Napi::Value show_status(Napi::Env env, const inventory::Inventory* inventory, bool running);

}  // namespace singulate::addon
