#include "inventory/inventory.h"

#include <utility>

#include "inventory/radio_settings.h"
#include "inventory/reading.h"
#include "inventory/start_wait.h"

namespace singulate::inventory {

Inventory::Inventory(radio::RadioModule& module, stream::ReadQueue& queue, const Inputs& inputs,
                     InventoryPlan plan, std::function<void()> wake)
    : module_(module),
      queue_(queue),
      inputs_(inputs),
      plan_(std::move(plan)),
      wake_(std::move(wake)),
      recorder_(queue_, counters_, wake_),
      links_(counters_) {}

radio::Status Inventory::begin() {
  links_.begin_plan(plan_, module_.capabilities());
  if (auto status = module_.configure(settings_for(plan_, links_.profile())); !status.ok()) {
    end(status.error().message);
    pending_access_.close();
    return status;
  }
  running_.store(true);
  return {};
}

std::uint8_t Inventory::change(InventoryPlan plan) {
  const std::lock_guard lock(change_mutex_);
  // A plan that was never taken up makes way.
  waiting_ = std::make_unique<Waiting>(Waiting{.plan = std::move(plan), .number = ++last_number_});
  plan_waits_.store(true);
  return waiting_->number;
}

void Inventory::request_stop() {
  // In this order: a round that starts in between still sees the request.
  stop_requested_.store(true);
  module_.interrupt();
  queue_.close();
}

std::string Inventory::end_reason() const {
  const std::lock_guard lock(end_mutex_);
  return end_reason_;
}

void Inventory::end(std::string reason) {
  const std::lock_guard lock(end_mutex_);
  end_reason_ = std::move(reason);
}

void Inventory::run() {
  end(loop());
  // The carrier off: a module that reads on by itself would go on.
  (void)module_.idle_until(module_.now_ns());
  // After that: who is told that it has ended may use the module.
  pending_access_.close();
  running_.store(false);
}

void Inventory::announce_end() {
  // Whether or not it is armed: the end is news.
  queue_.disarm();
  wake_();
}

std::string Inventory::loop() {
  LoopContext context{.module = module_,
                      .inputs = inputs_,
                      .recorder = recorder_,
                      .counters = counters_,
                      .stop_requested = stop_requested_,
                      .plan_waits = plan_waits_,
                      .started_ns = module_.now_ns(),
                      .links = &links_,
                      .pending_access = &pending_access_};
  pending_access_.begin_plan(plan_);
  for (;;) {
    if (std::string reason = periods(context); !reason.empty()) return reason;
    if (auto status = take_up(context); !status.ok()) return status.error().message;
  }
}

std::string Inventory::periods(LoopContext& context) {
  StartWait start(context, plan_.start);
  // A change of the plan alone does not begin again.
  bool afresh = counters_.plan_changes.get() == 0 || plan_.start.waits();
  for (;;) {
    switch (start.wait()) {
      case StartWait::Outcome::kStopped:
        return "stopped";
      case StartWait::Outcome::kPlanWaits:
        return "";
      case StartWait::Outcome::kGo:
        break;
    }
    const Reading::End end = Reading(context, plan_).run(afresh);
    afresh = true;
    if (end.reason.empty() || end.for_good || !plan_.start.restarts()) return end.reason;
  }
}

radio::Status Inventory::take_up(LoopContext& context) {
  std::unique_ptr<Waiting> next;
  {
    const std::lock_guard lock(change_mutex_);
    next = std::move(waiting_);
    plan_waits_.store(false);
  }
  plan_ = std::move(next->plan);
  recorder_.begin_plan(next->number);
  pending_access_.begin_plan(plan_);
  counters_.plan_changes.add(1);
  context.measure_gap = context.last_round_end_ns > 0;
  links_.begin_plan(plan_, module_.capabilities());
  return module_.change(settings_for(plan_, links_.profile()));
}

}  // namespace singulate::inventory
