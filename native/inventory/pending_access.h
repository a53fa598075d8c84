// Where an access request waits until the running inventory has time for it: between two rounds,
// before its start and in its delays.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "inventory/access_request.h"

namespace singulate::inventory {

struct AccessJob {
  using Clock = std::chrono::steady_clock;
  enum class Stop : std::uint8_t {
    kNo,
    kSearch,  // a tag that was found already is operated on to the end
    kAll,     // after the operation that is under way
  };

  // What was asked for first and goes further stays. Any thread, one at a time.
  void end(Stop how) {
    if (stop.load() < how) stop.store(how);
  }

  AccessRequest request;
  Clock::time_point until;
  // Once, on any thread, which it must not hold up.
  std::function<void(AccessOutcome)> answer;
  std::atomic<Stop> stop{Stop::kNo};
};

class PendingAccess {
 public:
  // One at a time. False: there is one, or nobody serves any more. Any thread, as the next three.
  bool submit(std::shared_ptr<AccessJob> job);
  // After a change of AccessJob::stop: ends it at once unless it is being served, which sees that.
  void withdraw(const AccessJob& job);
  // Ends the one that waits, and takes no other.
  void close();
  [[nodiscard]] bool waits() const { return waits_.load(); }

  // Of the loop's thread, as all that follows: the plan that runs from now on.
  void begin_plan(const InventoryPlan& plan);
  // It is time for another look. The inventory has as much time between two of them as they take.
  [[nodiscard]] bool due(std::uint64_t now_ns) const {
    return waits_.load() && now_ns >= next_ns_.load();
  }
  // It was not looked for its tag yet.
  [[nodiscard]] bool is_new() const { return next_ns_.load() == 0; }
  // One look on each antenna, as long as the watch says; and the operations if the tag is there,
  // unless the inventory is stopped. True: the module was used.
  bool serve(radio::RadioModule& module, radio::RoundWatch& search,
             const std::atomic<bool>& stop_requested);

 private:
  std::shared_ptr<AccessJob> take();
  std::optional<AccessOutcome> look(radio::RadioModule& module, const AccessJob& job,
                                    radio::RoundWatch& search,
                                    const std::atomic<bool>& stop_requested);

  std::mutex mutex_;
  std::shared_ptr<AccessJob> job_;
  bool serving_ = false;
  bool closed_ = false;
  std::atomic<bool> waits_{false};
  std::atomic<std::uint64_t> next_ns_{0};  // air clock; 0 = at once, it is new
  std::uint64_t air_until_ns_ = 0;
  AccessAntennas antennas_;
};

}  // namespace singulate::inventory
