// The one thread that uses a radio module, and what the module is doing.
//
// Whatever may wait for the module is work of this thread, done in the order of asking: looking for
// the module, its settings, questions, one-off accesses, and the loop of an inventory from its
// first command to its last. Nobody who asks waits: a hung module holds up this thread alone.
//
// Requests come from one thread (the event loop of the service). They do not block. What they are
// given to call back is called once, on the host's thread, must not hold it up, and asks nothing of
// the host.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "inventory/inventory.h"
#include "inventory/pending_access.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

class RadioHost {
 public:
  enum class State : std::uint8_t {
    kAway,       // not open: never was, or a new look for it found nothing
    kOpening,    // it is looked for
    kIdle,       // open; short work may be done
    kStarting,   // an inventory is asked for, and the module takes its settings
    kReading,    // the loop runs
    kStopping,   // the loop was told to end
    kAccessing,  // a one-off access has the module for itself, or will have it
    kClosed,     // for good
  };

  // What the module says of itself. Copies: the module may be in use.
  struct Facts {
    radio::Capabilities capabilities;
    std::optional<radio::RegionState> region;
    std::map<std::uint8_t, std::string> region_names;  // of those that have one
  };

  using Work = std::function<radio::Status(radio::RadioModule&)>;
  using Done = std::function<void(const radio::Status&)>;

  // Work that makes way is not done when an inventory or an access was asked for before its turn.
  enum class Order : std::uint8_t { kKept, kMakesWay };

  // open: the module is open already. Throws std::system_error: no thread.
  RadioHost(std::unique_ptr<radio::RadioModule> module, bool open);
  RadioHost(const RadioHost&) = delete;
  RadioHost& operator=(const RadioHost&) = delete;
  RadioHost(RadioHost&&) = delete;
  RadioHost& operator=(RadioHost&&) = delete;
  // shut_down(), and the module is closed.
  ~RadioHost();

  [[nodiscard]] State state() const;
  // An inventory was asked for, and its end is still to come.
  [[nodiscard]] bool reads() const;
  // As of the last open(), region, inventory or access.
  [[nodiscard]] std::shared_ptr<const Facts> facts() const;
  // For its methods that come from any thread; for others only while the host is idle and nothing
  // was asked of it.
  [[nodiscard]] radio::RadioModule& module() const { return *module_; }

  // In kAway or kIdle: looks for the module. kNotOpen if the host was closed before.
  void open(Done done);
  // In kIdle. kNotOpen: it made way, or the host was closed before.
  void use(Order order, Work work, Done done);
  // In kIdle. begun: the module has the settings and the loop begins, or why not. over: always,
  // after that and after the last wake of the inventory.
  void start(std::shared_ptr<Inventory> inventory, Done begun, std::function<void()> over);
  // Not in kAway and kClosed: with the module for itself, after whatever it does now.
  void access(std::shared_ptr<AccessJob> job);
  // Ends inventory and access. done: when both are over; at once if there is neither.
  void stop(std::function<void()> done);
  // Ends whatever is done, lets go of the module, and takes nothing more. May come twice.
  void close(std::function<void()> done);
  // Ends whatever is done and waits for the thread: for as long as the module takes to be
  // interrupted. May come twice; afterwards only the destructor.
  void shut_down();

 private:
  using Job = std::function<void()>;

  void run();
  void post(Job job);
  // Under the lock.
  void end_all();
  // The work under way is over: idle, unless more was asked for meanwhile.
  void settle(State from, State to);
  [[nodiscard]] bool closed() const { return state() == State::kClosed; }
  void look();
  void read(Inventory& inventory, const Done& begun);
  AccessOutcome access_now(const AccessJob& job);

  const std::unique_ptr<radio::RadioModule> module_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;  // for something, or the thread ends
  std::deque<Job> jobs_;
  State state_;
  bool ending_ = false;                   // the thread shall end when nothing is left to do
  bool ended_ = false;                    // it does
  std::shared_ptr<Inventory> inventory_;  // of the newest start(), until it is over
  std::shared_ptr<AccessJob> access_;     // of the newest access(), until it is over
  std::shared_ptr<const Facts> facts_;
  std::thread thread_;
};

}  // namespace singulate::inventory
