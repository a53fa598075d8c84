// One-off access beside a running inventory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "access_field.h"
#include "emulated_module.h"
#include "inventory_thread.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/virtual/virtual_radio.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::test;
using gen2::Bank;
using inventory::AccessJob;
using inventory::AccessOutcome;
using inventory::AccessRequest;
using inventory::InventoryPlan;
using End = inventory::AccessOutcome::End;

namespace {

// A job and its answer.
class Asked {
 public:
  explicit Asked(AccessRequest request) : job(std::make_shared<AccessJob>()) {
    job->until = AccessJob::Clock::now() + std::chrono::milliseconds(request.timeout_ms);
    job->request = std::move(request);
    job->answer = [this](AccessOutcome outcome) {
      const std::lock_guard lock(mutex_);
      CHECK_FALSE(outcome_);
      outcome_ = std::move(outcome);
      changed_.notify_all();
    };
  }
  AccessOutcome answer() {
    std::unique_lock lock(mutex_);
    REQUIRE(
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return outcome_.has_value(); }));
    return *outcome_;
  }

  std::shared_ptr<AccessJob> job;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<AccessOutcome> outcome_;
};

AccessRequest with_time(AccessRequest request, std::int64_t ms = 30'000) {
  request.timeout_ms = ms;
  return request;
}

InventoryPlan access_plan() {
  InventoryPlan plan;
  plan.antennas = {{.port = 1, .transmit_power_cdbm = 2700}};
  return plan;
}

radio::VirtualOptions paced_field() {
  auto field = access_field();
  field.paced = true;
  return field;
}

