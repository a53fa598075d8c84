#include "radio/mercury/mercury_radio.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "gen2/units.h"
#include "radio/mercury/access_command.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/silion.h"
#include "radio/mercury/tag_command.h"
#include "radio/wall_clock.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

// How often a waiting round looks at its deadline and its watch.
constexpr milliseconds kLook{2};
// Reports are let come together for so long: a reader of 1,300 tags a second is not woken for each.
constexpr milliseconds kGather{4};
// How often inputs are looked at where no record tells them.
constexpr milliseconds kInputLook{50};
// How long a round that has come to its end goes on looking for a module that was lost.
constexpr milliseconds kPatience{2000};
constexpr std::uint32_t kShortestT4Us = 64;

}  // namespace

std::uint64_t MercuryRadio::now_ns() const { return wall_ns(); }

Status MercuryRadio::open() {
  interrupted_.store(false, std::memory_order_relaxed);
  stream_.reset();
  connection_.give_up_when([this] { return interrupted_.load(std::memory_order_relaxed); });
  Status opened = open_at(finder_.likely_rates());
  connection_.give_up_when({});
  if (!opened.ok()) {
    lose(opened.error().message);
    return opened;
  }
  found();
  opened_ = true;
  return {};
}

void MercuryRadio::lose(const std::string& fault) {
  connection_.port().close();
  stream_.reset();
  const std::lock_guard lock(fault_mutex_);
  fault_ = fault;
  temperature_.reset();
  pins_.forgotten();
  connected_.store(false);
}

void MercuryRadio::found() {
  const std::lock_guard lock(fault_mutex_);
  if (was_found_) reconnects_.fetch_add(1, std::memory_order_relaxed);
  was_found_ = true;
  fault_.clear();
  connected_.store(true);
}

std::optional<LinkState> MercuryRadio::link() const {
  const std::lock_guard lock(fault_mutex_);
  return LinkState{.connected = connected_.load(),
                   .fault = fault_,
                   .reconnects = reconnects_.load(),
                   .discarded_bytes = connection_.discarded_bytes(),
                   .crc_errors = connection_.crc_errors(),
                   .overflows = overflows_.load(),
                   .complaint = complaint_,
                   .temperature_celsius = temperature_};
}

Status MercuryRadio::open_at(std::span<const std::uint32_t> rates) {
  // A command that is lost on the line costs another try, not the module.
  constexpr int kTries = 3;
  Status ready;
  for (int i = 0; i < kTries; ++i) {
    if (auto there = finder_.find(rates, on_report_); !there.ok()) return there;
    ready = finder_.boot();
    if (ready.ok()) ready = finder_.raise_rate(on_report_);
    if (ready.ok()) ready = get_ready();
    if (ready.ok() || ready.error().code != ErrorCode::kModule || interrupted_.load()) break;
    // Its rate may have been raised.
    rates = ModuleFinder::all_rates();
  }
  return ready;
}

Status MercuryRadio::get_ready() {
  const auto told = settings_.read_capabilities(finder_.family());
  if (!told.ok()) return told.error();
  capabilities_ = told.value();
  capabilities_.firmware = finder_.firmware();
  if (auto prepared = prepare(); !prepared.ok()) return prepared;
  return settings_.read_region();
}

Status MercuryRadio::prepare() {
  if (auto prepared = settings_.prepare(); !prepared.ok()) return prepared;
  return pins_.set_up(connection_, options_.times.answer);
}

void MercuryRadio::close() {
  opened_ = false;
  if (!connection_.port().is_open()) return;
  if (stream_) stop_stream();
  finder_.lower_rate();
  connection_.port().close();
}

Status MercuryRadio::set_region(std::uint8_t number,
                                const std::vector<std::uint32_t>& channels_khz) {
  const auto before = std::pair(settings_.wanted_region(), settings_.wanted_channels());
  settings_.want_region(number, channels_khz);
  if (!connection_.port().is_open()) return {};
  if (stream_) stop_stream();
  Status set = settings_.send_region();
  if (set.ok()) set = settings_.read_region();
  if (set.ok()) return set;
  if (set.error().code == ErrorCode::kModule) {
    // It is told when it is back.
    lose(set.error().message);
    return {};
  }
  settings_.want_region(before.first, before.second);
  (void)settings_.send_region();
  return set;
}

Status MercuryRadio::configure(const RadioSettings& settings) {
  interrupted_.store(false, std::memory_order_relaxed);
  if (connection_.port().is_open()) {
    if (stream_) stop_stream();
    // It may have lost its power since, and all that it was told.
    if (const Status prepared = prepare(); !prepared.ok()) lose(prepared.error().message);
  }
  return change(settings);
}

