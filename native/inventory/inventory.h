// The inventory loop: runs a plan on a radio module, on a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "inventory/counters.h"
#include "inventory/inventory_plan.h"
#include "inventory/recorder.h"
#include "radio/radio_module.h"
#include "stream/read_queue.h"

namespace singulate::inventory {

class Inventory {
 public:
  // The plan must be valid on the module, which must be open. Both outlive this object, as
  // does the queue; nobody else runs rounds meanwhile.
  // wake: the consumer shall look at the queue. Called on the inventory's thread, once for
  // each time the consumer armed the queue, and once when the inventory has ended.
  Inventory(radio::RadioModule& module, stream::ReadQueue& queue, InventoryPlan plan,
            std::function<void()> wake);
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;
  Inventory(Inventory&&) = delete;
  Inventory& operator=(Inventory&&) = delete;
  ~Inventory() { stop(); }

  // Applies the settings to the module and starts the thread.
  radio::Status start();
  // Interrupts the module and waits for the thread: a few milliseconds. No error if it ended
  // before, or never started.
  void stop();

  [[nodiscard]] bool running() const { return running_.load(); }
  // "" while running, then "stopped", "duration", "cycles", "end of recording" or the error
  // text of the module.
  [[nodiscard]] std::string end_reason() const;
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  // What an antenna remembers between its visits.
  struct AntennaState {
    gen2::Target next_target = gen2::Target::kA;
  };

  void run();
  // The loop; returns why it ended.
  std::string loop();
  // A visit of an antenna: rounds until its dwell is over. False: the inventory is over.
  bool visit(std::size_t index);
  // One round; nothing to run through for a module that sequences antennas itself.
  bool round(const radio::RoundRequest& request);
  // Sets reason_ if the inventory is over.
  bool over();
  void end(std::string reason);

  radio::RadioModule& module_;
  stream::ReadQueue& queue_;
  const InventoryPlan plan_;
  const std::function<void()> wake_;
  Counters counters_;
  Recorder recorder_;
  std::vector<AntennaState> states_;

  std::uint64_t started_ns_ = 0;
  std::uint64_t stop_at_ns_ = radio::kNoDeadline;
  std::string reason_;  // of the loop, on its thread

  std::thread thread_;
  std::atomic<bool> stop_requested_{false};
  std::atomic<bool> running_{false};
  mutable std::mutex end_mutex_;
  std::string end_reason_;
};

}  // namespace singulate::inventory
