#include "mymodule_radio.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "features.h"
#include "radio/wall_clock.h"

namespace mymodule {

namespace {

using radio::Error;
using radio::ErrorCode;
using radio::Result;
using radio::RoundEnd;
using radio::RoundRequest;
using radio::RoundResult;
using radio::Status;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kNsPerMs = 1'000'000;
// How often a waiting round looks at its deadline and its watch.
constexpr milliseconds kBreath{2};
// TODO(driver): how long your module may read before it has to be started again. Short enough that
// one that is lost is missed soon.
constexpr std::uint64_t kLongestPartMs = 1000;
// So long after the time of a part its end has not come: the module is lost.
constexpr std::uint64_t kSilenceMs = 1000;
// Between two looks for a module that is lost; doubled up to the longest.
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{2000};

}  // namespace

struct MyModuleRadio::Part {
  radio::TagSink& sink;
  RoundResult result{};
  bool wanted = true;  // the sink takes more
  std::uint64_t started_ns = 0;
  std::optional<End> end{};
};

MyModuleRadio::MyModuleRadio(std::string path) : path_(std::move(path)) {
  // TODO(driver): the name of your driver, as in driver.json, and its row of features.
  capabilities_.module = "mymodule";
  capabilities_.features = kFeatures;
}

std::uint64_t MyModuleRadio::now_ns() const { return radio::wall_ns(); }

Status MyModuleRadio::open() {
  interrupted_.store(false);
  const Line::Over over = [this] { return interrupted_.load(); };
  if (auto connected = connect(over); !connected.ok()) {
    lose(connected.error().message);
    return connected;
  }
  opened_ = true;
  return {};
}

void MyModuleRadio::close() {
  if (carrier_on_) stop([](const Frame&) {});
  line_.close();
  opened_ = false;
  configured_ = false;
  const std::lock_guard lock(link_mutex_);
  connected_ = false;
  was_connected_ = false;
}

Status MyModuleRadio::connect(const Line::Over& over) {
  if (auto opened = line_.open(path_); !opened.ok()) return opened;
  const auto nobody = [](const Frame&) {};
  // It may still read for a host that is gone.
  const auto stopped = line_.ask("stop", Code::kStop, {}, nobody, over);
  Status there = stopped.ok() ? look_at_module(over) : Status(stopped.error());
  if (!there.ok()) {
    line_.close();
    return Error{.code = ErrorCode::kModule, .message = path_ + ": " + there.error().message};
  }
  const std::lock_guard lock(link_mutex_);
  if (was_connected_) ++reconnects_;
  was_connected_ = true;
  connected_ = true;
  fault_.clear();
  pause_ = kFirstPause;
  return {};
}

Status MyModuleRadio::look_at_module(const Line::Over& over) {
  const auto answer = line_.ask(
      "version", Code::kVersion, {}, [](const Frame&) {}, over);
  if (!answer.ok()) return answer.error();
  const auto version = decode_version(answer.value());
  if (!version) return Error{.code = ErrorCode::kModule, .message = "version: not understood"};
  // TODO(driver): what your module can do. Nothing of it may be more than it does.
  std::vector<std::uint8_t> antennas;
  for (unsigned port = 1; port <= version->antennas; ++port) {
    antennas.push_back(static_cast<std::uint8_t>(port));
  }
  if (opened_ && (antennas != capabilities_.antennas ||
                  version->min_power_cdbm != capabilities_.min_transmit_power_cdbm ||
                  version->max_power_cdbm != capabilities_.max_transmit_power_cdbm)) {
    // Capabilities are fixed until close(): plans were validated with them.
    return Error{.code = ErrorCode::kModule, .message = "another module is there"};
  }
  capabilities_.model = "MyModule, " + std::to_string(version->antennas) + " antennas";
  capabilities_.firmware = version->firmware;
  capabilities_.antennas = std::move(antennas);
  capabilities_.min_transmit_power_cdbm = version->min_power_cdbm;
  capabilities_.max_transmit_power_cdbm = version->max_power_cdbm;
  capabilities_.link_profiles = {"M4-250"};
  return {};
}

void MyModuleRadio::lose(const std::string& fault) {
  line_.close();
  carrier_on_ = false;
  const std::lock_guard lock(link_mutex_);
  connected_ = false;
  fault_ = fault;
}

std::optional<radio::LinkState> MyModuleRadio::link() const {
  const std::lock_guard lock(link_mutex_);
  return radio::LinkState{.connected = connected_,
                          .fault = fault_,
                          .reconnects = reconnects_,
                          .discarded_bytes = line_.discarded_bytes(),
                          .crc_errors = line_.crc_errors()};
}

Status MyModuleRadio::configure(const radio::RadioSettings& settings) {
  interrupted_.store(false);
  return change(settings);
}

Status MyModuleRadio::change(const radio::RadioSettings& settings) {
  if (!opened_) return Error{.code = ErrorCode::kNotOpen, .message = "the module is not open"};
  const auto& profiles = capabilities_.link_profiles;
  if (std::find(profiles.begin(), profiles.end(), settings.link_profile) == profiles.end()) {
    return Error{.code = ErrorCode::kBadSettings,
                 .message = "link profile " + settings.link_profile};
  }
  // Nothing is half-applied: a module that refuses one power has the old settings told again when
  // it is next configured, and no round runs before.
  configured_ = false;
  settings_ = settings;
  // The round finds a module that is lost, and tells it these settings.
  if (line_.is_open()) {
    if (auto applied = apply([this] { return interrupted_.load(); }); !applied.ok()) {
      if (applied.error().code != ErrorCode::kModule) return applied;
      lose(path_ + ": " + applied.error().message);
    }
  }
  configured_ = true;
  return {};
}

Status MyModuleRadio::apply(const Line::Over& over) {
  // TODO(driver): everything your module forgets with its power.
  for (const auto& antenna : settings_.antennas) {
    const auto power = encode(Power{
        .antenna = antenna.port, .cdbm = static_cast<std::int16_t>(antenna.transmit_power_cdbm)});
    const auto told = line_.ask(
        "power", Code::kPower, power, [](const Frame&) {}, over);
    if (!told.ok()) return told.error();
  }
  return {};
}

bool MyModuleRadio::find_again(const RoundRequest& request) {
  const auto now = steady_clock::now();
  if (now < next_look_) {
    (void)line_.listen(std::min<nanoseconds>(kBreath, next_look_ - now), [](const Frame&) {});
    return false;
  }
  // A round may be shorter than a look: the deadline does not end it.
  const Line::Over over = [&] {
    const auto end = end_of(request);
    return end && *end != RoundEnd::kDeadline;
  };
  Status there = connect(over);
  if (there.ok()) there = apply(over);
  if (there.ok()) return true;
  lose(there.error().message);
  if (over()) return false;
  next_look_ = steady_clock::now() + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
  return false;
}

std::optional<RoundEnd> MyModuleRadio::end_of(const RoundRequest& request) const {
  if (interrupted_.load()) return RoundEnd::kInterrupted;
  if (now_ns() >= request.deadline_ns) return RoundEnd::kDeadline;
  if (request.watch != nullptr && !request.watch->goes_on()) return RoundEnd::kWatch;
  return std::nullopt;
}

Result<RoundResult> MyModuleRadio::run_round(const RoundRequest& request, radio::TagSink& sink) {
  if (!configured_) {
    return Error{.code = ErrorCode::kNotOpen,
                 .message = "the module is not open or has no settings"};
  }
  // What the row of features does not have is refused, never left out.
  if (auto known = check_round(request, capabilities_.features); !known.ok()) return known.error();
  Part part{.sink = sink};
  const auto ended = [&](RoundEnd end) {
    if (carrier_on_ && (end != RoundEnd::kComplete || request.stops_behind)) {
      stop([&](const Frame& frame) { take(frame, part); });
    }
    part.result.end = end;
    return part.result;
  };
  if (request.fresh_carrier) carrier_on_ = false;
  bool refused = false;
  for (;;) {
    if (const auto end = end_of(request)) return ended(*end);
    if (!line_.is_open()) {
      (void)find_again(request);
      continue;
    }
    const auto done = run_part(request, part);
    if (done.ok()) {
      if (!done.value()) continue;
      return ended(*done.value());
    }
    // A module that was without power refuses what it took before: it is set again, once.
    if (done.error().code != ErrorCode::kModule && std::exchange(refused, true)) {
      return done.error();
    }
    lose(path_ + ": " + done.error().message);
  }
}

Result<std::optional<RoundEnd>> MyModuleRadio::run_part(const RoundRequest& request, Part& part) {
  const std::uint64_t now = now_ns();
  const std::uint64_t left_ns = request.deadline_ns - std::min(now, request.deadline_ns);
  // Rounded down: nothing is sent that may not be over by the deadline.
  const std::uint64_t ms = std::min(left_ns / kNsPerMs, kLongestPartMs);
  if (ms == 0) {
    if (!line_.listen(nanoseconds(left_ns), [](const Frame&) {})) {
      return Error{.code = ErrorCode::kModule, .message = "the serial line is gone"};
    }
    return std::optional<RoundEnd>{};
  }
  part.end.reset();
  part.started_ns = now;
  if (part.result.first_command_ns == 0) part.result.first_command_ns = now;
  const auto on_frame = [&](const Frame& frame) { take(frame, part); };
  // TODO(driver): Q from the expected tags, if your module takes one.
  constexpr int kMostQ = 15;
  const int q =
      std::min(static_cast<int>(std::bit_width(unsigned{request.tag_population})), kMostQ);
  const Start start{.antenna = request.antenna,
                    .session = static_cast<std::uint8_t>(request.session),
                    .target = static_cast<std::uint8_t>(request.target),
                    .q = static_cast<std::uint8_t>(q),
                    .carrier_stays = carrier_on_,
                    .ms = static_cast<std::uint16_t>(ms)};
  const auto started = line_.ask("start", Code::kStart, encode(start), on_frame,
                                 [this] { return interrupted_.load(); });
  if (!started.ok() && !interrupted_.load()) return started.error();
  carrier_on_ = true;
  const std::uint64_t lost_ns = now_ns() + (ms + kSilenceMs) * kNsPerMs;
  while (!part.end) {
    auto end = end_of(request);
    if (!part.wanted) end = RoundEnd::kInterrupted;
    // The caller stops the module.
    if (end) return end;
    if (!line_.listen(kBreath, on_frame)) {
      return Error{.code = ErrorCode::kModule, .message = "the serial line is gone"};
    }
    if (now_ns() > lost_ns) return Error{.code = ErrorCode::kModule, .message = "it is silent"};
  }
  part.result.empty_slots += part.end->empty;
  part.result.single_slots += part.end->single;
  part.result.collided_slots += part.end->collided;
  if (!part.wanted) return std::optional(RoundEnd::kInterrupted);
  if (part.end->why == Why::kNoMoreTags) return std::optional(RoundEnd::kComplete);
  return std::optional<RoundEnd>{};
}

void MyModuleRadio::stop(const Line::OnFrame& on_frame) {
  carrier_on_ = false;
  // The carrier must be off even if nobody waits for the answer any more.
  const auto stopped = line_.ask("stop", Code::kStop, {}, on_frame, [] { return false; });
  if (!stopped.ok()) lose(path_ + ": " + stopped.error().message);
}

void MyModuleRadio::take(const Frame& frame, Part& part) {
  if (frame.code == static_cast<std::uint8_t>(Code::kEnd)) {
    part.end = decode_end(frame.data);
    return;
  }
  if (frame.code != static_cast<std::uint8_t>(Code::kTag) || !part.wanted) return;
  const auto tag = decode_tag(frame.data);
  if (!tag) return;
  // The module's clock against ours: never before the read of before, never in the future.
  const std::uint64_t told = part.started_ns + tag->ms * kNsPerMs;
  last_read_ns_ = std::max(last_read_ns_, std::min(told, now_ns()));
  part.wanted = part.sink.on_read({.time_ns = last_read_ns_,
                                   .frequency_khz = tag->khz,
                                   .rssi_cdbm = tag->rssi_cdbm,
                                   .phase_cdeg = tag->phase_cdeg,
                                   .pc = tag->pc,
                                   .crc = tag->crc,
                                   .antenna = tag->antenna,
                                   .epc = tag->epc});
}

bool MyModuleRadio::idle_until(std::uint64_t time_ns) {
  if (carrier_on_) stop([](const Frame&) {});
  while (!interrupted_.load()) {
    const std::uint64_t now = now_ns();
    if (now >= time_ns) return true;
    if (!line_.listen(nanoseconds(time_ns - now), [](const Frame&) {})) {
      lose(path_ + ": the serial line is gone");
    }
  }
  return false;
}

void MyModuleRadio::interrupt() {
  interrupted_.store(true);
  line_.wake();
}

}  // namespace mymodule
