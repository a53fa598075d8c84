// The class `Radio` of the addon: one radio module and its inventory.
//
// Nothing here waits for the module: whatever may do that is work of the host's thread, with a
// promise for it (RadioHost, PendingCalls). What JavaScript asks of the module at any moment is a
// copy, or one of the module's calls for any thread.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <vector>

#include "addon/pending_calls.h"
#include "inventory/inventory.h"
#include "inventory/radio_host.h"
#include "radio/radio_module.h"
#include "radio/virtual/packet_log.h"
#include "radio/virtual/virtual_radio.h"
#include "stream/read_queue.h"

namespace singulate::addon {

class RadioObject : public Napi::ObjectWrap<RadioObject>, private PendingCalls::Owner {
 public:
  static Napi::Function define(Napi::Env env);

  explicit RadioObject(const Napi::CallbackInfo& info);
  RadioObject(const RadioObject&) = delete;
  RadioObject& operator=(const RadioObject&) = delete;
  RadioObject(RadioObject&&) = delete;
  RadioObject& operator=(RadioObject&&) = delete;
  ~RadioObject() override = default;

 private:
  using State = inventory::RadioHost::State;
  using Stop = inventory::AccessJob::Stop;
  using Deferred = Napi::Promise::Deferred;

  Napi::Value open(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);
  Napi::Value health(const Napi::CallbackInfo& info);
  Napi::Value link(const Napi::CallbackInfo& info);
  Napi::Value region(const Napi::CallbackInfo& info);
  Napi::Value set_region(const Napi::CallbackInfo& info);
  Napi::Value capabilities(const Napi::CallbackInfo& info);
  Napi::Value start(const Napi::CallbackInfo& info);
  Napi::Value change(const Napi::CallbackInfo& info);
  Napi::Value access_tag(const Napi::CallbackInfo& info);
  void cancel_access(const Napi::CallbackInfo& /*info*/) { end_access(Stop::kAll); }
  void pause_access(const Napi::CallbackInfo& /*info*/) { end_access(Stop::kSearch); }
  Napi::Value predict(const Napi::CallbackInfo& info);
  Napi::Value stop(const Napi::CallbackInfo& info);
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
  // Throw ERR_ALREADY_STARTED: an inventory runs, or a tag is accessed, which could take long.
  void must_not_read(Napi::Env env) const;
  void must_be_free(Napi::Env env) const;
  void must_be_open(Napi::Env env) const;
  [[nodiscard]] radio::Capabilities facts() const { return host_->facts()->capabilities; }

  // Begins a call whose promise is settled by what this returns: on any thread, once.
  inventory::RadioHost::Done answer(const Deferred& deferred,
                                    std::function<Napi::Value(Napi::Env)> value = {});
  void end_access(Stop how);

  // PendingCalls::Owner
  void hold() override { Ref(); }
  void let_go() override { Unref(); }
  void end_with_environment() override { host_->shut_down(); }

  // In this order: destroyed from the last to the first, the thread before what it uses.
  radio::PacketLog packet_log_;
  inventory::Inputs inputs_;
  std::unique_ptr<stream::ReadQueue> queue_;
  PendingCalls calls_{*this};
  Napi::FunctionReference on_readable_;                           // while an inventory runs
  std::shared_ptr<inventory::Inventory> inventory_;               // the newest
  std::vector<inventory::InventoryPlan::Antenna> plan_antennas_;  // of its newest plan
  std::shared_ptr<inventory::AccessJob> access_;                  // that is under way
  std::unique_ptr<inventory::RadioHost> host_;
};

}  // namespace singulate::addon
