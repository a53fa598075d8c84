// The counters of an inventory: written by its thread, read by anyone.
// They are InventoryCounters of the contract as far as the loop can know them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace singulate::inventory {

// One writer: a plain load and store, no locked instruction.
class Counter {
 public:
  void add(std::uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct Counters {
  Counter reads;    // tags singulated, those that were dropped included
  Counter dropped;  // lost because the queue was full
  Counter rounds;
  Counter cycles;  // whole antenna cycles
  Counter empty_slots;
  Counter single_slots;
  Counter collided_slots;
  Counter air_time_ns;    // since the start, on the air clock
  Counter too_weak;       // replies below the RSSI limit
  Counter held_back;      // see radio::RoundResult; summed over the rounds
  Counter access_failed;  // reads with an operation, or a bank to report, that did not succeed
  Counter periods;        // starts of reading
  Counter plan_changes;
  // From the end of the last round before a change of the plan to the first command after it, of
  // the last change.
  Counter change_gap_ns;
  Counter link_checks;    // times that the link profiles were tried (LinkChooser)
  Counter link_changes;   // of them: another one was taken
  Counter link_check_ns;  // air time that they took
  Counter beats;          // times that the thread came by: it is not stuck
  Counter waiting;        // 1: a start condition is awaited
  std::array<Counter, 256> reads_by_antenna;
};

}  // namespace singulate::inventory
