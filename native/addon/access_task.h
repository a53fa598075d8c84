// One errand of the radio, and the promise for it. All of it on the JS thread, but for the work.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <thread>

#include "inventory/errand_desk.h"

namespace singulate::addon {

class AccessTask {
 public:
  // settled: when the outcome is known, before the promise is settled; may destroy the task.
  AccessTask(Napi::Env env, inventory::TagErrand errand, std::function<void()> settled);
  AccessTask(const AccessTask&) = delete;
  AccessTask& operator=(const AccessTask&) = delete;
  AccessTask(AccessTask&&) = delete;
  AccessTask& operator=(AccessTask&&) = delete;
  // Behind cut_off() or `settled`.
  ~AccessTask();

  [[nodiscard]] Napi::Promise promise() const { return deferred_.Promise(); }
  // Whoever does it calls its `answer`.
  [[nodiscard]] const std::shared_ptr<inventory::ErrandJob>& job() const { return job_; }
  // On a thread of its own. Throws std::system_error.
  void work(std::function<inventory::ErrandOutcome()> work);
  [[nodiscard]] bool on_own_thread() const { return thread_.joinable(); }
  // What was asked for first and goes further stays.
  void stop(inventory::ErrandJob::Stop how);
  // Nobody is told of its end any more.
  void cut_off();
  // Waits for the thread, which must have been stopped.
  void join();

 private:
  struct Context {
    AccessTask* task = nullptr;
  };
  static void call(Napi::Env env, Napi::Function, Context* context,
                   inventory::ErrandOutcome* outcome);
  using Signal = Napi::TypedThreadSafeFunction<Context, inventory::ErrandOutcome, call>;

  void settle(Napi::Env env, const inventory::ErrandOutcome& outcome);

  Napi::Promise::Deferred deferred_;
  std::function<void()> settled_;
  std::shared_ptr<inventory::ErrandJob> job_;
  Context* context_;  // owned by signal_
  Signal signal_;
  std::thread thread_;
};

}  // namespace singulate::addon
