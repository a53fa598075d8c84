// A prediction as JavaScript sees it: NativePrediction of src/radio-control/addon/addon.ts.
#pragma once

#include <napi.h>

#include "inventory/prediction.h"

namespace singulate::addon {

Napi::Value show_prediction(Napi::Env env, const inventory::Prediction& prediction);

}  // namespace singulate::addon
