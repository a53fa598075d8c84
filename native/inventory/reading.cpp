#include "inventory/reading.h"

#include <algorithm>
#include <utility>

namespace singulate::inventory {

namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
// How long a round goes on when an access request waits: the access request looks for the first
// time, or again.
constexpr std::uint64_t kFirstPatienceNs = 50 * kNsPerMs;
constexpr std::uint64_t kPatienceNs = 500 * kNsPerMs;

}  // namespace

class Reading::Cut final : public radio::RoundWatch {
 public:
  explicit Cut(Reading& reading) : reading_(reading) {}
  bool goes_on() override { return reading_.goes_on() && !reading_.makes_way(); }

 private:
  Reading& reading_;
};

class Reading::AccessSearch final : public radio::RoundWatch {
 public:
  explicit AccessSearch(Reading& reading) : reading_(reading) {}
  bool goes_on() override { return !reading_.stop_has_come(); }

 private:
  Reading& reading_;
};

Reading::Reading(LoopContext& context, const InventoryPlan& plan)
    : context_(context),
      plan_(plan),
      round_(context.module, context.recorder),
      own_cycle_(plan, context.module.capabilities()),
      stop_(plan.stop.inputs) {
  for (const InventoryPlan::Antenna& antenna : plan.antennas) {
    AntennaState state;
    state.selects.selects = antenna.selects;
    state.selects.delay_us = static_cast<std::uint32_t>(plan.delay_after_selects_us);
    if (antenna.dwell.input) {
      state.leave = InputWatch({*antenna.dwell.input});
      state.held = state.leave;
    }
    states_.push_back(std::move(state));
  }
}

bool Reading::tags_counted() const {
  return plan_.stop.no_new_tags_ms > 0 || plan_.cycle_delay == CycleDelay::kNoUniqueTags;
}

Reading::End Reading::run(bool afresh) {
  const std::uint64_t now = context_.module.now_ns();
  if (plan_.stop.duration_ms > 0) stop_at_ns_ = later(now, plan_.stop.duration_ms);
  if (afresh) context_.counters.periods.add(1);
  context_.recorder.begin_reading(now, afresh, static_cast<std::uint64_t>(plan_.stop.tag_count),
                                  tags_counted());
  std::uint64_t cycles = 0;
  while (!over()) {
    const std::uint64_t reads = context_.counters.reads.get();
    const std::uint64_t tags = context_.recorder.new_tags();
    if (!cycle()) break;
    context_.counters.cycles.add(1);
    if (++cycles == static_cast<std::uint64_t>(plan_.stop.cycles)) {
      end("cycles");
      break;
    }
    if (!delay(reads, tags)) break;
  }
  context_.recorder.end_batch();
  return end_;
}

bool Reading::cycle() {
  if (context_.module.capabilities().sequences_antennas) {
    return round({.deadline_ns = stop_at_ns_, .watch = this});
  }
  if (!own_cycle_.empty()) return cycle_of_module();
  for (std::size_t i = 0; i < plan_.antennas.size(); ++i) {
    if (!visit(i)) return false;
  }
  return true;
}

bool Reading::cycle_of_module() {
  const InventoryPlan::Antenna& first = plan_.antennas.front();
  radio::RoundRequest request = request_for(first, states_.front());
  request.cycle = own_cycle_.visits();
  request.several = true;
  request.deadline_ns = stop_at_ns_;
  // Each visit of the loop finds all tags at A again; so do rounds that ask for B in between.
  const bool all_at_a = request.session == gen2::Session::kS0 &&
                        request.target == gen2::Target::kA && own_cycle_.visits_are_rounds();
  request.both_targets |= all_at_a;
  context_.recorder.begin_visit(first);
  std::vector<std::uint64_t> reads;
  for (const radio::TimedVisit& one : own_cycle_.visits()) {
    reads.push_back(context_.counters.reads_by_antenna[one.antenna].get());
  }
  do {
    if (serve_access() > 0 && over()) return false;
    cut_ = false;
    if (!round(request)) return false;
  } while (cut_);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint8_t port = own_cycle_.visits()[i].antenna;
    const std::uint64_t now = context_.counters.reads_by_antenna[port].get();
    if (choose_link(i, now - reads[i]) > 0 && over()) return false;
  }
  return true;
}

