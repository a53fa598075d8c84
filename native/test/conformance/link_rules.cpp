#include <array>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "rules.h"

namespace singulate::test {

namespace {

using radio::ErrorCode;
using radio::RoundEnd;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Beyond the longest pause between two looks of a driver.
constexpr std::uint64_t kFoundNs = 30'000 * kMs;

// Rounds of such a length, until it is so or the time is over.
template <typename So>
bool read_until(Ready& ready, radio::TagSink& sink, So so) {
  const std::uint64_t until = ready->now_ns() + kFoundNs;
  while (!so() && ready->now_ns() < until) {
    (void)ready.round(ready.short_request(), sink);
  }
  return so();
}

bool connected(Ready& ready) { return ready->link().has_value() && ready->link()->connected; }

void check_link(Ready& ready) {
  const auto link = ready->link();
  // One that cannot be lost says nothing of it.
  if (!ready.subject().has_cable()) {
    MUST(!link || link->connected);
    return;
  }
  NEED(link.has_value());
  MUST(link->connected);
  MUST(link->fault.empty());
  MUST(link->reconnects == 0);
}

void check_nobody(Ready& ready) {
  ready->close();
  ready.subject().pull();
  const auto opened = ready->open();
  NEED(!opened.ok());
  MUST(opened.error().code == ErrorCode::kModule);
  MUST(is_for_people(opened.error()));
  NEED(ready->link().has_value());
  MUST(!ready->link()->connected);
  MUST(!ready->link()->fault.empty());
  ready.subject().put_back();
  bool there = false;
  const std::uint64_t latest = ready->now_ns() + kFoundNs;
  while (!there && ready->now_ns() < latest) there = ready->open().ok();
  MUST(there);
}

void check_lost(Ready& ready) {
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  ready.subject().pull();
  // No error: the inventory goes on when it is back.
  NEED(read_until(ready, keeper, [&] { return !connected(ready); }));
  MUST(!ready->link()->fault.empty());
  // Lost, a round ends by its deadline all the same.
  auto request = ready.request();
  request.deadline_ns = ready->now_ns() + 100 * kMs;
  MUST(ready.round(request, keeper).end == RoundEnd::kDeadline);
  MUST(ready->now_ns() <= request.deadline_ns + kSlackNs);
  ready.subject().put_back();
  Keeper back;
  NEED(read_until(ready, back, [&] { return connected(ready) && back.reads.size() >= kTags; }));
  MUST(ready->link()->reconnects >= 1);
  MUST(ready->link()->fault.empty());
}

void check_lost_interrupt(Ready& ready) {
  ready.subject().pull();
  Keeper keeper;
  NEED(read_until(ready, keeper, [&] { return !connected(ready); }));
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(50));
    ready->interrupt();
  });
  auto request = ready.request();
  request.deadline_ns = ready->now_ns() + kFoundNs;
  const auto from = steady_clock::now();
  const auto result = ready->run_round(request, keeper);
  const auto ended = steady_clock::now();
  other.join();
  NEED(result.ok());
  MUST(result.value().end == RoundEnd::kInterrupted);
  MUST(ended - from < std::chrono::nanoseconds(kSlackNs));
}

// All calls from any thread but interrupt(), which has rules of its own.
void call_all(radio::RadioModule& module) {
  (void)module.link();
  (void)module.input_high(1);
  (void)module.set_output(1, false);
  (void)module.collect(kMs);
  (void)module.region_name(1);
}

// At the first read of a round another thread makes all calls that may come from one.
class Meanwhile final : public radio::TagSink {
 public:
  explicit Meanwhile(radio::RadioModule& module) : module_(module) {}
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  Meanwhile(Meanwhile&&) = delete;
  Meanwhile& operator=(Meanwhile&&) = delete;
  ~Meanwhile() override { finish(); }
  void finish() {
    if (other_.joinable()) other_.join();
  }
  bool on_read(const radio::TagRead& /*read*/) override {
    if (other_.joinable()) return true;
    std::promise<void> done;
    const auto are_done = done.get_future();
    other_ = std::thread([this, done = std::move(done)]() mutable {
      call_all(module_);
      done.set_value();
    });
    in_time = are_done.wait_for(std::chrono::nanoseconds(kSlackNs)) == std::future_status::ready;
    return true;
  }
  bool in_time = false;

 private:
  radio::RadioModule& module_;
  std::thread other_;
};

void check_any_thread(Ready& ready) {
  Meanwhile sink(ready.module());
  auto request = ready.request();
  request.deadline_ns = ready->now_ns() + kLongNs;
  (void)ready.round(request, sink);
  // A module that was late answers the rest now, not beside what comes next.
  sink.finish();
  MUST(sink.in_time);
  // They come to a module that is closed as well, which is none the worse for it.
  ready->close();
  call_all(ready.module());
  NEED(ready->open().ok());
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
}

void check_no_pins(Ready& ready) {
  constexpr std::uint8_t kBeyond = 16;
  MUST(!ready->set_output(kBeyond, true));
  MUST(!ready->input_high(kBeyond).has_value());
  MUST(ready->tend_lines().ok());
}

void check_pins(Ready& ready) {
  const auto seen = [&](bool idle, const auto& so) {
    const auto latest = steady_clock::now() + std::chrono::nanoseconds(kLongNs / 2);
    Keeper keeper;
    while (!so() && steady_clock::now() < latest) {
      if (idle) {
        MUST(ready->tend_lines().ok());
        continue;
      }
      auto request = ready.request();
      request.deadline_ns = ready->now_ns() + 100 * kMs;
      (void)ready.round(request, keeper);
    }
    return so();
  };
  for (const bool idle : {true, false}) {
    for (const bool high : {true, false}) {
      ready.subject().set_world_input(high);
      NEED(seen(idle, [&] { return ready->input_high(1) == std::optional(high); }));
      NEED(ready->set_output(1, high));
      NEED(seen(idle, [&] { return ready.subject().world_output() == high; }));
    }
  }
}

constexpr std::array kLinkRules{
    Rule{"it says whether it is connected", check_link, always},
    Rule{"no module is one clear error", check_nobody, with_cable},
    Rule{"a module that is lost is found again, and reads on", check_lost, with_cable},
    Rule{"an interrupt ends the search for a lost module", check_lost_interrupt, with_cable},
    Rule{"calls from any thread do not wait for a round", check_any_thread, always},
    Rule{"there are no pins where there are none", check_no_pins, always},
    Rule{"pins follow the world, and the world them", check_pins, with_pins},
};

}  // namespace

std::span<const Rule> link_rules() { return kLinkRules; }

}  // namespace singulate::test
