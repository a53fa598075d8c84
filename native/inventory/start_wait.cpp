#include "inventory/start_wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace singulate::inventory {

namespace {

// A wait for a time looks up seldom: only for a stop or another plan.
constexpr std::uint64_t kSeldomNs = 50 * kNsPerMs;

}  // namespace

StartWait::Outcome StartWait::wait() {
  const std::uint64_t now = context_.module.now_ns();
  if (first_) {
    next_ns_ = start_.at_ns;
  } else {
    inputs_.need_edge();
  }
  // Times that have gone by are left out; a single one that has is taken at once.
  if (start_.every_ms > 0 && (now > next_ns_ || !first_)) {
    const std::uint64_t every = static_cast<std::uint64_t>(start_.every_ms) * kNsPerMs;
    if (next_ns_ == 0) next_ns_ = now;
    if (now > next_ns_ || !first_) next_ns_ += ((now - next_ns_) / every + 1) * every;
    // Without a time of its own the first start is at once.
    if (first_ && start_.at_ns == 0) next_ns_ = now;
  }
  first_ = false;
  context_.counters.waiting.set(1);
  Outcome outcome = Outcome::kGo;
  while (!has_come()) {
    context_.counters.beats.add(1);
    if (context_.stop_requested.load()) outcome = Outcome::kStopped;
    if (context_.plan_waits.load() && outcome == Outcome::kGo) outcome = Outcome::kPlanWaits;
    if (outcome != Outcome::kGo) break;
    serve_access();
    pass();
  }
  context_.counters.waiting.set(0);
  return outcome;
}

bool StartWait::goes_on() {
  return !context_.stop_requested.load() && !context_.plan_waits.load() && !has_come();
}

void StartWait::serve_access() {
  PendingAccess* const pending = context_.pending_access;
  if (pending == nullptr || !pending->due(context_.module.now_ns())) return;
  (void)pending->serve(context_.module, *this, context_.stop_requested);
}

bool StartWait::has_come() {
  if (!inputs_.empty()) return inputs_.met(context_.inputs, context_.module);
  return context_.module.now_ns() >= next_ns_;
}

void StartWait::pass() {
  radio::RadioModule& module = context_.module;
  const std::uint64_t now = module.now_ns();
  if (inputs_.empty()) {
    (void)module.idle_until(std::min(next_ns_, now + kSeldomNs));
    return;
  }
  // A clock that nothing holds back waits in real time for what it cannot know.
  if (!module.capabilities().paced && !module.next_input_change_ns()) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLookNs));
  }
  (void)module.idle_until(now + kLookNs);
}

}  // namespace singulate::inventory