radio::RoundRequest Reading::request_for(const InventoryPlan::Antenna& antenna,
                                         AntennaState& state) {
  const bool ab = antenna.query.target == InventoryPlan::Query::kBothTargets;
  radio::RoundRequest request{
      .antenna = static_cast<std::uint8_t>(antenna.port),
      .beam = static_cast<std::uint16_t>(antenna.beam),
      .session = static_cast<gen2::Session>(antenna.query.session),
      .target = static_cast<gen2::Target>(ab ? 0 : antenna.query.target),
      .select_filter = static_cast<gen2::SelectFilter>(antenna.query.select_filter),
      .selects = &state.selects,
      .access = antenna.access,
      .tag_population = static_cast<std::uint16_t>(antenna.query.tag_population),
      .watch = this,
      .both_targets = ab,
  };
  if (plan_.min_rssi_cdbm) {
    request.min_rssi_cdbm = static_cast<std::int16_t>(*plan_.min_rssi_cdbm);
  }
  // A visit begins with the carrier switched on, so that tags come back in S0. Only a single
  // antenna that asks for A and B in turns keeps it on: it needs no tag to come back.
  request.fresh_carrier = !(ab && plan_.antennas.size() == 1 && rounds_ > 0);
  return request;
}

bool Reading::visit(std::size_t index) {
  const InventoryPlan::Antenna& antenna = plan_.antennas[index];
  AntennaState& state = states_[index];
  radio::RoundRequest request = request_for(antenna, state);
  const std::uint64_t now = context_.module.now_ns();
  const InventoryPlan::Dwell& dwell = antenna.dwell;
  std::uint64_t until = radio::kNoDeadline;
  std::int64_t rounds = dwell.rounds;
  if (dwell.duration_ms > 0) until = later(now, dwell.duration_ms);
  if (dwell.duration_ms == 0 && dwell.rounds == 0 && !dwell.input) {
    rounds = 1;
    until = now + kNsPerSecond / plan_.antennas.size();
  }
  context_.recorder.begin_visit(antenna);
  if (dwell.input) {
    visited_ = &state;
    held_until_ns_ = now + kNsPerSecond / plan_.antennas.size();
    // The visit before may have been ended by the same pulse: it moves on by one antenna.
    state.leave.need_edge();
    state.held = InputWatch({*dwell.input});
    (void)leaves();
  }
  // Cycles of a single antenna that are single rounds are counted only to end after some of them.
  const bool all_rounds = plan_.antennas.size() == 1 && rounds == 1 && plan_.stop.cycles == 0;
  request.several = rounds == 0 || all_rounds;
  bool goes_on = true;
  bool first = true;
  for (std::int64_t done = 0;
       goes_on && !left_ && !no_antenna_ && (rounds == 0 || done < rounds);) {
    // What an access request takes is none of the time on the antenna.
    const std::uint64_t spent_ns = serve_access();
    if (until != radio::kNoDeadline) until += spent_ns;
    held_until_ns_ += spent_ns;
    if (spent_ns > 0 && over()) break;
    request.deadline_ns = std::min(until, stop_at_ns_);
    if (!first && context_.module.now_ns() >= request.deadline_ns) break;
    request.fresh_carrier |= std::exchange(carrier_moved_, false);
    // Without power all tags are A in S0: a round for B would find nobody.
    if (request.fresh_carrier && request.session == gen2::Session::kS0) {
      state.next_target = gen2::Target::kA;
    }
    if (request.both_targets) {
      request.target = state.next_target;
      state.next_target = other(state.next_target);
    }
    cut_ = false;
    const std::uint64_t reads = context_.counters.reads.get();
    goes_on = round(request);
    request.fresh_carrier = false;
    first = false;
    if (!cut_) {
      ++done;
    } else if (request.both_targets) {
      state.next_target = request.target;
    }
    if (goes_on && !left_) {
      const std::uint64_t tried_ns = choose_link(index, context_.counters.reads.get() - reads);
      if (until != radio::kNoDeadline) until += tried_ns;
      held_until_ns_ += tried_ns;
      if (tried_ns > 0 && over()) break;
    }
  }
  visited_ = nullptr;
  left_ = false;
  no_antenna_ = false;
  return goes_on && !ended_;
}

bool Reading::round(const radio::RoundRequest& request) {
  Counters& counters = context_.counters;
  Cut cut(*this);
  const auto result = round_.run(request, &cut);
  const std::uint64_t now = context_.module.now_ns();
  counters.air_time_ns.set(now - context_.started_ns);
  if (!result.ok()) {
    end(result.error().message, true);
    return false;
  }
  const radio::RoundResult& done = result.value();
  cut_ = cut_ && done.end == radio::RoundEnd::kWatch;
  no_antenna_ = done.end == radio::RoundEnd::kNoAntenna;
  ++rounds_;
  counters.rounds.add(done.rounds);
  counters.empty_slots.add(done.empty_slots);
  counters.single_slots.add(done.single_slots);
  counters.collided_slots.add(done.collided_slots);
  counters.too_weak.add(done.too_weak);
  counters.held_back.add(done.held_back);
  if (!request.cycle.empty() && done.end == radio::RoundEnd::kComplete) own_cycle_.adapt(done);
  if (context_.measure_gap && done.first_command_ns > 0) {
    counters.change_gap_ns.set(done.first_command_ns - context_.last_round_end_ns);
    context_.measure_gap = false;
  }
  context_.last_round_end_ns = now;
  if (done.end == radio::RoundEnd::kEndOfRecording) {
    counters.cycles.add(1);
    end("end of recording", true);
    return false;
  }
  return !over();
}

