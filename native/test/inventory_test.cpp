#include "inventory/inventory.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "inventory_thread.h"
#include "radio/replay/replay_radio.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gen2::Session;
using gen2::Target;
using inventory::InventoryPlan;
using radio::RoundRequest;
using stream::ReadQueue;
using stream::WhenFull;
using test::InventoryThread;

using singulate::test::kMs;

namespace {

const inventory::Inputs kNoInputs;

// A module that writes down its rounds. Each takes 10 ms, or until the deadline.
class Scripted : public radio::RadioModule {
 public:
  explicit Scripted(std::vector<std::uint8_t> ports) {
    capabilities_.antennas = std::move(ports);
    capabilities_.max_transmit_power_cdbm = 3000;
    capabilities_.link_profiles = {"M4-250"};
  }
  radio::Status open() override { return {}; }
  void close() override {}
  [[nodiscard]] const radio::Capabilities& capabilities() const override { return capabilities_; }
  radio::Status configure(const radio::RadioSettings& given) override {
    settings = given;
    return configured;
  }
  radio::Result<radio::RoundResult> run_round(const RoundRequest& request,
                                              radio::TagSink& sink) override {
    if (fail_at == rounds.size()) return radio::Error{radio::ErrorCode::kModule, "it broke"};
    rounds.push_back(request);
    (void)sink.on_read({.time_ns = now, .antenna = request.antenna});
    now = std::min(now + 10 * kMs, request.deadline_ns);
    return radio::RoundResult{.empty_slots = 1, .single_slots = 2, .collided_slots = 3};
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return now; }
  bool idle_until(std::uint64_t time_ns) override {
    idled.push_back(time_ns - now);
    now = std::max(now, time_ns);
    return true;
  }
  void interrupt() override {}

  std::vector<std::uint64_t> idled;  // nanoseconds, one for each call
  radio::Status configured;
  radio::RadioSettings settings;
  std::vector<RoundRequest> rounds;
  std::size_t fail_at = SIZE_MAX;
  std::uint64_t now = 5000 * kMs;

 private:
  radio::Capabilities capabilities_;
};

class Wakes {
 public:
  std::function<void()> function() {
    return [this] {
      const std::lock_guard lock(mutex_);
      ++count_;
      changed_.notify_all();
    };
  }
  int wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return count_ >= count; });
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

InventoryPlan plan_of(std::size_t antennas, std::int64_t cycles) {
  InventoryPlan plan;
  for (std::size_t i = 1; i <= antennas; ++i) {
    plan.antennas.push_back({.port = static_cast<std::int64_t>(i), .transmit_power_cdbm = 3000});
  }
  plan.stop.cycles = cycles;
  return plan;
}

// Runs the plan to its own end.
std::string run(radio::RadioModule& module, const InventoryPlan& plan) {
  ReadQueue queue(100'000, WhenFull::kDrop);
  Wakes wakes;
  InventoryThread inventory(module, queue, kNoInputs, plan, wakes.function());
  if (!inventory.start().ok()) return inventory.end_reason();
  CHECK(wakes.wait_for(1) == 1);
  CHECK_FALSE(inventory.running());
  inventory.stop();
  return inventory.end_reason();
}

}  // namespace

TEST_CASE("without a dwell each antenna has one round of at most 1/N s") {
  Scripted module({1, 2, 3, 4});
  CHECK(run(module, plan_of(4, 2)) == "cycles");
  REQUIRE(module.rounds.size() == 8);
  std::uint64_t now = 5000 * kMs;
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(module.rounds[i].antenna == 1 + i % 4);
    CHECK(module.rounds[i].deadline_ns == now + 250 * kMs);
    CHECK(module.rounds[i].fresh_carrier);
    now += 10 * kMs;
  }
}

TEST_CASE("a dwell ends with the first limit that is met") {
  Scripted module({1, 2});
  auto plan = plan_of(2, 1);
  plan.antennas[0].dwell = {.duration_ms = 35, .rounds = 0};
  plan.antennas[1].dwell = {.duration_ms = 1000, .rounds = 3};
  CHECK(run(module, plan) == "cycles");
  // 10 + 10 + 10 + 5 ms, then three rounds.
  REQUIRE(module.rounds.size() == 7);
  CHECK(module.rounds[3].antenna == 1);
  CHECK(module.rounds[3].deadline_ns == 5035 * kMs);
  CHECK(module.rounds[4].antenna == 2);
  CHECK(module.rounds[0].fresh_carrier);
  CHECK_FALSE(module.rounds[1].fresh_carrier);
  CHECK(module.rounds[4].fresh_carrier);
}

TEST_CASE("the stop by time cuts a round short") {
  Scripted module({1});
  auto plan = plan_of(1, 0);
  plan.stop.duration_ms = 25;
  CHECK(run(module, plan) == "duration");
  REQUIRE(module.rounds.size() == 3);
  CHECK(module.rounds[2].deadline_ns == 5025 * kMs);
  CHECK(module.now == 5025 * kMs);
}

TEST_CASE("a stop time beyond the end of the clock is no stop") {
  Scripted module({1});
  auto plan = plan_of(1, 3);
  plan.stop.duration_ms = 9'007'199'254'740'991;
  CHECK(run(module, plan) == "cycles");
}

