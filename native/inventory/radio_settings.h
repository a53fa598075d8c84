// What a radio module is told of a plan.
#pragma once

#include <string>

#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

inline radio::RadioSettings settings_for(const InventoryPlan& plan,
                                         const std::string& link_profile) {
  radio::RadioSettings settings;
  settings.link_profile = link_profile;
  for (const InventoryPlan::Antenna& antenna : plan.antennas) {
    settings.antennas.push_back(
        {.port = static_cast<std::uint8_t>(antenna.port),
         .beam = static_cast<std::uint16_t>(antenna.beam),
         .transmit_power_cdbm = static_cast<std::int32_t>(antenna.transmit_power_cdbm)});
  }
  return settings;
}

}  // namespace singulate::inventory