Status MercuryRadio::change(const RadioSettings& settings) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (stream_) stop_stream();
  settings_.want(settings);
  // One that is lost takes them when a round finds it again.
  if (!connection_.port().is_open()) return {};
  Status applied = settings_.apply(finder_.family());
  if (applied.ok() || applied.error().code != ErrorCode::kModule) return applied;
  lose(applied.error().message);
  return {};
}

Status MercuryRadio::check_unforgotten() const {
  // At any other rate it would not be understood any more.
  if (!finder_.at_usual_rate()) return {};
  return settings_.check_unforgotten();
}

Status MercuryRadio::start_stream(const StreamKey& key, const RoundRequest& request) {
  if (auto known = check_unforgotten(); !known.ok()) return known;
  if (auto applied = settings_.apply(finder_.family()); !applied.ok()) return applied;
  const auto session = static_cast<std::uint8_t>(key.session);
  if (auto set = settings_.set_gen2(Gen2Key::kSession, Bytes{session}); !set.ok()) return set;
  const auto targets = ByteWriter().u16(static_cast<std::uint16_t>(key.targets)).take();
  if (auto set = settings_.set_gen2(Gen2Key::kTarget, targets); !set.ok()) return set;
  if (key.tag_population > 0) {
    const auto q = static_cast<std::uint8_t>(
        std::bit_width(static_cast<unsigned>(key.tag_population - 1)) & 0xF);
    if (auto set = settings_.set_gen2(Gen2Key::kInitialQ, Bytes{1, q}); !set.ok()) return set;
  }
  const auto t4 = ByteWriter().u32(std::max(key.delay_us, kShortestT4Us)).take();
  if (auto set = settings_.set_gen2(Gen2Key::kT4, t4); !set.ok()) return set;
  if (auto set = settings_.set_antenna(finder_.family(), key.antenna); !set.ok()) return set;
  auto search = search_for(request, search_form());
  if (!search.ok()) return search.error();
  auto started = ask_start(search.value());
  const bool refused = !started.ok() && started.error().code == ErrorCode::kBadSettings;
  if (refused && search_form().round_summaries) {
    // Older firmware does not tell of rounds, or of itself.
    takes_extras_ = false;
    search = search_for(request, search_form());
    if (!search.ok()) return search.error();
    started = ask_start(search.value());
    if (!started.ok()) takes_extras_ = true;
  }
  if (!started.ok()) return started.error();
  stream_ = key;
  return {};
}

Result<Bytes> MercuryRadio::ask_start(const SearchRequest& search) {
  auto reply = ask_start_once(search);
  if (!reply.ok() && !interrupted_.load(std::memory_order_relaxed)) {
    // Either it or its answer was lost; a module that reads already would refuse another start.
    stop_stream();
    if (connection_.port().is_open()) reply = ask_start_once(search);
  }
  return Connection::well("start of reading", reply);
}

Result<Reply> MercuryRadio::ask_start_once(const SearchRequest& search) {
  const auto timeout = options_.times.answer / 2;
  // Records may come before an answer that is late, or lost.
  stream_state_.begin(now_ns());
  // An answer to a stop that was given up is not the one that is waited for.
  if (finder_.family().asynchronous) {
    return connection_.ask(op::kSilion, encode_silion_start(search), timeout, on_report_,
                           [](const Reply& reply) {
                             return reply.status != status::kSuccess ||
                                    reply.data == encode_silion(SilionCommand::kStart);
                           });
  }
  return connection_.ask(op::kContinuous, encode_stream_start(search), timeout, on_report_,
                         [](const Reply& reply) { return reply.data != Bytes{kStreamStop[2]}; });
}

void MercuryRadio::stop_stream() {
  stream_.reset();
  // What is on its way comes before the answer. A stop that was lost on the way is said again.
  constexpr int kTries = 3;
  const std::uint8_t opcode = finder_.family().asynchronous ? op::kSilion : op::kContinuous;
  const Bytes stop = finder_.family().asynchronous
                         ? encode_silion(SilionCommand::kStop)
                         : Bytes(std::begin(kStreamStop), std::end(kStreamStop));
  const Bytes answer = finder_.family().asynchronous ? stop : Bytes{kStreamStop[2]};
  const auto accepts = [&](const Reply& reply) { return reply.data == answer; };
  std::string why;
  for (int i = 0; i < kTries; ++i) {
    const auto stopped =
        connection_.ask(opcode, stop, options_.times.answer / kTries, on_report_, accepts);
    if (stopped.ok()) return;
    why = stopped.error().message;
  }
  lose(options_.path + ", to stop: " + why);
}

