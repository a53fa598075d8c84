// AccessTagRequest of the contract from JavaScript, checked; results back to it.
#pragma once

#include <napi.h>

#include "inventory/access_request.h"

namespace singulate::addon {

// running: the plan of the inventory that runs, if one does. Throws ERR_INVALID_ARGUMENT with all
// violations.
inventory::AccessRequest read_access_request(Napi::Env env, const Napi::Value& value,
                                             const radio::Capabilities& radio,
                                             const inventory::InventoryPlan* running);

// Of an access request that has not failed.
Napi::Object show_outcome(Napi::Env env, const inventory::AccessOutcome& outcome);

}  // namespace singulate::addon
