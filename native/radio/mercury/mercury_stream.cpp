// Streams of the driver: how one is started, and stopped.
#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "gen2/units.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/mercury/silion.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

// How long a round that has come to its end goes on looking for a module that was lost.
constexpr milliseconds kPatience{2000};

}  // namespace

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
  if (auto set = settings_.set_antennas(finder_.family(), key.visits); !set.ok()) return set;
  auto search = search_of(request, key.visits);
  if (!search.ok()) return search.error();
  auto started = ask_start(search.value());
  const bool refused = !started.ok() && started.error().code == ErrorCode::kBadSettings;
  if (refused && search_form(request, key.visits).temperature) {
    // Older firmware does not tell of rounds, or of itself.
    takes_extras_ = false;
    search = search_of(request, key.visits);
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
  stream_state_.begin(now_ns(), finder_.baud());
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
    // Before the start: what the module tells may come in with its answer.
    reports.begin_stream(finder_.baud());
    const Status started = start_stream(key, request);
    if (started.ok()) return true;
    // What it took before it refuses when it has lost its power meanwhile: it must be set again.
    if (started.error().code != ErrorCode::kModule && std::exchange(refused, true)) {
      return started.error();
    }
    lose(started.error().message);
  }
}

}  // namespace singulate::radio::mercury
