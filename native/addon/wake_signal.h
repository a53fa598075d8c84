// The one call from the inventory's thread into JavaScript: "look at the queue". It carries
// nothing; the records stay in the queue until they are drained.
#pragma once

#include <napi.h>

#include <functional>

namespace singulate::addon {

// Lives as long as its thread-safe function; cut off from the radio when that stops.
struct WakeContext {
  // On the JS thread, before the callback; empty once the radio has stopped.
  std::function<void()> before_call;
};

inline void call_wake(Napi::Env env, Napi::Function callback, WakeContext* context,
                      void* /*data*/) {
  // At the end of the environment nothing may be called.
  if (static_cast<napi_env>(env) == nullptr || callback.IsEmpty()) return;
  if (context->before_call) context->before_call();
  callback.Call({});
}

using WakeSignal = Napi::TypedThreadSafeFunction<WakeContext, void, call_wake>;

}  // namespace singulate::addon