bool MercuryRadio::recover(const Over& over) {
  stream_.reset();
  const auto patience = [this, &over] {
    return interrupted_.load(std::memory_order_relaxed) || over();
  };
  connection_.give_up_when(patience);
  nanoseconds pause = options_.times.first_pause;
  bool found_again = false;
  for (int tries = 0; !found_again && !patience(); ++tries) {
    Status there = open_at(finder_.rates_after_loss(tries));
    if (there.ok()) there = settings_.apply(finder_.family());
    if (there.ok()) {
      found();
      found_again = true;
      break;
    }
    lose(there.error().message);
    const auto until = steady_clock::now() + pause;
    while (steady_clock::now() < until && !patience()) (void)connection_.port().wait(kLook);
    pause = std::min<nanoseconds>(pause * 2, options_.times.longest_pause);
  }
  connection_.give_up_when({});
  return found_again;
}

std::optional<RoundEnd> MercuryRadio::end_of(const RoundRequest& request) const {
  if (interrupted_.load(std::memory_order_relaxed)) return RoundEnd::kInterrupted;
  if (now_ns() >= request.deadline_ns) return RoundEnd::kDeadline;
  if (request.watch != nullptr && !request.watch->goes_on()) return RoundEnd::kWatch;
  return std::nullopt;
}

Result<bool> MercuryRadio::begin_stream(const StreamKey& key, const RoundRequest& request,
                                        RoundReports& reports) {
  // Rounds may be shorter than the start of a module: it is looked for beyond their ends.
  const std::uint64_t patience_ns =
      now_ns() + static_cast<std::uint64_t>(kPatience.count()) * kNsPerMs;
  const Over over = [&] {
    const auto end = end_of(request);
    return end && (*end != RoundEnd::kDeadline || now_ns() >= patience_ns);
  };
  bool refused = false;
  for (;;) {
    // It was lost before.
    if (!connection_.port().is_open() && !recover(over)) return false;
    const Status started = start_stream(key, request);
    if (started.ok()) {
      reports.begin_stream();
      return true;
    }
    // What it took before it refuses when it has lost its power meanwhile: it must be set again.
    if (started.error().code != ErrorCode::kModule && std::exchange(refused, true)) {
      return started.error();
    }
    lose(started.error().message);
  }
}

Result<RoundResult> MercuryRadio::run_round(const RoundRequest& request, TagSink& sink) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  if (auto known = check_round(request, capabilities_.features); !known.ok()) return known.error();
  const auto search = search_for(request, search_form());
  if (!search.ok()) return search.error();
  RoundReports reports(request, sink, stream_state_, finder_.family().antenna_form);
  on_report_ = [&](const Frame& frame) { reports.take(frame); };
  const StreamKey key{.antenna = request.antenna,
                      .session = request.session,
                      .targets = targets_for(request),
                      .tag_population = request.tag_population,
                      .search = encode_search(search.value()),
                      .delay_us = request.selects == nullptr ? 0 : request.selects->delay_us};
  auto result = run_stream(request, key, reports);
  on_report_ = {};
  publish(reports);
  return result;
}

