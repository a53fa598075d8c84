// The class `GpioChip` of the addon: lines of one GPIO chip of this machine.
//
// Lifetime. While it is open, the object holds a reference to itself and a cleanup hook, as Radio
// does while it reads; its thread-safe function does not keep the event loop alive.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>

#include "addon/wake_signal.h"
#include "gpio/chip.h"
#include "gpio/chip_watch.h"

namespace singulate::addon {

class GpioChipObject : public Napi::ObjectWrap<GpioChipObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit GpioChipObject(const Napi::CallbackInfo& info);
  GpioChipObject(const GpioChipObject&) = delete;
  GpioChipObject& operator=(const GpioChipObject&) = delete;
  GpioChipObject(GpioChipObject&&) = delete;
  GpioChipObject& operator=(GpioChipObject&&) = delete;
  ~GpioChipObject() override;

 private:
  using CleanupHook = Napi::Env::CleanupHook<void (*)(GpioChipObject*), GpioChipObject>;

  Napi::Value take(const Napi::CallbackInfo& info);
  Napi::Value first_outputs(const Napi::CallbackInfo& info);
  void set_output(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  static void on_environment_end(GpioChipObject* self) { self->abandon(); }
  // The environment ends: nothing may be called any more.
  void abandon();

  // In this order: the thread goes before what it uses.
  std::unique_ptr<gpio::Chip> chip_;
  WakeSignal wake_;
  std::unique_ptr<gpio::ChipWatch> watch_;
  std::optional<CleanupHook> hook_;  // engaged while it is open
};

}  // namespace singulate::addon
