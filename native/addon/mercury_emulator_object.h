// The class `MercuryEmulator` of the addon: an emulated module on a pseudo-terminal of its own,
// on a thread of its own. It does not keep the event loop alive.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <thread>

#include "emulator/mercury/module.h"
#include "emulator/pty.h"

namespace singulate::addon {

class MercuryEmulatorObject : public Napi::ObjectWrap<MercuryEmulatorObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit MercuryEmulatorObject(const Napi::CallbackInfo& info);
  MercuryEmulatorObject(const MercuryEmulatorObject&) = delete;
  MercuryEmulatorObject& operator=(const MercuryEmulatorObject&) = delete;
  MercuryEmulatorObject(MercuryEmulatorObject&&) = delete;
  MercuryEmulatorObject& operator=(MercuryEmulatorObject&&) = delete;
  ~MercuryEmulatorObject() override { unplug(); }

 private:
  Napi::Value path(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value inject(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  // "" or why it cannot be had.
  std::string plug();
  void unplug();

  const emulator::mercury::Profile* profile_ = nullptr;
  radio::VirtualOptions field_;
  emulator::mercury::ModuleOptions options_;
  std::string link_;
  bool closed_ = false;
  // In this order: the thread goes before the module, that before its line.
  emulator::Pty pty_;
  std::unique_ptr<emulator::mercury::Module> module_;
  std::thread thread_;
  emulator::mercury::ModuleCounters before_;  // of modules that were unplugged
};

}  // namespace singulate::addon
