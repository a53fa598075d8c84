// The plan of `radio.start(..)`: from JavaScript to an InventoryPlan.
#pragma once

#include <napi.h>

#include "inventory/inventory_plan.h"

namespace singulate::addon {

// A plan that is valid on the radio; throws ERR_INVALID_PLAN with all violations otherwise.
inventory::InventoryPlan read_plan(Napi::Env env, const Napi::Value& value,
                                   const radio::Capabilities& radio);

}  // namespace singulate::addon
