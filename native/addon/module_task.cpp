#include "addon/module_task.h"

#include <utility>

#include "addon/errors.h"

namespace singulate::addon {

ModuleTask::ModuleTask(const Napi::Object& keep, Work work, Done done)
    : Napi::AsyncWorker(keep.Env(), "singulate.ModuleTask"),
      deferred_(Napi::Promise::Deferred::New(keep.Env())),
      keep_(Napi::Persistent(keep)),
      work_(std::move(work)),
      done_(std::move(done)) {}

Napi::Promise ModuleTask::run(const Napi::Object& keep, Work work, Done done) {
  // Deletes itself when it is done.
  auto* task = new ModuleTask(keep, std::move(work), std::move(done));
  const Napi::Promise promise = task->deferred_.Promise();
  task->Queue();
  return promise;
}

void ModuleTask::Execute() { status_ = work_(); }

void ModuleTask::OnOK() {
  const Napi::Value value = done_(Env(), status_);
  if (status_.ok()) {
    deferred_.Resolve(value);
  } else {
    deferred_.Reject(coded_error(Env(), kRadio, status_.error().message).Value());
  }
}

}  // namespace singulate::addon
