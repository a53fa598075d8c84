#include "addon/pending_calls.h"

#include <memory>
#include <utility>

namespace singulate::addon {

void PendingCalls::begin(Napi::Env env) {
  if (under_way_++ > 0) return;
  signal_ = Signal::New(env, "singulate.PendingCalls", 0, 1, this);
  // After that: hooks run the other way round, and who tells must be gone before the function is.
  hook_.emplace(env.AddCleanupHook(&PendingCalls::on_environment_end, this));
  owner_.hold();
}

void PendingCalls::tell(Work work) { send(std::move(work), false); }

void PendingCalls::end(Work work) { send(std::move(work), true); }

void PendingCalls::send(Work work, bool last) {
  auto message = std::make_unique<Message>(Message{.work = std::move(work), .last = last});
  if (signal_.NonBlockingCall(message.get()) == napi_ok) (void)message.release();
}

void PendingCalls::call(Napi::Env env, Napi::Function /*callback*/, PendingCalls* calls,
                        Message* message) {
  const std::unique_ptr<Message> owned(message);
  // At the end of the environment nothing may be called.
  if (static_cast<napi_env>(env) == nullptr) return;
  // What it calls may throw.
  try {
    owned->work(env);
  } catch (...) {
    if (owned->last) calls->ended(env);
    throw;
  }
  if (owned->last) calls->ended(env);
}

void PendingCalls::ended(Napi::Env env) {
  if (--under_way_ > 0) return;
  (void)signal_.Release();
  hook_->Remove(env);
  hook_.reset();
  owner_.let_go();
}

void PendingCalls::cut_off() {
  hook_.reset();
  owner_.end_with_environment();
  signal_.Abort();
}

}  // namespace singulate::addon
