// A call from a watching thread into JavaScript: "look what there is". It carries nothing.
#pragma once

#include <napi.h>

namespace singulate::addon {

inline void call_wake(Napi::Env env, Napi::Function callback, void* /*context*/, void* /*data*/) {
  // At the end of the environment nothing may be called.
  if (static_cast<napi_env>(env) == nullptr || callback.IsEmpty()) return;
  callback.Call({});
}

using WakeSignal = Napi::TypedThreadSafeFunction<void, void, call_wake>;

}  // namespace singulate::addon
