// The inventory loop: runs a plan on a radio module, on the thread that owns the module
// (RadioHost).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "inventory/counters.h"
#include "inventory/inputs.h"
#include "inventory/inventory_plan.h"
#include "inventory/link_chooser.h"
#include "inventory/loop_context.h"
#include "inventory/pending_access.h"
#include "inventory/recorder.h"
#include "radio/radio_module.h"
#include "stream/read_queue.h"

namespace singulate::inventory {

class Inventory {
 public:
  // The plan must be valid on the module, which must be open. Module, queue and inputs outlive
  // this object; nobody else runs rounds meanwhile.
  // wake: the consumer shall look at the queue. Called on the inventory's thread, once for
  // each time the consumer armed the queue, and once when the inventory has ended.
  Inventory(radio::RadioModule& module, stream::ReadQueue& queue, const Inputs& inputs,
            InventoryPlan plan, std::function<void()> wake);
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;
  Inventory(Inventory&&) = delete;
  Inventory& operator=(Inventory&&) = delete;
  ~Inventory() = default;

  // In this order, each once, on the thread of the module.
  // Applies the settings to the module. After an error nothing follows.
  radio::Status begin();
  // The loop, from its first command to the carrier off.
  void run();
  // The consumer hears that nothing more will come.
  void announce_end();

  // Goes on with another plan, valid on the module, at the end of the running round. Its start
  // and stop conditions count from there. Returns the number its reads will carry. Of an
  // inventory that has ended nothing comes.
  std::uint8_t change(InventoryPlan plan);
  // Does it between two rounds, with the antennas and powers of the plan: see PendingAccess.
  PendingAccess& pending_access() { return pending_access_; }
  // Makes run() return: after a few milliseconds, or as soon as the module can be interrupted.
  // From any thread, at any moment; does not wait.
  void request_stop();

  [[nodiscard]] bool running() const { return running_.load(); }
  // "" while running, then "stopped", "duration", "cycles", "tag count", "no new tags", "input",
  // "end of recording" or the error text of the module.
  [[nodiscard]] std::string end_reason() const;
  [[nodiscard]] const Counters& counters() const { return counters_; }
  // The link profile in force: that of the plan, or the one that was chosen. From any thread.
  [[nodiscard]] std::string link_profile() const { return links_.profile(); }

 private:
  // The loop; returns why it ended.
  std::string loop();
  // Periods of reading under plan_. The reason of the end; "" if another plan waits.
  std::string periods(LoopContext& context);
  // Takes up the plan that waits.
  radio::Status take_up(LoopContext& context);
  void end(std::string reason);

  radio::RadioModule& module_;
  stream::ReadQueue& queue_;
  const Inputs& inputs_;
  InventoryPlan plan_;  // of the loop, on its thread
  const std::function<void()> wake_;
  Counters counters_;
  Recorder recorder_;
  LinkChooser links_;
  PendingAccess pending_access_;

  struct Waiting {
    InventoryPlan plan;
    std::uint8_t number = 0;
  };
  std::mutex change_mutex_;
  std::unique_ptr<Waiting> waiting_;
  std::uint8_t last_number_ = 0;
  std::atomic<bool> plan_waits_{false};

  std::atomic<bool> stop_requested_{false};
  std::atomic<bool> running_{false};
  mutable std::mutex end_mutex_;
  std::string end_reason_;
};

}  // namespace singulate::inventory
