// fillBatch(): the bare cost of one batch call, the floor of the benchmarks.
#pragma once

#include <napi.h>

namespace singulate::addon {

// A function that copies prepared records into the caller's Uint8Array, as many whole ones as
// fit, and returns how many.
Napi::Function make_fill_batch(Napi::Env env);

}  // namespace singulate::addon