// A radio that reads under a plan.
struct Running {
  Running(radio::RadioModule& on, const InventoryPlan& plan)
      : module(on), inventory(module, queue, inputs, plan, [] {}) {
    REQUIRE(module.open().ok());
    REQUIRE(inventory.start().ok());
  }
  void wait_for_reads(std::uint64_t more) const {
    const std::uint64_t enough = inventory.counters().reads.get() + more;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (inventory.counters().reads.get() < enough) {
      REQUIRE(std::chrono::steady_clock::now() < until);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void wait_for_end() const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (inventory.running()) {
      REQUIRE(std::chrono::steady_clock::now() < until);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::vector<stream::ReadRecord> records() {
    std::vector<stream::ReadRecord> all(100'000);
    std::vector<std::uint8_t> bytes(all.size() * sizeof(stream::ReadRecord));
    all.resize(queue.pop(bytes.data(), all.size()));
    std::memcpy(all.data(), bytes.data(), all.size() * sizeof(stream::ReadRecord));
    return all;
  }

  radio::RadioModule& module;
  inventory::Inputs inputs;
  stream::ReadQueue queue{100'000, stream::WhenFull::kDrop};
  test::InventoryThread inventory;
};

void check_beside(radio::RadioModule& module) {
  Running running(module, access_plan());
  running.wait_for_reads(10);
  Asked asked(with_time(request_for(epc_of(3), {read_of(Bank::kTid, 0, 4)})));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  const auto outcome = asked.answer();
  CHECK(outcome.end == End::kDone);
  CHECK(outcome.epc == epc_of(3));
  REQUIRE(outcome.results.size() == 1);
  CHECK(outcome.results[0].words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, 3});
  running.wait_for_reads(10);
  CHECK(running.inventory.running());
  running.inventory.stop();
  CHECK(running.inventory.end_reason() == "stopped");
  // None of the access request's own reads is among the inventory's.
  CHECK(running.records().size() == running.inventory.counters().reads.get());
}

}  // namespace

TEST_CASE("access requests beside an inventory: reads go on before and after") {
  radio::VirtualRadio radio(paced_field());
  check_beside(radio);
}

TEST_CASE("access requests beside an inventory: on an M7e on a serial line") {
  EmulatedModule emulated("m7e", access_field());
  radio::mercury::MercuryRadio radio(
      {.path = emulated.path(), .baud = 115'200, .times = singulate::test::kPatient});
  check_beside(radio);
}

TEST_CASE("access requests beside an inventory: a new EPC is read by the inventory from then on") {
  radio::VirtualRadio radio(paced_field());
  Running running(radio, access_plan());
  running.wait_for_reads(5);
  Asked asked(with_time(request_for(epc_of(2), {write_of(Bank::kEpc, 2, {0xABCD})})));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  REQUIRE(asked.answer().end == End::kDone);
  running.wait_for_reads(20);
  running.inventory.stop();
  const auto records = running.records();
  CHECK(records.front().epc[0] == 0x30);
  CHECK(std::any_of(records.begin(), records.end(),
                    [](const auto& one) { return one.epc[0] == 0xAB && one.epc[11] == 2; }));
}

TEST_CASE(
    "access requests beside an inventory: rounds of a dwell that an access request cuts are not "
    "counted") {
  // In turns of A and B each whole round reads the one tag.
  auto field = paced_field();
  field.groups[0].tags.resize(1);
  radio::VirtualRadio radio(field);
  auto plan = access_plan();
  plan.antennas[0].query.target = 2;
  plan.antennas[0].dwell.rounds = 40;
  plan.stop.cycles = 1;
  Running running(radio, plan);
  std::uint64_t accesses = 0;
  while (running.inventory.running()) {
    Asked asked(with_time(request_for(epc_of(0), {read_of(Bank::kTid, 0, 1)})));
    if (!running.inventory.pending_access().submit(asked.job)) break;
    const auto outcome = asked.answer();
    if (outcome.end == End::kEnded) break;
    CHECK(outcome.end == End::kDone);
    ++accesses;
  }
  running.wait_for_end();
  CHECK(accesses > 0);
  CHECK(running.inventory.end_reason() == "cycles");
  CHECK(running.inventory.counters().rounds.get() >= 40);
  CHECK(running.inventory.counters().reads.get() >= 40);
}

TEST_CASE(
    "access requests beside an inventory: a long round makes way, and the antenna's time is kept") {
  // Nobody is in reach, and the module goes on looking as long as the round lasts.
  class Patient final : public radio::RadioModule {
   public:
    explicit Patient(radio::VirtualRadio& inner) : inner_(inner) {}
    radio::Status open() override { return inner_.open(); }
    void close() override { inner_.close(); }
    [[nodiscard]] const radio::Capabilities& capabilities() const override {
      return inner_.capabilities();
    }
    radio::Status configure(const radio::RadioSettings& settings) override {
      return inner_.configure(settings);
    }
    radio::Result<radio::RoundResult> run_round(const radio::RoundRequest& request,
                                                radio::TagSink& sink) override {
      if (request.stops_behind) return inner_.run_round(request, sink);
      radio::RoundResult result;
      in_round = true;
      for (;;) {
        if (inner_.now_ns() >= request.deadline_ns) {
          result.end = radio::RoundEnd::kDeadline;
        } else if (!request.watch->goes_on()) {
          result.end = radio::RoundEnd::kWatch;
        } else if (!inner_.idle_until(inner_.now_ns() + 1'000'000)) {
          result.end = radio::RoundEnd::kInterrupted;
        } else {
          continue;
        }
        if (result.end == radio::RoundEnd::kDeadline) ++whole;
        if (result.end == radio::RoundEnd::kWatch) ++cut;
        return result;
      }
    }
    [[nodiscard]] std::uint64_t now_ns() const override { return inner_.now_ns(); }
    bool idle_until(std::uint64_t time_ns) override { return inner_.idle_until(time_ns); }
    void interrupt() override { inner_.interrupt(); }

    std::atomic<bool> in_round = false;
    std::atomic<int> whole = 0;
    std::atomic<int> cut = 0;

   private:
    radio::VirtualRadio& inner_;
  };
  radio::VirtualRadio radio(paced_field());
  Patient module(radio);
  auto plan = access_plan();
  plan.antennas[0].dwell = {.duration_ms = 1500, .rounds = 1};
  plan.stop.cycles = 1;
  Running running(module, plan);
  while (!module.in_round) std::this_thread::yield();
  Asked asked(with_time(request_for(epc_of(0), {read_of(Bank::kTid, 0, 1)})));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  CHECK(asked.answer().end == End::kDone);
  CHECK(running.inventory.running());
  CHECK(module.whole.load() == 0);
  running.wait_for_end();
  CHECK(module.cut.load() == 1);
  CHECK(module.whole.load() == 1);
  CHECK(running.inventory.end_reason() == "cycles");
}

TEST_CASE("access requests beside an inventory: one in vain leaves the inventory its time") {
  radio::VirtualRadio radio(paced_field());
  auto plan = access_plan();
  plan.stop.no_new_tags_ms = 60'000;
  Running running(radio, plan);
  running.wait_for_reads(5);
  const std::uint64_t before = running.inventory.counters().reads.get();
  Asked asked(with_time(request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)}), 400));
  const auto from = std::chrono::steady_clock::now();
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  CHECK(asked.answer().end == End::kNotFound);
  const auto took = std::chrono::steady_clock::now() - from;
  CHECK(took >= std::chrono::milliseconds(300));
  CHECK(running.inventory.counters().reads.get() > before);
  CHECK(running.inventory.running());
}

TEST_CASE("access requests beside an inventory: done while it waits for its start") {
  radio::VirtualRadio radio(paced_field());
  auto plan = access_plan();
  plan.start.inputs = {{.port = 1, .high = false}};
  plan.stop.tag_count = 1;
  Running running(radio, plan);
  Asked asked(with_time(request_for(epc_of(1), {read_of(Bank::kTid, 3, 1)})));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  CHECK(asked.answer().end == End::kDone);
  CHECK(running.inventory.counters().waiting.get() == 1);
  CHECK(running.inventory.counters().reads.get() == 0);
  running.inputs.set(1, false);
  running.wait_for_end();
  CHECK(running.inventory.end_reason() == "tag count");
}

TEST_CASE("access requests beside an inventory: done in the delay after a cycle") {
  auto field = paced_field();
  radio::VirtualRadio radio(field);
  auto plan = access_plan();
  plan.cycle_delay = inventory::CycleDelay::kNoUniqueTags;
  plan.cycle_delay_ms = 60'000;
  Running running(radio, plan);
  running.wait_for_reads(kAccessTags + 1);
  Asked asked(with_time(request_for(epc_of(1), {read_of(Bank::kTid, 3, 1)})));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  CHECK(asked.answer().end == End::kDone);
  running.inventory.stop();
}

TEST_CASE("access requests beside an inventory: the end of it ends them, at once") {
  radio::VirtualRadio radio(paced_field());
  auto plan = access_plan();
  plan.stop.duration_ms = 300;
  Running running(radio, plan);
  Asked asked(with_time(request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)}), 60'000));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  CHECK(asked.answer().end == End::kEnded);
  running.wait_for_end();
  CHECK(running.inventory.end_reason() == "duration");
  CHECK_FALSE(running.inventory.pending_access().submit(asked.job));
}

TEST_CASE("access requests beside an inventory: a stop ends them") {
  radio::VirtualRadio radio(paced_field());
  Running running(radio, access_plan());
  Asked asked(with_time(request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)}), 60'000));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  running.wait_for_reads(3);
  running.inventory.stop();
  CHECK(asked.answer().end == End::kEnded);
}

