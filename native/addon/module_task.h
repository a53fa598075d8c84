// Work on a radio module that may take seconds: on a thread of Node.js, with a promise for it.
#pragma once

#include <napi.h>

#include <functional>

#include "radio/result.h"

namespace singulate::addon {

class ModuleTask final : public Napi::AsyncWorker {
 public:
  // On the other thread.
  using Work = std::function<radio::Status()>;
  // Back on the JS thread: the value of the promise. Also called if the work failed, before the
  // promise is rejected; its value does not count then.
  using Done = std::function<Napi::Value(Napi::Env, const radio::Status&)>;

  // The object lives until the task is done.
  static Napi::Promise run(const Napi::Object& keep, Work work, Done done);

 private:
  ModuleTask(const Napi::Object& keep, Work work, Done done);

  void Execute() override;
  void OnOK() override;

  Napi::Promise::Deferred deferred_;
  Napi::ObjectReference keep_;
  Work work_;
  Done done_;
  radio::Status status_;
};

}  // namespace singulate::addon
