// One access request of the radio, and the promise for it. All of it on the JS thread, but for the
// work.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <thread>

#include "inventory/pending_access.h"

namespace singulate::addon {

class AccessTask {
 public:
  // settled: when the outcome is known, before the promise is settled; may destroy the task.
  AccessTask(Napi::Env env, inventory::AccessRequest request, std::function<void()> settled);
  AccessTask(const AccessTask&) = delete;
  AccessTask& operator=(const AccessTask&) = delete;
  AccessTask(AccessTask&&) = delete;
  AccessTask& operator=(AccessTask&&) = delete;
  // After cut_off() or `settled`.
  ~AccessTask();

  [[nodiscard]] Napi::Promise promise() const { return deferred_.Promise(); }
  // Who does it calls its `answer`.
  [[nodiscard]] const std::shared_ptr<inventory::AccessJob>& job() const { return job_; }
  // On a thread of its own. Throws std::system_error.
  void work(std::function<inventory::AccessOutcome()> work);
  [[nodiscard]] bool on_own_thread() const { return thread_.joinable(); }
  // What was asked for first and goes further stays.
  void stop(inventory::AccessJob::Stop how);
  // Nobody is told of its end any more.
  void cut_off();
  // Waits for the thread, which must have been stopped.
  void join();

 private:
  struct Context {
    AccessTask* task = nullptr;
  };
  static void call(Napi::Env env, Napi::Function, Context* context,
                   inventory::AccessOutcome* outcome);
  using Signal = Napi::TypedThreadSafeFunction<Context, inventory::AccessOutcome, call>;

  void settle(Napi::Env env, const inventory::AccessOutcome& outcome);

  Napi::Promise::Deferred deferred_;
  std::function<void()> settled_;
  std::shared_ptr<inventory::AccessJob> job_;
  Context* context_;  // owned by signal_
  Signal signal_;
  std::thread thread_;
};

}  // namespace singulate::addon
