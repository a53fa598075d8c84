// AccessTagRequest of the contract from JavaScript, checked; results back to it.
#pragma once

#include <napi.h>

#include "inventory/tag_errand.h"

namespace singulate::addon {

// running: the plan of the inventory that runs, if one does. Throws ERR_INVALID_ARGUMENT with all
// violations.
inventory::TagErrand read_errand(Napi::Env env, const Napi::Value& value,
                                 const radio::Capabilities& radio,
                                 const inventory::InventoryPlan* running);

// Of an errand that has not failed.
Napi::Object show_outcome(Napi::Env env, const inventory::ErrandOutcome& outcome);

}  // namespace singulate::addon
