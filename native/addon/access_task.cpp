#include "addon/access_task.h"

#include <utility>

#include "addon/errors.h"
#include "addon/read_access_request.h"

namespace singulate::addon {

using inventory::AccessJob;
using inventory::AccessOutcome;

AccessTask::AccessTask(Napi::Env env, inventory::AccessRequest request,
                       std::function<void()> settled)
    : deferred_(Napi::Promise::Deferred::New(env)),
      settled_(std::move(settled)),
      job_(std::make_shared<AccessJob>()) {
  auto context = std::make_unique<Context>();
  context->task = this;
  context_ = context.get();
  signal_ = Signal::New(env, "singulate.AccessTask", 0, 1, context.get(),
                        [](Napi::Env, void*, Context* owned) { delete owned; });
  (void)context.release();
  job_->until = AccessJob::Clock::now() + std::chrono::milliseconds(request.timeout_ms);
  job_->request = std::move(request);
  job_->answer = [signal = signal_](AccessOutcome outcome) {
    auto told = std::make_unique<AccessOutcome>(std::move(outcome));
    if (signal.NonBlockingCall(told.get()) == napi_ok) (void)told.release();
  };
}

AccessTask::~AccessTask() { join(); }

void AccessTask::work(std::function<AccessOutcome()> work) {
  thread_ = std::thread([job = job_, work = std::move(work)] { job->answer(work()); });
}

void AccessTask::stop(AccessJob::Stop how) {
  if (job_->stop.load() < how) job_->stop.store(how);
}

void AccessTask::cut_off() {
  context_->task = nullptr;
  signal_.Abort();
}

void AccessTask::join() {
  if (thread_.joinable()) thread_.join();
}

void AccessTask::call(Napi::Env env, Napi::Function /*callback*/, Context* context,
                      AccessOutcome* outcome) {
  const std::unique_ptr<AccessOutcome> owned(outcome);
  // At the end of the environment nothing may be called.
  if (static_cast<napi_env>(env) == nullptr || context->task == nullptr) return;
  context->task->settle(env, *owned);
}

void AccessTask::settle(Napi::Env env, const AccessOutcome& outcome) {
  context_->task = nullptr;
  (void)signal_.Release();
  join();
  const Napi::Promise::Deferred deferred = deferred_;
  const auto settled = std::move(settled_);
  settled();
  // The task may be gone.
  if (outcome.end != AccessOutcome::End::kFailed) {
    deferred.Resolve(show_outcome(env, outcome));
    return;
  }
  const bool cannot = outcome.error.code == radio::ErrorCode::kNotSupported;
  deferred.Reject(coded_error(env, cannot ? kNotSupported : kRadio, outcome.error.message).Value());
}

}  // namespace singulate::addon
