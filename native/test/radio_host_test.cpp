// A module that hangs holds up its own thread and nobody who asks.
#include "inventory/radio_host.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stream/read_queue.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using inventory::AccessJob;
using inventory::AccessOutcome;
using inventory::Inventory;
using inventory::InventoryPlan;
using inventory::RadioHost;
using State = RadioHost::State;
using Order = RadioHost::Order;

namespace {

// What the module waits behind, in one method or in all of them.
class Gate {
 public:
  void shut() {
    const std::lock_guard lock(mutex_);
    shut_ = true;
    waiting_ = 0;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    shut_ = false;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    if (!shut_) return;
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !shut_; });
  }
  void wait_for_one() {
    std::unique_lock lock(mutex_);
    REQUIRE(changed_.wait_for(lock, std::chrono::seconds(60), [this] { return waiting_ > 0; }));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool shut_ = false;
  int waiting_ = 0;
};

// Each of its calls that may wait for the module does, at the gate. It keeps who called it.
class Hanging final : public radio::RadioModule {
 public:
  explicit Hanging(Gate& gate) : gate_(gate) {
    capabilities_.antennas = {1};
    capabilities_.max_transmit_power_cdbm = 3000;
    capabilities_.link_profiles = {"M4-250"};
  }
  radio::Status open() override { return called("open"), radio::Status(); }
  void close() override {}
  [[nodiscard]] const radio::Capabilities& capabilities() const override { return capabilities_; }
  radio::Status configure(const radio::RadioSettings& /*settings*/) override {
    called("configure");
    interrupted_.store(false);
    return refuses ? radio::Status(radio::Error{radio::ErrorCode::kBadSettings, "not so"})
                   : radio::Status();
  }
  radio::Result<radio::RoundResult> run_round(const radio::RoundRequest& /*request*/,
                                              radio::TagSink& /*sink*/) override {
    called("run_round");
    now_ += 1'000'000;
    return radio::RoundResult{.end = interrupted_.load() ? radio::RoundEnd::kInterrupted
                                                         : radio::RoundEnd::kComplete};
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return now_.load(); }
  bool idle_until(std::uint64_t time_ns) override {
    called("idle_until");
    now_.store(std::max(now_.load(), time_ns));
    return !interrupted_.load();
  }
  void interrupt() override { interrupted_.store(true); }
  radio::Status set_region(std::uint8_t number, const std::vector<std::uint32_t>&) override {
    called("set_region");
    region_ = number;
    return {};
  }
  [[nodiscard]] std::optional<radio::RegionState> region() const override {
    return radio::RegionState{.present = region_};
  }
  std::vector<std::string> calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  // Of the thread of its calls: never another one.
  std::thread::id thread() {
    const std::lock_guard lock(mutex_);
    return thread_;
  }
  std::atomic<bool> refuses = false;

 private:
  void called(const char* what) {
    {
      const std::lock_guard lock(mutex_);
      CHECK((calls_.empty() || thread_ == std::this_thread::get_id()));
      thread_ = std::this_thread::get_id();
      if (calls_.empty() || calls_.back() != what) calls_.emplace_back(what);
    }
    gate_.pass();
  }

  Gate& gate_;
  radio::Capabilities capabilities_;
  std::atomic<std::uint64_t> now_ = 1'000'000'000;
  std::atomic<bool> interrupted_ = false;
  std::uint8_t region_ = 1;
  std::mutex mutex_;
  std::vector<std::string> calls_;
  std::thread::id thread_;
};

// A host with such a module, and what it answered, in its order.
struct Setup {
  explicit Setup(bool open = true) {
    auto made = std::make_unique<Hanging>(gate);
    module = made.get();
    host = std::make_unique<RadioHost>(std::move(made), open);
  }
  ~Setup() {
    gate.open();
    host.reset();
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;
  Setup(Setup&&) = delete;
  Setup& operator=(Setup&&) = delete;

  RadioHost::Done note(const std::string& what) {
    return [this, what](const radio::Status& status) {
      add(status.ok() ? what : what + ": " + status.error().message);
    };
  }
  std::function<void()> note_over(const std::string& what) {
    return [this, what] { add(what); };
  }
  void add(const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
    changed.notify_all();
  }
  std::vector<std::string> answers() {
    const std::lock_guard lock(mutex);
    return lines;
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    const auto there = [&] { return lines.size() >= count; };
    REQUIRE(changed.wait_for(lock, std::chrono::seconds(60), there));
    return lines;
  }
  std::shared_ptr<Inventory> inventory() {
    InventoryPlan plan;
    plan.antennas = {{.port = 1, .transmit_power_cdbm = 3000}};
    return std::make_shared<Inventory>(host->module(), queue, inputs, plan, [] {});
  }
  void start() { host->start(inventory(), note("begun"), note_over("over")); }

  Gate gate;
  Hanging* module;
  inventory::Inputs inputs;
  stream::ReadQueue queue{1000, stream::WhenFull::kDrop};
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> lines;
  std::unique_ptr<RadioHost> host;
};

using Lines = std::vector<std::string>;

RadioHost::Work region(std::uint8_t number) {
  return [number](radio::RadioModule& module) { return module.set_region(number, {}); };
}

}  // namespace

