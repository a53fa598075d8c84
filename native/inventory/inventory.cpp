#include "inventory/inventory.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace singulate::inventory {

namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// `time` + `ms`, without running over.
std::uint64_t later(std::uint64_t time_ns, std::int64_t ms) {
  const auto wide = static_cast<std::uint64_t>(ms);
  if (wide >= (radio::kNoDeadline - time_ns) / kNsPerMs) return radio::kNoDeadline;
  return time_ns + wide * kNsPerMs;
}

radio::RadioSettings settings_for(const InventoryPlan& plan, const radio::Capabilities& radio) {
  radio::RadioSettings settings;
  settings.link_profile =
      plan.link_profile.empty() ? radio.link_profiles.front() : plan.link_profile;
  for (const InventoryPlan::Antenna& antenna : plan.antennas) {
    settings.antennas.push_back(
        {.port = static_cast<std::uint8_t>(antenna.port),
         .transmit_power_cdbm = static_cast<std::int32_t>(antenna.transmit_power_cdbm)});
  }
  return settings;
}

constexpr std::int64_t kTargetAb = 2;

}  // namespace

Inventory::Inventory(radio::RadioModule& module, stream::ReadQueue& queue, InventoryPlan plan,
                     std::function<void()> wake)
    : module_(module),
      queue_(queue),
      plan_(std::move(plan)),
      wake_(std::move(wake)),
      recorder_(queue_, counters_, wake_),
      states_(plan_.antennas.size()) {}

radio::Status Inventory::start() {
  if (auto status = module_.configure(settings_for(plan_, module_.capabilities())); !status.ok()) {
    end(status.error().message);
    return status;
  }
  started_ns_ = module_.now_ns();
  if (plan_.stop.duration_ms > 0) stop_at_ns_ = later(started_ns_, plan_.stop.duration_ms);
  running_.store(true);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    running_.store(false);
    end(std::string("no thread for the inventory: ") + error.what());
    return radio::Error{radio::ErrorCode::kModule, end_reason()};
  }
  return {};
}

void Inventory::stop() {
  if (!thread_.joinable()) return;
  // In this order: a round that starts in between still sees the request.
  stop_requested_.store(true);
  module_.interrupt();
  queue_.close();
  thread_.join();
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
  running_.store(false);
  // Whether or not it is armed: the end is news.
  queue_.disarm();
  wake_();
}

std::string Inventory::loop() {
  const bool sequences = module_.capabilities().sequences_antennas;
  for (std::uint64_t cycles = 0;;) {
    if (over()) return reason_;
    if (sequences) {
      if (!round({.deadline_ns = stop_at_ns_})) return reason_;
    } else {
      for (std::size_t i = 0; i < plan_.antennas.size(); ++i) {
        if (!visit(i)) return reason_;
      }
    }
    counters_.cycles.add(1);
    ++cycles;
    if (plan_.stop.cycles > 0 && cycles >= static_cast<std::uint64_t>(plan_.stop.cycles)) {
      return "cycles";
    }
  }
}

bool Inventory::visit(std::size_t index) {
  const InventoryPlan::Antenna& antenna = plan_.antennas[index];
  const bool ab = antenna.query.target == kTargetAb;
  gen2::Target& next_target = states_[index].next_target;
  radio::RoundRequest request{
      .antenna = static_cast<std::uint8_t>(antenna.port),
      .session = static_cast<gen2::Session>(antenna.query.session),
      .target = static_cast<gen2::Target>(ab ? 0 : antenna.query.target),
      .tag_population = static_cast<std::uint16_t>(antenna.query.tag_population),
  };
  // A visit begins with the carrier switched on, so that tags come back in S0. Only a single
  // antenna that asks for A and B in turns keeps it on: it needs no tag to come back.
  request.fresh_carrier = !(ab && plan_.antennas.size() == 1 && counters_.rounds.get() > 0);
  // Without power all tags are A in S0: a round for B would find nobody.
  if (request.fresh_carrier && request.session == gen2::Session::kS0) {
    next_target = gen2::Target::kA;
  }

  const std::uint64_t now = module_.now_ns();
  const InventoryPlan::Dwell& dwell = antenna.dwell;
  std::uint64_t until = stop_at_ns_;
  std::int64_t rounds = dwell.rounds;
  if (dwell.duration_ms > 0) until = std::min(until, later(now, dwell.duration_ms));
  if (dwell.duration_ms == 0 && dwell.rounds == 0) {
    rounds = 1;
    until = std::min(until, now + kNsPerSecond / plan_.antennas.size());
  }
  request.deadline_ns = until;
  for (std::int64_t done = 0; rounds == 0 || done < rounds; ++done) {
    if (done > 0 && module_.now_ns() >= until) break;
    if (ab) {
      request.target = next_target;
      next_target = other(next_target);
    }
    if (!round(request) || over()) return false;
    request.fresh_carrier = false;
  }
  return true;
}

bool Inventory::round(const radio::RoundRequest& request) {
  const auto result = module_.run_round(request, recorder_);
  counters_.air_time_ns.set(module_.now_ns() - started_ns_);
  if (!result.ok()) {
    reason_ = result.error().message;
    return false;
  }
  const radio::RoundResult& done = result.value();
  counters_.rounds.add(1);
  counters_.empty_slots.add(done.empty_slots);
  counters_.single_slots.add(done.single_slots);
  counters_.collided_slots.add(done.collided_slots);
  if (done.end == radio::RoundEnd::kEndOfRecording) {
    counters_.cycles.add(1);
    reason_ = "end of recording";
    return false;
  }
  return !over();
}

bool Inventory::over() {
  if (stop_requested_.load()) {
    reason_ = "stopped";
  } else if (module_.now_ns() >= stop_at_ns_) {
    reason_ = "duration";
  }
  return !reason_.empty();
}

}  // namespace singulate::inventory