TEST_CASE("target AB alternates from round to round") {
  const auto targets = [](std::size_t antennas, std::int64_t session, std::int64_t rounds) {
    std::vector<std::uint8_t> ports;
    for (std::size_t i = 1; i <= antennas; ++i) ports.push_back(static_cast<std::uint8_t>(i));
    Scripted module(ports);
    auto plan = plan_of(antennas, 4);
    for (auto& antenna : plan.antennas) {
      antenna.query = {.session = session, .target = 2, .tag_population = 7};
      antenna.dwell.rounds = rounds;
    }
    CHECK(run(module, plan) == "cycles");
    std::string text;
    for (const RoundRequest& round : module.rounds) {
      if (round.fresh_carrier) text += '|';
      text += round.target == Target::kA ? 'A' : 'B';
      CHECK(round.tag_population == 7);
    }
    return text;
  };
  // One antenna: the carrier stays on, so that B is there to be asked for.
  CHECK(targets(1, 0, 0) == "|ABAB");
  CHECK(targets(1, 2, 3) == "|ABABABABABAB");
  // More antennas: each has its own turn; in S0 power is lost in between, so it begins with A.
  CHECK(targets(2, 2, 1) == "|A|A|B|B|A|A|B|B");
  CHECK(targets(2, 0, 1) == "|A|A|A|A|A|A|A|A");
  CHECK(targets(2, 0, 3) == "|ABA|ABA|ABA|ABA|ABA|ABA|ABA|ABA");
}

TEST_CASE("the plan's settings reach the module; an empty profile is the first one") {
  Scripted module({1, 2});
  auto plan = plan_of(2, 1);
  plan.antennas[1].transmit_power_cdbm = 1234;
  plan.antennas[0].query = {.session = 3, .target = 1, .tag_population = 0};
  run(module, plan);
  CHECK(module.settings.link_profile == "M4-250");
  CHECK(module.settings.antennas[1].port == 2);
  CHECK(module.settings.antennas[1].transmit_power_cdbm == 1234);
  CHECK(module.rounds[0].session == Session::kS3);
  CHECK(module.rounds[0].target == Target::kB);
  CHECK(module.rounds[0].tag_population == 0);
}

TEST_CASE("an error of the module ends the inventory with its text") {
  Scripted module({1});
  module.fail_at = 3;
  CHECK(run(module, plan_of(1, 0)) == "it broke");
  Scripted refuses({1});
  refuses.configured = radio::Error{radio::ErrorCode::kBadSettings, "not so"};
  CHECK(run(refuses, plan_of(1, 0)) == "not so");
}

TEST_CASE("counters add up, and records are numbered from 1") {
  Scripted module({1, 2});
  ReadQueue queue(7, WhenFull::kDrop);
  Wakes wakes;
  InventoryThread inventory(module, queue, kNoInputs, plan_of(2, 5), wakes.function());
  REQUIRE(inventory.start().ok());
  wakes.wait_for(1);
  const auto& counters = inventory.counters();
  CHECK(counters.reads.get() == 10);
  CHECK(counters.dropped.get() == 3);
  CHECK(counters.rounds.get() == 10);
  CHECK(counters.cycles.get() == 5);
  CHECK(counters.empty_slots.get() == 10);
  CHECK(counters.single_slots.get() == 20);
  CHECK(counters.collided_slots.get() == 30);
  CHECK(counters.air_time_ns.get() == 100 * kMs);
  CHECK(counters.reads_by_antenna[1].get() == 5);
  CHECK(counters.reads_by_antenna[2].get() == 5);
  std::vector<stream::ReadRecord> out(10);
  REQUIRE(queue.pop(out.data(), 10) == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(out[i].sequence == i + 1);
}

TEST_CASE("a recording ends the inventory, unless its time ends it before") {
  radio::ReplayOptions options;
  options.paced = false;
  options.start_ns = test::kStart;
  options.reads.resize(20);
  for (std::size_t i = 0; i < 20; ++i) {
    options.reads[i].antenna = 1;
    options.reads[i].time_ns = i * kMs;
  }
  radio::ReplayRadio module(options);
  CHECK(run(module, plan_of(1, 0)) == "end of recording");
  auto plan = plan_of(1, 0);
  plan.stop.duration_ms = 10;
  CHECK(run(module, plan) == "duration");
}

TEST_CASE("stop ends a paced radio and one that waits for room, at once") {
  for (const bool paced : {true, false}) {
    auto options = test::field_of(300);
    options.paced = paced;
    radio::VirtualRadio module(options);
    ReadQueue queue(10, paced ? WhenFull::kDrop : WhenFull::kWait);
    Wakes wakes;
    auto plan = plan_of(1, 0);
    plan.antennas[0].query.tag_population = 300;
    InventoryThread inventory(module, queue, kNoInputs, plan, wakes.function());
    REQUIRE(inventory.start().ok());
    while (inventory.counters().reads.get() < 11) std::this_thread::yield();
    const auto before = std::chrono::steady_clock::now();
    inventory.stop();
    CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(1));
    CHECK(inventory.end_reason() == "stopped");
    CHECK(wakes.wait_for(1) == 1);
    std::vector<stream::ReadRecord> out(100);
    const std::uint64_t waiting = queue.pop(out.data(), 100);
    CHECK(waiting + inventory.counters().dropped.get() == inventory.counters().reads.get());
    if (!paced) CHECK(inventory.counters().dropped.get() == 0);
    inventory.stop();
  }
}
