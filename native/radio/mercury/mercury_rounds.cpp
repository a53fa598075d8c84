// Rounds of the driver: which stream they need, and when they are over.
#include <algorithm>
#include <utility>

#include "gen2/units.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/mercury_radio.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Reports are let come together for so long at least, and at most: a reader of 1,300 tags a second
// is not woken for each, and a watch is asked often enough.
constexpr milliseconds kLeastGather{4};
constexpr milliseconds kMostGather{10};
// A module that had no room for its reads, and tells nothing for so long, has ended its stream.
constexpr milliseconds kAfterOverflow{100};

std::uint64_t ns_of(nanoseconds time) { return static_cast<std::uint64_t>(time.count()); }

}  // namespace

std::optional<RoundEnd> MercuryRadio::end_of(const RoundRequest& request) const {
  if (interrupted_.load(std::memory_order_relaxed)) return RoundEnd::kInterrupted;
  if (now_ns() >= request.deadline_ns) return RoundEnd::kDeadline;
  if (request.watch != nullptr && !request.watch->goes_on()) return RoundEnd::kWatch;
  return std::nullopt;
}

milliseconds MercuryRadio::cycle_of(std::span<const TimedVisit> visits) const {
  milliseconds whole{0};
  for (const TimedVisit& visit : visits) whole += milliseconds(visit.time_ms);
  return whole.count() == 0 ? options_.times.on_cycle : whole;
}

SearchForm MercuryRadio::search_form(const RoundRequest& request,
                                     std::span<const TimedVisit> visits) const {
  const bool extras = takes_extras_ && !finder_.family().asynchronous;
  return {
      .multi_select = finder_.family().multi_select,
      .round_summaries = extras && (!request.several || stream_state_.summaries.wants(now_ns())),
      .temperature = extras,
      .asynchronous = finder_.family().asynchronous,
      .on_cycle = cycle_of(visits),
      .pins = pins_.has_inputs()};
}

Result<RoundResult> MercuryRadio::run_round(const RoundRequest& request, TagSink& sink) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (auto known = check_round(request, capabilities_.features); !known.ok()) return known.error();
  RoundReports reports(request, sink, stream_state_, finder_.family().antenna_form);
  on_report_ = [&](const Frame& frame) { reports.take(frame); };
  auto result = run_visits(request, reports);
  on_report_ = {};
  publish(reports);
  return result;
}

Result<RoundResult> MercuryRadio::run_visits(const RoundRequest& request, RoundReports& reports) {
  // A module that is lost is asked for its ports when it is back.
  const bool look = connection_.port().is_open() && ports_.look_is_due(now_ns());
  if (look) (void)ask_ports();
  Result<RoundResult> result(RoundResult{.rounds = 0, .end = RoundEnd::kNoAntenna});
  // Again with what is left, if an antenna is found missing.
  for (auto visits = visits_of(request); !visits.empty(); visits = visits_of(request)) {
    const auto search = search_of(request, visits);
    if (!search.ok()) return search.error();
    const bool in_hope = ports_.is_missing(visits.front().antenna);
    const Targets targets = targets_for(request, visits);
    const StreamKey key{.visits = std::move(visits),
                        .session = request.session,
                        .targets = targets,
                        .tag_population = request.tag_population,
                        .search = encode_search(search.value()),
                        .delay_us = request.selects == nullptr ? 0 : request.selects->delay_us};
    result = run_stream(request, key, reports);
    if (in_hope && reports.heard()) ports_.look_soon();
    if (!result.ok() || result.value().end != RoundEnd::kNoAntenna) break;
  }
  return result;
}

std::vector<TimedVisit> MercuryRadio::visits_of(const RoundRequest& request) const {
  const TimedVisit single{.antenna = request.antenna};
  const std::span<const TimedVisit> asked =
      request.cycle.empty() ? std::span(&single, 1) : request.cycle;
  std::vector<TimedVisit> visits;
  for (const TimedVisit& visit : asked) {
    if (!ports_.is_missing(visit.antenna)) visits.push_back(visit);
  }
  if (!visits.empty()) return visits;
  const std::vector<std::uint8_t> used = settings_.used_ports();
  const bool others = std::any_of(used.begin(), used.end(),
                                  [&](std::uint8_t port) { return !ports_.is_missing(port); });
  if (!others) visits.assign(asked.begin(), asked.end());
  return visits;
}

Targets MercuryRadio::targets_for(const RoundRequest& request,
                                  const std::vector<TimedVisit>& visits) {
  const Targets plain = request.target == gen2::Target::kA ? Targets::kA : Targets::kB;
  const bool fresh = request.cycle.empty() && request.fresh_carrier && !request.both_targets &&
                     request.session == gen2::Session::kS0;
  const bool again = std::exchange(last_was_fresh_, fresh);
  if (request.both_targets) return Targets::kBoth;
  // With another antenna all tags answer anyway.
  if (!fresh || !stream_ || stream_->visits != visits) return plain;
  // Round after round all tags shall answer: by turns of A and B they do, with the carrier on.
  if (again && plain == Targets::kA) return Targets::kBoth;
  stop_stream();
  return plain;
}

bool MercuryRadio::collect(std::uint64_t latency_ns) {
  gather_ns_.store(std::clamp(latency_ns, ns_of(kLeastGather), ns_of(kMostGather)),
                   std::memory_order_relaxed);
  return true;
}