MercuryRadio::Targets MercuryRadio::targets_for(const RoundRequest& request) {
  const Targets plain = request.target == gen2::Target::kA ? Targets::kA : Targets::kB;
  const bool fresh =
      request.fresh_carrier && !request.both_targets && request.session == gen2::Session::kS0;
  const bool again = std::exchange(last_was_fresh_, fresh);
  if (request.both_targets) return Targets::kBoth;
  // With another antenna all tags answer anyway.
  if (!fresh || !stream_ || stream_->antenna != request.antenna) return plain;
  // Round after round all tags shall answer: by turns of A and B they do, with the carrier on.
  if (again && plain == Targets::kA) return Targets::kBoth;
  stop_stream();
  return plain;
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
  const std::uint64_t silence_ns =
      static_cast<std::uint64_t>((options_.times.on_cycle + options_.times.silence).count()) *
      kNsPerMs;
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
    const auto gather = std::min<nanoseconds>(kGather, most);
    // The plan goes on by itself when the module is back.
    if (connection_.listen(longest, on_report_, gather) == Connection::Listened::kGone) {
      lose(options_.path + ": the line is gone");
    } else if (reports.broken()) {
      lose(reports.complaint() == 0 ? options_.path + ": the module has started again"
                                    : std::string(status_text(reports.complaint())));
    } else if (now_ns() - stream_state_.last_report_ns > silence_ns) {
      lose(options_.path + ": the module is silent");
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

bool MercuryRadio::set_output(std::uint8_t port, bool high) {
  if (!pins_.set_output(port, high)) return false;
  connection_.port().wake();
  return true;
}

Status MercuryRadio::tend_lines() {
  // Told when it is back.
  if (!connection_.port().is_open()) return {};
  Status tended;
  if (pins_.due()) tended = pins_.send(connection_, options_.times.answer);
  if (tended.ok()) tended = pins_.look(connection_, options_.times.answer);
  looked_at_inputs_ns_ = now_ns();
  return tended;
}

void MercuryRadio::publish(const RoundReports& reports) {
  overflows_.fetch_add(reports.overflows(), std::memory_order_relaxed);
  const std::string_view now =
      reports.complaint() == 0 ? std::string_view{} : status_text(reports.complaint());
  const std::lock_guard lock(fault_mutex_);
  if (complaint_ != now) complaint_ = now;
  if (reports.temperature_celsius()) temperature_ = reports.temperature_celsius();
}

Status MercuryRadio::prepare_access(const TagAccess& access) {
  if (stream_) stop_stream();
  if (auto known = check_unforgotten(); !known.ok()) return known;
  if (auto applied = settings_.apply(finder_.family()); !applied.ok()) return applied;
  // Flags of S1 to S3 stay as they are, and the tag is back at A in S0 with the carrier.
  if (auto set = settings_.set_gen2(Gen2Key::kSession, Bytes{0}); !set.ok()) return set;
  const auto t4 = ByteWriter().u32(kShortestT4Us).take();
  if (auto set = settings_.set_gen2(Gen2Key::kT4, t4); !set.ok()) return set;
  return settings_.set_antenna(finder_.family(), access.antenna);
}

Result<AccessResult> MercuryRadio::access_tag(const TagAccess& access) {
  const AccessResult no_time{.status = AccessStatus::kNoTime};
  if (interrupted_.load(std::memory_order_relaxed)) return no_time;
  const std::uint64_t now = now_ns();
  if (now >= access.deadline_ns) return no_time;
  const auto timeout = static_cast<std::uint16_t>(
      std::clamp<std::uint64_t>((access.deadline_ns - now) / kNsPerMs, 1, kAccessTimeoutMs));
  if (!connection_.port().is_open()) return AccessResult{.status = AccessStatus::kNoReply};
  const auto command = tag_command(access, timeout, finder_.family().multi_select);
  if (!command.ok()) return command.error();
  Status ready = prepare_access(access);
  if (ready.ok()) {
    const auto answer = connection_.ask(command.value().opcode, command.value().data,
                                        options_.times.answer + milliseconds(timeout));
    if (answer.ok()) {
      // The tag was looked for as long as the round had time for it, and no longer.
      const bool in_time = timeout == kAccessTimeoutMs || now_ns() < access.deadline_ns;
      if (answer.value().status == status::kNoTags && !in_time) return no_time;
      return tag_command_result(access, answer.value().status, answer.value().data);
    }
    ready = answer.error();
  }
  if (ready.error().code != ErrorCode::kModule) return ready.error();
  // The next round finds it again; whether the tag was reached nobody knows.
  lose(ready.error().message);
  return AccessResult{.status = AccessStatus::kNoReply};
}

bool MercuryRadio::idle_until(std::uint64_t time_ns) {
  if (stream_) stop_stream();
  while (!interrupted_.load(std::memory_order_relaxed)) {
    const std::uint64_t now = now_ns();
    if (now >= time_ns) return true;
    nanoseconds longest(time_ns - now);
    if (pins_.due() || pins_.has_inputs()) {
      if (const Status tended = tend_lines(); !tended.ok()) lose(tended.error().message);
      if (pins_.has_inputs()) longest = std::min<nanoseconds>(longest, kInputLook);
    }
    const auto listened = connection_.listen(longest, [](const Frame&) {});
    // The next round finds it again.
    if (listened == Connection::Listened::kGone) lose(options_.path + ": the line is gone");
  }
  return false;
}

void MercuryRadio::interrupt() {
  interrupted_.store(true, std::memory_order_relaxed);
  connection_.port().wake();
}

Result<double> MercuryRadio::temperature_celsius() {
  if (stream_) return not_supported("the temperature while reading");
  auto answer = connection_.ask_well("temperature", op::kTemperature, {}, options_.times.answer);
  if (!answer.ok()) {
    if (answer.error().code == ErrorCode::kModule) lose(answer.error().message);
    return answer.error();
  }
  if (answer.value().empty()) {
    return Error{.code = ErrorCode::kModule, .message = "temperature: no data"};
  }
  return static_cast<double>(static_cast<std::int8_t>(answer.value().front()));
}

Result<bool> MercuryRadio::antenna_connected(std::uint8_t port) {
  if (stream_) return not_supported("looking for antennas while reading");
  const auto ports = settings_.ports();
  if (!ports.ok()) return ports.error();
  return std::any_of(ports.value().begin(), ports.value().end(),
                     [port](const auto& one) { return one.number == port && one.connected; });
}

}  // namespace singulate::radio::mercury
