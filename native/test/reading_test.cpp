// The loop's start and stop conditions, delays and changes of the plan, on a scripted module.
#include "inventory/reading.h"

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "inventory/start_wait.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::inventory;

namespace {

constexpr std::uint64_t kStartNs = 5'000 * kNsPerMs;

// Each round takes 10 ms, or until the deadline, and delivers the next list of tags.
class Scripted : public radio::RadioModule {
 public:
  Scripted() {
    capabilities_.antennas = {1, 2};
    capabilities_.link_profiles = {"M4-250"};
    capabilities_.paced = false;
  }
  radio::Status open() override { return {}; }
  void close() override {}
  [[nodiscard]] const radio::Capabilities& capabilities() const override { return capabilities_; }
  radio::Status configure(const radio::RadioSettings& /*settings*/) override { return {}; }
  radio::Result<radio::RoundResult> run_round(const radio::RoundRequest& request,
                                              radio::TagSink& sink) override {
    requests.push_back(request);
    radio::RoundResult result{.first_command_ns = now + kNsPerMs};
    for (const std::uint8_t tag : tags) {
      const std::array<std::uint8_t, 2> epc{0, tag};
      if (!sink.on_read({.time_ns = now, .antenna = request.antenna, .epc = epc})) break;
    }
    now = std::min(now + 10 * kNsPerMs, request.deadline_ns);
    if (request.watch != nullptr && !request.watch->goes_on()) result.end = radio::RoundEnd::kWatch;
    return result;
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return now; }
  bool idle_until(std::uint64_t time_ns) override {
    idled += time_ns - now;
    now = std::max(now, time_ns);
    return true;
  }
  void interrupt() override {}
  std::optional<bool> input_high(std::uint8_t port) override {
    return port == 1 ? std::optional(!(now >= low_from && now < low_until)) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> next_input_change_ns() const override {
    return low_from;
  }

  std::vector<std::uint8_t> tags;
  std::vector<radio::RoundRequest> requests;
  std::uint64_t now = kStartNs;
  std::uint64_t idled = 0;
  std::uint64_t low_from = radio::kNoDeadline;
  std::uint64_t low_until = radio::kNoDeadline;

 private:
  radio::Capabilities capabilities_;
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the queue keeps its lines apart
struct Loop {
  Scripted module;
  Inputs inputs;
  stream::ReadQueue queue{10'000, stream::WhenFull::kDrop};
  Counters counters;
  std::function<void()> wake = [] {};
  Recorder recorder{queue, counters, wake};
  std::atomic<bool> stop{false};
  std::atomic<bool> plan_waits{false};
  LoopContext context{.module = module,
                      .inputs = inputs,
                      .recorder = recorder,
                      .counters = counters,
                      .stop_requested = stop,
                      .plan_waits = plan_waits,
                      .started_ns = kStartNs};

  Reading::End read(const InventoryPlan& plan) { return Reading(context, plan).run(true); }
  [[nodiscard]] std::uint64_t ms() const { return (module.now - kStartNs) / kNsPerMs; }
};

InventoryPlan one_antenna() {
  InventoryPlan plan;
  plan.antennas = {{.port = 1}};
  return plan;
}

}  // namespace

TEST_CASE("a delay follows a cycle without tags, to the nanosecond") {
  Loop loop;
  auto plan = one_antenna();
  plan.cycle_delay = CycleDelay::kNoTags;
  plan.cycle_delay_ms = 75;
  plan.stop.cycles = 5;
  CHECK(loop.read(plan).reason == "cycles");
  CHECK(loop.module.idled == 300 * kNsPerMs);
  CHECK(loop.ms() == 5 * 10 + 4 * 75);
}

TEST_CASE("a delay for want of new tags needs no silence") {
  Loop loop;
  loop.module.tags = {1, 2};
  auto plan = one_antenna();
  plan.cycle_delay = CycleDelay::kNoUniqueTags;
  plan.cycle_delay_ms = 30;
  plan.stop.cycles = 4;
  CHECK(loop.read(plan).reason == "cycles");
  CHECK(loop.module.idled == 60 * kNsPerMs);
}

TEST_CASE("a delay ends with the inventory's duration") {
  Loop loop;
  auto plan = one_antenna();
  plan.cycle_delay = CycleDelay::kNoTags;
  plan.cycle_delay_ms = 1000;
  plan.stop.duration_ms = 200;
  CHECK(loop.read(plan).reason == "duration");
  CHECK(loop.ms() == 200);
}

TEST_CASE("the stop conditions end reading, each with its reason") {
  Loop loop;
  loop.module.tags = {1, 2, 3};
  auto plan = one_antenna();
  SUBCASE("tag count") {
    plan.stop.tag_count = 2;
    CHECK(loop.read(plan).reason == "tag count");
    CHECK(loop.counters.reads.get() == 2);
  }
  SUBCASE("no new tags") {
    plan.stop.no_new_tags_ms = 55;
    CHECK(loop.read(plan).reason == "no new tags");
    CHECK(loop.ms() == 60);
  }
  SUBCASE("an input, with its debounce time") {
    loop.module.low_from = kStartNs + 100 * kNsPerMs;
    plan.stop.inputs = {{.port = 1, .high = false, .debounce_ms = 20}};
    CHECK(loop.read(plan).reason == "input");
    CHECK(loop.ms() == 120);
  }
  SUBCASE("a stop") {
    loop.stop = true;
    const auto end = loop.read(plan);
    CHECK(end.reason == "stopped");
    CHECK(end.for_good);
  }
  SUBCASE("a plan that waits, which is no reason") {
    loop.plan_waits = true;
    CHECK(loop.read(plan).reason.empty());
  }
}

TEST_CASE("an input ends a visit, not the reading") {
  Loop loop;
  InventoryPlan plan;
  plan.antennas = {{.port = 1}, {.port = 2}};
  plan.antennas[0].dwell.input = InputLevel{.port = 1, .high = false};
  plan.antennas[1].dwell.rounds = 2;
  loop.module.low_from = kStartNs + 35 * kNsPerMs;
  plan.stop.cycles = 1;
  CHECK(loop.read(plan).reason == "cycles");
  std::vector<int> antennas;
  for (const auto& request : loop.module.requests) antennas.push_back(request.antenna);
  CHECK(antennas == std::vector{1, 1, 1, 1, 2, 2});
}

TEST_CASE("what an antenna sends goes with every round") {
  Loop loop;
  auto plan = one_antenna();
  plan.antennas[0].selects.resize(2);
  plan.antennas[0].access.resize(3);
  plan.antennas[0].query.select_filter = 3;
  plan.antennas[0].beam = 7;
  plan.delay_after_selects_us = 1234;
  plan.min_rssi_cdbm = -6000;
  plan.stop.cycles = 1;
  (void)loop.read(plan);
  const radio::RoundRequest& request = loop.module.requests.at(0);
  CHECK(request.access.size() == 3);
  CHECK(request.select_filter == gen2::SelectFilter::kSelected);
  CHECK(request.beam == 7);
  CHECK(request.min_rssi_cdbm == -6000);
}

TEST_CASE("a start waits for its input, and a further one for the next edge") {
  Loop loop;
  loop.module.low_from = kStartNs + 100 * kNsPerMs;
  loop.module.low_until = kStartNs + 300 * kNsPerMs;
  InventoryPlan::Start start;
  start.inputs = {{.port = 1, .high = false, .debounce_ms = 10}};
  start.restart = true;
  StartWait wait(loop.context, start);
  CHECK(wait.wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 110);
  // It stays low: that is no new edge. It comes again, and then it is.
  std::thread later([&] {
    while (loop.counters.waiting.get() == 0) std::this_thread::yield();
    loop.stop = true;
  });
  CHECK(wait.wait() == StartWait::Outcome::kStopped);
  later.join();
}

TEST_CASE("a schedule counts from its time, and leaves out what has gone by") {
  Loop loop;
  InventoryPlan::Start start;
  start.at_ns = kStartNs - 250 * kNsPerMs;
  start.every_ms = 100;
  StartWait wait(loop.context, start);
  CHECK(wait.wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 50);
  loop.module.now += 130 * kNsPerMs;
  CHECK(wait.wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 250);
}

TEST_CASE("a single time that has gone by is now; a period without a time begins now") {
  Loop loop;
  InventoryPlan::Start past;
  past.at_ns = 1;
  CHECK(StartWait(loop.context, past).wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 0);
  InventoryPlan::Start every;
  every.every_ms = 40;
  StartWait wait(loop.context, every);
  CHECK(wait.wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 0);
  CHECK(wait.wait() == StartWait::Outcome::kGo);
  CHECK(loop.ms() == 40);
}