nanoseconds MercuryRadio::gather_of(std::uint64_t now_ns) const {
  const std::uint64_t gather = gather_ns_.load(std::memory_order_relaxed);
  // The first report after a pause waits for no others.
  const bool pause = now_ns - std::min(now_ns, stream_state_.last_report_ns) > 2 * gather;
  return nanoseconds(pause ? 0 : gather);
}

std::string MercuryRadio::fault_of(const RoundReports& reports, std::uint64_t silence_ns) const {
  if (reports.broken()) {
    return reports.complaint() == 0 ? options_.path + ": the module has started again"
                                    : std::string(status_text(reports.complaint()));
  }
  const std::uint64_t now = now_ns();
  const std::uint64_t last = stream_state_.last_report_ns;
  if (now > last && now - last > silence_ns) return options_.path + ": the module is silent";
  return {};
}

Result<RoundResult> MercuryRadio::run_stream(const RoundRequest& request, const StreamKey& key,
                                             RoundReports& reports) {
  if (stream_ && !(*stream_ == key)) {
    reports.of_other_round(stream_->search != key.search);
    stop_stream();
    reports.of_other_round(false);
  }
  if (!stream_) reports.end_stream();
  const auto end_with = [&](RoundEnd end) {
    if (stream_) stop_stream();
    reports.result().end = end;
    return reports.result();
  };
  const std::uint64_t silence_ns = ns_of(cycle_of(key.visits) + options_.times.silence);
  while (!reports.complete()) {
    if (!reports.wanted()) return end_with(RoundEnd::kInterrupted);
    tend_while_reading(reports);
    if (const auto end = end_of(request)) return end_with(*end);
    if (!stream_) {
      const auto begun = begin_stream(key, request, reports);
      if (!begun.ok()) return begun.error();
      if (!begun.value()) continue;
      if (reports.result().first_command_ns == 0) {
        reports.result().first_command_ns = stream_state_.cycle_start_ns;
      }
    }
    const std::uint64_t now = now_ns();
    const std::uint64_t left = request.deadline_ns > now ? request.deadline_ns - now : 0;
    const nanoseconds most(std::min(left, silence_ns));
    const auto longest = std::min<nanoseconds>(kLook, most);
    const auto gather = std::min<nanoseconds>(gather_of(now), most);
    reports.begin_batch();
    const auto listened = connection_.listen(longest, on_report_, gather);
    reports.end_batch();
    // The plan goes on by itself when the module is back.
    if (listened == Connection::Listened::kGone) {
      lose(options_.path + ": the line is gone");
    } else if (const std::string fault = fault_of(reports, silence_ns); !fault.empty()) {
      lose(fault);
    } else if (reports.take_no_antenna() && find_missing()) {
      reports.end_stream();
      RoundResult none = reports.result();
      none.rounds = 0;
      none.end = RoundEnd::kNoAntenna;
      return none;
    } else if (stream_state_.overflow_ns != 0 &&
               now_ns() - stream_state_.overflow_ns > ns_of(kAfterOverflow)) {
      stop_stream();
      reports.end_stream();
    }
  }
  if (!reports.wanted()) return end_with(RoundEnd::kInterrupted);
  if (request.stops_behind) return end_with(RoundEnd::kComplete);
  reports.result().end = RoundEnd::kComplete;
  return reports.result();
}

void MercuryRadio::tend_while_reading(RoundReports& reports) {
  const std::uint64_t now = now_ns();
  // Records of asynchronous reading do not tell them.
  if (const auto levels = reports.take_pins(); levels && !finder_.family().asynchronous) {
    pins_.seen(*levels);
    looked_at_inputs_ns_ = now;
  }
  const auto age = nanoseconds(now - std::min(now, looked_at_inputs_ns_));
  const bool look = pins_.has_inputs() && age >= kInputLook;
  if ((!look && !pins_.due()) || !connection_.port().is_open()) return;
  if (stream_) {
    stop_stream();
    // What ended in it ends no round of the next one.
    reports.end_stream();
  }
  if (const Status tended = tend_lines(); !tended.ok()) lose(tended.error().message);
}

Result<std::vector<PortState>> MercuryRadio::ask_ports() {
  if (stream_) stop_stream();
  auto told = settings_.ports();
  if (told.ok()) {
    ports_.update(told.value(), now_ns());
    publish_ports();
  } else if (told.error().code == ErrorCode::kModule) {
    lose(told.error().message);
  }
  return told;
}

bool MercuryRadio::find_missing() {
  const std::uint64_t now = now_ns();
  if (!ports_.may_ask(now)) return false;
  const auto told = ask_ports();
  const std::vector<PortState> ports = told.ok() ? told.value() : std::vector<PortState>{};
  const bool more = ports_.complained(
      ports, told.ok() ? settings_.used_ports() : std::vector<std::uint8_t>{}, now);
  publish_ports();
  return more;
}

void MercuryRadio::publish_ports() {
  const std::lock_guard lock(fault_mutex_);
  missing_ = ports_.text();
}

void MercuryRadio::publish(const RoundReports& reports) {
  overflows_.fetch_add(reports.overflows(), std::memory_order_relaxed);
  const std::lock_guard lock(fault_mutex_);
  complaints_.take(reports.complaint(), now_ns());
  if (reports.temperature_celsius()) temperature_ = reports.temperature_celsius();
}

}  // namespace singulate::radio::mercury
