// The class `Radio` of the addon: one radio module and its inventory.
//
// Lifetime. While an inventory runs, the object holds a reference to itself (nobody else may
// hold one, and reading must go on), a cleanup hook (the environment may end first) and a
// thread-safe function (the event loop stays alive). All three go when the inventory has
// ended: by stop(), by itself, or with the environment. An access of a tag holds the same.
//
// Threads. The module is used by one thread at a time: that of the inventory while one runs, else
// who has `module_mutex_` (this one, or a task that waits for the module). What JavaScript
// asks of it at any moment is a copy.
#pragma once

#include <napi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "addon/access_task.h"
#include "addon/wake_signal.h"
#include "inventory/inventory.h"
#include "radio/radio_module.h"
#include "radio/virtual/packet_log.h"
#include "radio/virtual/virtual_radio.h"
#include "stream/read_queue.h"

namespace singulate::addon {

class RadioObject : public Napi::ObjectWrap<RadioObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit RadioObject(const Napi::CallbackInfo& info);
  RadioObject(const RadioObject&) = delete;
  RadioObject& operator=(const RadioObject&) = delete;
  RadioObject(RadioObject&&) = delete;
  RadioObject& operator=(RadioObject&&) = delete;
  ~RadioObject() override;

 private:
  using CleanupHook = Napi::Env::CleanupHook<void (*)(RadioObject*), RadioObject>;

  Napi::Value open(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);
  Napi::Value health(const Napi::CallbackInfo& info);
  Napi::Value link(const Napi::CallbackInfo& info);
  Napi::Value region(const Napi::CallbackInfo& info);
  void set_region(const Napi::CallbackInfo& info);
  Napi::Value capabilities(const Napi::CallbackInfo& info);
  void start(const Napi::CallbackInfo& info);
  Napi::Value change(const Napi::CallbackInfo& info);
  Napi::Value access_tag(const Napi::CallbackInfo& info);
  void cancel_access(const Napi::CallbackInfo& info);
  void pause_access(const Napi::CallbackInfo& info);
  Napi::Value predict(const Napi::CallbackInfo& info);
  void stop(const Napi::CallbackInfo& info);
  void set_input(const Napi::CallbackInfo& info);
  Napi::Value input_high(const Napi::CallbackInfo& info);
  void set_output(const Napi::CallbackInfo& info);
  Napi::Value tend_lines(const Napi::CallbackInfo& info);
  void log_packets(const Napi::CallbackInfo& info);
  Napi::Value packets(const Napi::CallbackInfo& info);
  Napi::Value tags(const Napi::CallbackInfo& info);
  Napi::Value collect(const Napi::CallbackInfo& info);
  Napi::Value arm(const Napi::CallbackInfo& info);
  Napi::Value phase(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);

  // The simulated radio; throws ERR_NOT_SUPPORTED if it is another module.
  [[nodiscard]] radio::VirtualRadio& simulated(Napi::Env env) const;
  void must_be_idle(Napi::Env env) const;
  void must_be_open(Napi::Env env) const;
  // No access of a tag has the module, which could take long.
  void must_have_module(Napi::Env env) const;
  void end_access(inventory::AccessJob::Stop how);
  // With the module for itself, on a thread.
  inventory::AccessOutcome access_idle(const inventory::AccessJob& job);
  void access_settled(Napi::Env env);
  // Copies what the module says of itself.
  void look_at_module();
  // The task of health().
  struct Health;

  // Lets go of everything that a running inventory holds. Idempotent.
  void finish(Napi::Env env);
  static void on_environment_end(RadioObject* self) { self->abandon(); }
  // The environment ends: nothing may be called any more.
  void abandon();

  // In this order: destroyed from the last to the first, the thread before what it uses.
  radio::PacketLog packet_log_;
  std::mutex module_mutex_;
  std::unique_ptr<radio::RadioModule> module_;
  bool opened_ = false;
  unsigned tasks_ = 0;                // that are not done yet
  std::atomic<bool> closed_ = false;  // close() was called
  std::atomic<bool> reading_ = false;
  std::atomic<bool> accessing_ = false;  // an access has the module, or will have it
  radio::Capabilities capabilities_;
  std::optional<radio::RegionState> region_;
  inventory::Inputs inputs_;
  std::unique_ptr<stream::ReadQueue> queue_;
  WakeSignal wake_;
  WakeContext* wake_context_ = nullptr;  // owned by wake_
  std::unique_ptr<inventory::Inventory> inventory_;
  std::optional<CleanupHook> hook_;                               // engaged while an inventory runs
  std::vector<inventory::InventoryPlan::Antenna> plan_antennas_;  // of its newest plan
  std::unique_ptr<AccessTask> access_;
  std::optional<CleanupHook> access_hook_;  // engaged while there is one
};

}  // namespace singulate::addon