TEST_CASE("access requests beside an inventory: they can be withdrawn, at any moment") {
  radio::VirtualRadio radio(paced_field());
  Running running(radio, access_plan());
  for (int i = 0; i < 20; ++i) {
    Asked asked(with_time(request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)}), 60'000));
    REQUIRE(running.inventory.pending_access().submit(asked.job));
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 5));
    asked.job->stop = AccessJob::Stop::kAll;
    running.inventory.pending_access().withdraw(*asked.job);
    CHECK(asked.answer().end == End::kEnded);
  }
  running.wait_for_reads(3);
}

TEST_CASE(
    "access requests beside an inventory: the loss of the module ends them, and the plan goes on") {
  EmulatedModule emulated("m7e", access_field());
  radio::mercury::MercuryRadio radio(
      {.path = emulated.path(), .baud = 115'200, .times = singulate::test::kPatient});
  Running running(radio, access_plan());
  running.wait_for_reads(5);
  REQUIRE(emulated.module().inject("unplug"));
  Asked asked(with_time(request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)}), 60'000));
  REQUIRE(running.inventory.pending_access().submit(asked.job));
  const auto outcome = asked.answer();
  CHECK(outcome.end == End::kFailed);
  CHECK(outcome.error.message.find("not connected") != std::string::npos);
  REQUIRE(emulated.module().inject("replug"));
  running.wait_for_reads(5);
  running.inventory.stop();
}
