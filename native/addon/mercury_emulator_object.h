// The class `MercuryEmulator` of the addon: an emulated module on a pseudo-terminal of its own,
// on a thread of its own. It does not keep the event loop alive.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <thread>

#include "emulator/mercury/module.h"
#include "emulator/mercury/pty_port.h"

namespace singulate::addon {

class MercuryEmulatorObject : public Napi::ObjectWrap<MercuryEmulatorObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit MercuryEmulatorObject(const Napi::CallbackInfo& info);
  MercuryEmulatorObject(const MercuryEmulatorObject&) = delete;
  MercuryEmulatorObject& operator=(const MercuryEmulatorObject&) = delete;
  MercuryEmulatorObject(MercuryEmulatorObject&&) = delete;
  MercuryEmulatorObject& operator=(MercuryEmulatorObject&&) = delete;
  ~MercuryEmulatorObject() override { end(); }

 private:
  static Napi::Value profiles(const Napi::CallbackInfo& info);
  static Napi::Value faults(const Napi::CallbackInfo& info);

  Napi::Value path(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value inject(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  void end();

  std::string path_;
  // In this order: the thread goes before the module, that before its cable.
  std::unique_ptr<emulator::mercury::PtyPort> port_;
  std::unique_ptr<emulator::mercury::Module> module_;
  std::thread thread_;
};

}  // namespace singulate::addon
