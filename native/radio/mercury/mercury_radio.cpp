#include "radio/mercury/mercury_radio.h"

#include <algorithm>
#include <utility>

#include "radio/mercury/codes.h"
#include "radio/wall_clock.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

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
  if (connected_.load()) last_fault_ = fault;
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
                   .last_fault = last_fault_,
                   .reconnects = reconnects_.load(),
                   .discarded_bytes = connection_.discarded_bytes(),
                   .crc_errors = connection_.crc_errors(),
                   .overflows = overflows_.load(),
                   .complaint = complaints_.text(missing_),
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
  ports_.keep(settings_.used_ports());
  publish_ports();
  // One that is lost takes them when a round finds it again.
  if (!connection_.port().is_open()) return {};
  Status applied = settings_.apply(finder_.family());
  if (applied.ok() || applied.error().code != ErrorCode::kModule) return applied;
  lose(applied.error().message);
  return {};
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
  const auto ports = ask_ports();
  if (!ports.ok()) return ports.error();
  return std::any_of(ports.value().begin(), ports.value().end(),
                     [port](const auto& one) { return one.number == port && one.connected; });
}

}  // namespace singulate::radio::mercury
