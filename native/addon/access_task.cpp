#include "addon/access_task.h"

#include <utility>

#include "addon/errors.h"
#include "addon/read_errand.h"

namespace singulate::addon {

using inventory::ErrandJob;
using inventory::ErrandOutcome;

AccessTask::AccessTask(Napi::Env env, inventory::TagErrand errand, std::function<void()> settled)
    : deferred_(Napi::Promise::Deferred::New(env)),
      settled_(std::move(settled)),
      job_(std::make_shared<ErrandJob>()) {
  auto context = std::make_unique<Context>();
  context->task = this;
  context_ = context.get();
  signal_ = Signal::New(env, "singulate.AccessTask", 0, 1, context.get(),
                        [](Napi::Env, void*, Context* owned) { delete owned; });
  (void)context.release();
  job_->until = ErrandJob::Clock::now() + std::chrono::milliseconds(errand.timeout_ms);
  job_->errand = std::move(errand);
  job_->answer = [signal = signal_](ErrandOutcome outcome) {
    auto told = std::make_unique<ErrandOutcome>(std::move(outcome));
    if (signal.NonBlockingCall(told.get()) == napi_ok) (void)told.release();
  };
}

AccessTask::~AccessTask() { join(); }

void AccessTask::work(std::function<ErrandOutcome()> work) {
  thread_ = std::thread([job = job_, work = std::move(work)] { job->answer(work()); });
}

void AccessTask::stop(ErrandJob::Stop how) {
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
                      ErrandOutcome* outcome) {
  const std::unique_ptr<ErrandOutcome> owned(outcome);
  // At the end of the environment nothing may be called.
  if (static_cast<napi_env>(env) == nullptr || context->task == nullptr) return;
  context->task->settle(env, *owned);
}

void AccessTask::settle(Napi::Env env, const ErrandOutcome& outcome) {
  context_->task = nullptr;
  (void)signal_.Release();
  join();
  const Napi::Promise::Deferred deferred = deferred_;
  const auto settled = std::move(settled_);
  settled();
  // The task may be gone.
  if (outcome.end != ErrandOutcome::End::kFailed) {
    deferred.Resolve(show_outcome(env, outcome));
    return;
  }
  const bool cannot = outcome.error.code == radio::ErrorCode::kNotSupported;
  deferred.Reject(coded_error(env, cannot ? kNotSupported : kRadio, outcome.error.message).Value());
}

}  // namespace singulate::addon