bool Reading::delay(std::uint64_t reads_before, std::uint64_t tags_before) {
  if (plan_.cycle_delay == CycleDelay::kNone || plan_.cycle_delay_ms == 0) return true;
  const bool idle = plan_.cycle_delay == CycleDelay::kNoTags
                        ? context_.counters.reads.get() == reads_before
                        : context_.recorder.new_tags() == tags_before;
  if (!idle) return true;
  context_.recorder.end_batch();
  radio::RadioModule& module = context_.module;
  const std::uint64_t until = std::min(later(module.now_ns(), plan_.cycle_delay_ms), stop_at_ns_);
  while (module.now_ns() < until) {
    (void)serve_access();
    (void)module.idle_until(std::min(until, module.now_ns() + kLookNs));
    context_.counters.air_time_ns.set(module.now_ns() - context_.started_ns);
    if (!goes_on() || over()) break;
  }
  return !over();
}

std::uint64_t Reading::serve_access() {
  PendingAccess* const pending = context_.pending_access;
  const std::uint64_t from = context_.module.now_ns();
  if (pending == nullptr || !pending->due(from)) return 0;
  context_.recorder.end_batch();
  AccessSearch search(*this);
  if (!pending->serve(context_.module, search, context_.stop_requested)) return 0;
  const std::uint64_t now = context_.module.now_ns();
  access_since_ns_ = 0;
  carrier_moved_ = true;
  context_.recorder.pass_over(now - from);
  context_.counters.air_time_ns.set(now - context_.started_ns);
  if (context_.last_round_end_ns > 0) context_.last_round_end_ns = now;
  return now - from;
}

std::uint64_t Reading::choose_link(std::size_t antenna, std::uint64_t reads) {
  LinkChooser* const links = context_.links;
  radio::RadioModule& module = context_.module;
  const std::uint64_t from = module.now_ns();
  const std::uint64_t left = stop_at_ns_ > from ? stop_at_ns_ - from : 0;
  if (links == nullptr || !links->due(antenna, reads, from, left)) return 0;
  context_.recorder.end_batch();
  AccessSearch watch(*this);
  if (auto status = links->check(module, plan_, antenna, watch); !status.ok()) {
    end(status.error().message, true);
  }
  const std::uint64_t now = module.now_ns();
  carrier_moved_ = true;
  context_.recorder.pass_over(now - from);
  context_.counters.air_time_ns.set(now - context_.started_ns);
  context_.last_round_end_ns = now;
  return now - from;
}

bool Reading::makes_way() {
  const PendingAccess* const pending = context_.pending_access;
  if (pending == nullptr || !pending->waits()) return false;
  const std::uint64_t now = context_.module.now_ns();
  if (!pending->due(now)) return false;
  if (access_since_ns_ == 0) access_since_ns_ = now;
  cut_ = now - access_since_ns_ >= (pending->is_new() ? kFirstPatienceNs : kPatienceNs);
  return cut_;
}

bool Reading::stop_has_come() {
  if (context_.stop_requested.load() || context_.module.now_ns() >= stop_at_ns_) return true;
  if (!stop_.empty() && stop_.met(context_.inputs, context_.module)) end("input");
  return ended_;
}

bool Reading::leaves() {
  const bool came = visited_->leave.met(context_.inputs, context_.module);
  const bool held = visited_->held.met(context_.inputs, context_.module);
  return came || (held && context_.module.now_ns() >= held_until_ns_);
}

bool Reading::goes_on() {
  context_.counters.beats.add(1);
  if (visited_ != nullptr && leaves()) left_ = true;
  // Another plan does not wait for a round that is a recording or a cycle.
  const bool is_long = !own_cycle_.empty() || context_.module.capabilities().sequences_antennas;
  if (left_ || (is_long && context_.plan_waits.load())) return false;
  if (!stop_.empty() && stop_.met(context_.inputs, context_.module)) end("input");
  if (plan_.stop.no_new_tags_ms > 0 &&
      context_.module.now_ns() >= later(context_.recorder.newest_ns(), plan_.stop.no_new_tags_ms)) {
    end("no new tags");
  }
  return !ended_;
}

bool Reading::over() {
  if (ended_) return true;
  const auto tag_count = static_cast<std::uint64_t>(plan_.stop.tag_count);
  if (context_.stop_requested.load()) {
    end("stopped", true);
  } else if (context_.module.now_ns() >= stop_at_ns_) {
    end("duration");
  } else if (tag_count > 0 && context_.recorder.new_tags() >= tag_count) {
    end("tag count");
  } else if (context_.plan_waits.load()) {
    end("");
  } else {
    (void)goes_on();
  }
  return ended_;
}

}  // namespace singulate::inventory