TEST_CASE("who asks goes on while the module hangs, and is answered in the order of asking") {
  Setup all(false);
  CHECK(all.host->state() == State::kAway);
  all.gate.shut();
  all.host->open(all.note("open"));
  all.gate.wait_for_one();
  CHECK(all.host->state() == State::kOpening);
  CHECK(all.answers().empty());
  all.gate.open();
  all.wait_for(1);
  CHECK(all.host->state() == State::kIdle);

  all.gate.shut();
  all.host->use(Order::kKept, region(7), all.note("region"));
  all.gate.wait_for_one();
  all.start();
  CHECK(all.host->state() == State::kStarting);
  CHECK(all.host->reads());
  CHECK(all.host->facts()->region->present == 1);
  CHECK(all.answers() == Lines{"open"});
  all.gate.open();
  CHECK(all.wait_for(3) == Lines{"open", "region", "begun"});
  CHECK(all.host->facts()->region->present == 7);
  all.host->stop(all.note_over("stopped"));
  CHECK(all.wait_for(5) == Lines{"open", "region", "begun", "over", "stopped"});
  CHECK(all.host->state() == State::kIdle);
  CHECK(all.module->thread() != std::this_thread::get_id());
}

TEST_CASE("an inventory that is stopped while the module takes its settings ends before a round") {
  Setup all;
  all.gate.shut();
  all.start();
  all.gate.wait_for_one();
  all.host->stop(all.note_over("stopped"));
  CHECK(all.host->state() == State::kStopping);
  CHECK(all.answers().empty());
  all.gate.open();
  CHECK(all.wait_for(3) == Lines{"begun", "over", "stopped"});
  for (const auto& call : all.module->calls()) CHECK(call != "run_round");
  all.host->stop(all.note_over("nothing to stop"));
  CHECK(all.answers().back() == "nothing to stop");
}

TEST_CASE("a module that hangs in a round holds up the stop, and not who asks for it") {
  Setup all;
  all.start();
  all.wait_for(1);
  CHECK(all.host->state() == State::kReading);
  all.gate.shut();
  all.gate.wait_for_one();
  all.host->stop(all.note_over("stopped"));
  CHECK(all.host->reads());
  CHECK(all.answers() == Lines{"begun"});
  all.gate.open();
  CHECK(all.wait_for(3) == Lines{"begun", "over", "stopped"});
}

TEST_CASE("settings that the module refuses leave the host idle, and an access beside them ends") {
  Setup all;
  all.module->refuses = true;
  all.gate.shut();
  auto inventory = all.inventory();
  all.host->start(inventory, all.note("begun"), all.note_over("over"));
  auto job = std::make_shared<AccessJob>();
  job->answer = [&](const AccessOutcome& outcome) {
    all.add(outcome.end == AccessOutcome::End::kEnded ? "access ended" : "access?");
  };
  REQUIRE(inventory->pending_access().submit(job));
  all.gate.open();
  CHECK(all.wait_for(3) == Lines{"access ended", "begun: not so", "over"});
  CHECK(all.host->state() == State::kIdle);
}

TEST_CASE("a question makes way for what was asked after it, a region does not") {
  Setup all;
  all.gate.shut();
  all.host->use(Order::kKept, region(7), all.note("first"));
  all.gate.wait_for_one();
  all.host->use(Order::kMakesWay, region(7), all.note("question"));
  all.host->use(Order::kKept, region(7), all.note("region"));
  all.start();
  all.gate.open();
  CHECK(all.wait_for(4) == Lines{"first", "question: the radio is busy", "region", "begun"});
}

TEST_CASE("an access that waits for the module ends with a stop, and with the host") {
  for (const bool closes : {false, true}) {
    Setup all;
    all.gate.shut();
    all.host->use(Order::kKept, region(7), all.note("region"));
    all.gate.wait_for_one();
    auto job = std::make_shared<AccessJob>();
    job->until = AccessJob::Clock::now() + std::chrono::hours(1);
    job->answer = [&](const AccessOutcome& outcome) {
      all.add(outcome.end == AccessOutcome::End::kEnded ? "access ended" : "access?");
    };
    all.host->access(job);
    CHECK(all.host->state() == State::kAccessing);
    if (closes) {
      all.host->close(all.note_over("closed"));
    } else {
      all.host->stop(all.note_over("stopped"));
    }
    all.gate.open();
    CHECK(all.wait_for(3) == Lines{"region", "access ended", closes ? "closed" : "stopped"});
    CHECK(all.host->state() == (closes ? State::kClosed : State::kIdle));
  }
}

TEST_CASE("what was asked of a host that is closed is answered, and not done") {
  Setup all;
  all.gate.shut();
  all.host->use(Order::kKept, region(7), all.note("region"));
  all.gate.wait_for_one();
  all.host->use(Order::kKept, region(8), all.note("late"));
  all.start();
  all.host->close(all.note_over("closed"));
  all.gate.open();
  CHECK(all.wait_for(5) == Lines{"region", "late: the radio is closed",
                                 "begun: the radio is closed", "over", "closed"});
  all.host->shut_down();
  CHECK(all.module->calls() == Lines{"set_region"});
}
