// Which plans a module goes through by itself, and what the loop makes of such a module.
#include "inventory/own_cycle.h"

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "inventory/reading.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::inventory;
using radio::TimedVisit;

namespace {

constexpr std::uint64_t kStartNs = 5'000 * kNsPerMs;

// Reads a tag on each antenna that it is told; a round takes 10 ms, a cycle its times.
class Cycling : public radio::RadioModule {
 public:
  Cycling() {
    capabilities_.antennas = {1, 2};
    capabilities_.link_profiles = {"M4-250"};
    capabilities_.cycles_antennas = true;
  }
  radio::Status open() override { return {}; }
  void close() override {}
  [[nodiscard]] const radio::Capabilities& capabilities() const override { return capabilities_; }
  radio::Status configure(const radio::RadioSettings& /*settings*/) override { return {}; }
  radio::Result<radio::RoundResult> run_round(const radio::RoundRequest& request,
                                              radio::TagSink& sink) override {
    requests.push_back(request);
    cycles.emplace_back(request.cycle.begin(), request.cycle.end());
    if (request.antenna == without_antenna) {
      return radio::RoundResult{.rounds = 0, .end = radio::RoundEnd::kNoAntenna};
    }
    const std::uint64_t from = now;
    now += request.cycle.empty() ? 10 * kNsPerMs : 0;
    for (const TimedVisit& visit : request.cycle) {
      const std::array<std::uint8_t, 2> epc{0, visit.antenna};
      (void)sink.on_read({.time_ns = now, .antenna = visit.antenna, .epc = epc});
      now += visit.time_ms * kNsPerMs;
      if (after_visit) after_visit();
      if (request.watch != nullptr && !request.watch->goes_on()) {
        return radio::RoundResult{.end = radio::RoundEnd::kWatch};
      }
    }
    if (now >= request.deadline_ns) {
      now = std::max(from, request.deadline_ns);
      return radio::RoundResult{.end = radio::RoundEnd::kDeadline};
    }
    return radio::RoundResult{.rounds = request.cycle.empty() ? 1U : 7U};
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return now; }
  bool idle_until(std::uint64_t time_ns) override {
    now = std::max(now, time_ns);
    return true;
  }
  void interrupt() override {}

  std::vector<radio::RoundRequest> requests;
  std::vector<std::vector<TimedVisit>> cycles;
  std::uint64_t now = kStartNs;
  std::uint8_t without_antenna = 0;
  std::function<void()> after_visit{};

 private:
  radio::Capabilities capabilities_;
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the queue keeps its lines apart
struct Loop {
  Cycling module;
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
};

radio::Capabilities cycling() {
  radio::Capabilities radio;
  radio.cycles_antennas = true;
  return radio;
}

using Visits = std::vector<TimedVisit>;

Visits visits_of(const InventoryPlan& plan) {
  const OwnCycle cycle(plan, cycling());
  return {cycle.visits().begin(), cycle.visits().end()};
}

// Two antennas, a round of at most half a second on each.
InventoryPlan usual() {
  InventoryPlan plan;
  plan.antennas = {{.port = 2, .query = {.session = 1}}, {.port = 1, .query = {.session = 1}}};
  return plan;
}

void on_both(InventoryPlan& plan, const std::function<void(InventoryPlan::Antenna&)>& change) {
  for (auto& antenna : plan.antennas) change(antenna);
}

}  // namespace

TEST_CASE("visits that end after a time are made by the module, in the order of the plan") {
  auto plan = usual();
  CHECK(visits_of(plan) == Visits{{2, 100}, {1, 100}});
  plan.antennas[0].dwell.duration_ms = 1'000;
  plan.antennas[1].dwell = {.duration_ms = 70, .rounds = 1};
  plan.antennas[1].transmit_power_cdbm = 1500;
  CHECK(visits_of(plan) == Visits{{2, 1'000}, {1, 70}});
  on_both(plan, [](auto& antenna) { antenna.access = {{.kind = radio::AccessKind::kRead}}; });
  CHECK(visits_of(plan).size() == 2);
}

TEST_CASE("visits of a round are as short as rounds allow, and no longer than the plan does") {
  OwnCycle cycle(usual(), cycling());
  const auto after = [&](std::uint64_t rounds, std::uint64_t slots) {
    cycle.adapt({.rounds = rounds, .single_slots = slots});
    return cycle.visits().front().time_ms;
  };
  CHECK(after(4, 9) == 100);
  CHECK(after(3, 9) == 200);
  CHECK(after(1, 9) == 400);
  CHECK(after(1, 9) == 500);
  CHECK(after(1, 9) == 500);
  // Of a field in which nothing is told of rounds nothing is known.
  CHECK(after(1, 0) == 500);
  CHECK(after(12, 9) == 500);
  CHECK(after(13, 9) == 400);
  CHECK(after(99, 9) == 200);
  CHECK(after(99, 9) == 100);
  CHECK(after(99, 9) == 100);
  auto plan = usual();
  on_both(plan, [](auto& antenna) { antenna.dwell.duration_ms = 60; });
  cycle = OwnCycle(plan, cycling());
  CHECK(after(1, 9) == 60);
}

TEST_CASE("what a module cannot do by itself is left to the loop") {
  auto plan = usual();
  auto radio = cycling();
  SUBCASE("a module that cannot") { radio.cycles_antennas = false; }
  SUBCASE("one antenna") { plan.antennas.resize(1); }
  SUBCASE("an antenna that is visited twice") { plan.antennas[1].port = 2; }
  SUBCASE("cycles that are counted") { plan.stop.cycles = 3; }
  SUBCASE("rounds that are counted") { plan.antennas[1].dwell.rounds = 2; }
  SUBCASE("a round without a time") { plan.antennas[1].dwell.rounds = 1; }
  SUBCASE("an input that ends a visit") { plan.antennas[1].dwell.input = InputLevel{.port = 1}; }
  SUBCASE("another query") { plan.antennas[1].query.session = 2; }
  SUBCASE("another select") { plan.antennas[1].selects = {gen2::Select{}}; }
  SUBCASE("a beam") { plan.antennas[1].beam = 1; }
  SUBCASE("writing") {
    on_both(plan, [](auto& antenna) { antenna.access = {{.kind = radio::AccessKind::kWrite}}; });
  }
  SUBCASE("more operations than in a round") {
    radio.features = *radio::find_features("m7e");
    on_both(plan, [](auto& antenna) { antenna.access.resize(2); });
  }
  SUBCASE("a cycle that is too long") {
    on_both(plan, [](auto& antenna) { antenna.dwell.duration_ms = 2'001; });
  }
  CHECK(OwnCycle(plan, radio).empty());
}

TEST_CASE("a module that goes through the antennas by itself is asked for cycle after cycle") {
  Loop loop;
  auto plan = usual();
  plan.stop.duration_ms = 500;
  CHECK(loop.read(plan).reason == "duration");
  REQUIRE(loop.module.requests.size() == 3);
  CHECK(loop.module.cycles[0] == visits_of(plan));
  CHECK(loop.module.requests[0].several);
  CHECK_FALSE(loop.module.requests[0].both_targets);
  CHECK(loop.counters.cycles.get() == 2);
  CHECK(loop.counters.rounds.get() == 7 + 7 + 1);
  CHECK(loop.counters.reads_by_antenna[1].get() == 3);
  CHECK(loop.counters.reads_by_antenna[2].get() == 3);
}

TEST_CASE("visits of a round in S0 find all tags again: rounds of a cycle ask for A and B") {
  Loop loop;
  auto plan = usual();
  plan.stop.duration_ms = 900;
  on_both(plan, [](auto& antenna) { antenna.query.session = 0; });
  SUBCASE("a round") {
    (void)loop.read(plan);
    CHECK(loop.module.requests[0].both_targets);
  }
  SUBCASE("as many rounds as there is time for: only new tags answer again") {
    on_both(plan, [](auto& antenna) { antenna.dwell.duration_ms = 100; });
    (void)loop.read(plan);
    CHECK_FALSE(loop.module.requests[0].both_targets);
  }
}

TEST_CASE("another plan does not wait for the end of a module's cycle") {
  Loop loop;
  loop.module.after_visit = [&] { loop.plan_waits = true; };
  CHECK(loop.read(usual()).reason == "");
  CHECK(loop.counters.cycles.get() == 0);
  CHECK(loop.counters.reads_by_antenna[2].get() == 1);
  CHECK(loop.counters.reads_by_antenna[1].get() == 0);
}

TEST_CASE("a port without antenna costs no time, and its rounds are none") {
  Loop loop;
  loop.module.without_antenna = 1;
  auto plan = usual();
  on_both(plan, [](auto& antenna) { antenna.dwell.duration_ms = 50; });
  plan.stop.cycles = 4;
  CHECK(loop.read(plan).reason == "cycles");
  CHECK((loop.module.now - kStartNs) / kNsPerMs == 4 * 50);
  CHECK(loop.counters.rounds.get() == 4 * 5);
}
