#include <array>
#include <atomic>
#include <thread>

#include "gen2/crc.h"
#include "rules.h"

namespace singulate::test {

namespace {

using radio::RoundEnd;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

void check_whole(Ready& ready) {
  class Whole : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& read) override {
      length = length && read.epc.size() == 2 * static_cast<std::size_t>(read.pc >> 11U);
      crc = crc && read.crc == gen2::packet_crc(read.pc, read.epc);
      no_access = no_access && read.access.empty();
      return true;
    }
    bool length = true;
    bool crc = true;
    bool no_access = true;
  } whole;
  (void)ready.round(ready.short_request(), whole);
  MUST(whole.length);
  MUST(whole.crc);
  MUST(whole.no_access);
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  NEED(keeper.reads.size() >= kTags);
  std::set<Epc> real;
  for (std::uint8_t i = 0; i < kTags; ++i) real.insert(Ready::epc_of(i));
  for (const auto& read : keeper.reads) {
    MUST(real.count(read.epc) == 1);
    MUST(read.antenna == ready->capabilities().antennas.front());
    MUST(read.rssi_cdbm < 0);
    MUST(read.phase_cdeg < 36'000);
    MUST(read.frequency_khz >= 840'000);
    MUST(read.frequency_khz <= 960'000);
  }
}

void check_order(Ready& ready) {
  // Of modules that are not paced the clock may run ahead of the reads, never behind them.
  class InTime : public radio::TagSink {
   public:
    explicit InTime(Ready& ready) : last(ready->now_ns()), ready_(ready) {}
    bool on_read(const radio::TagRead& read) override {
      ordered = ordered && read.time_ns >= last;
      come = come && read.time_ns <= ready_->now_ns();
      last = read.time_ns;
      ++reads;
      return true;
    }
    std::uint64_t last;
    bool ordered = true;
    bool come = true;
    std::size_t reads = 0;

   private:
    Ready& ready_;
  } in_time(ready);
  const std::uint64_t until = ready->now_ns() + kLongNs;
  while (in_time.reads < std::size_t{3} * kTags && ready->now_ns() < until) {
    if (ready.round(ready.short_request(), in_time).end == RoundEnd::kEndOfRecording) break;
  }
  NEED(in_time.reads >= kTags);
  MUST(in_time.ordered);
  MUST(in_time.come);
}

void check_past_deadline(Ready& ready) {
  Keeper keeper;
  auto request = ready.request();
  request.deadline_ns = ready->now_ns();
  MUST(ready.round(request, keeper).end == RoundEnd::kDeadline);
  MUST(keeper.reads.empty());
}

void check_deadline(Ready& ready) {
  // A short time is kept, whether the round comes to its end or not.
  for (const std::uint64_t ms : {1, 30, 100}) {
    Keeper keeper;
    auto request = ready.request();
    request.deadline_ns = ready->now_ns() + ms * kMs;
    const RoundEnd end = ready.round(request, keeper).end;
    const std::uint64_t now = ready->now_ns();
    MUST(end == RoundEnd::kDeadline || end == RoundEnd::kComplete);
    MUST(now <= request.deadline_ns + kSlackNs);
    // One that is not complete lasts until then.
    MUST(end == RoundEnd::kComplete || now >= request.deadline_ns);
  }
}

void check_watch(Ready& ready) {
  class Watch : public radio::RoundWatch {
   public:
    bool goes_on() override { return ++looks < 3; }
    int looks = 0;
  } watch;
  auto request = ready.request();
  request.watch = &watch;
  Keeper keeper;
  RoundEnd last = RoundEnd::kComplete;
  for (int i = 0; i < 1000 && last == RoundEnd::kComplete; ++i) {
    last = ready.round(request, keeper).end;
  }
  MUST(last == RoundEnd::kWatch);
}

void check_sink(Ready& ready) {
  Keeper one;
  one.limit = 1;
  MUST(ready.round(ready.request(), one).end == RoundEnd::kInterrupted);
  MUST(one.reads.size() == 1);
}

void check_early_interrupt(Ready& ready) {
  ready->interrupt();
  Keeper keeper;
  MUST(ready.round(ready.request(), keeper).end == RoundEnd::kInterrupted);
  MUST(ready.round(ready.request(), keeper).end == RoundEnd::kInterrupted);
  MUST(keeper.reads.empty());
  MUST(!ready->idle_until(ready->now_ns() + kLongNs));
  ready.configure();
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
}

void check_interrupt(Ready& ready) {
  // From another thread, into rounds that go on for ever.
  std::atomic<bool> said = false;
  steady_clock::time_point when{};
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    when = steady_clock::now();
    ready->interrupt();
    said.store(true);
  });
  class Nobody : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& /*read*/) override { return true; }
  } nobody;
  const auto run = [&] {
    const auto latest = steady_clock::now() + seconds(30);
    RoundEnd end = RoundEnd::kComplete;
    int after = 0;
    // The round that ran when it was said may have been complete; the next one is not.
    while (end == RoundEnd::kComplete && after < 2 && steady_clock::now() < latest) {
      if (said.load()) ++after;
      auto request = ready.request();
      request.deadline_ns = radio::kNoDeadline;
      end = ready.round(request, nobody).end;
    }
    return end;
  };
  RoundEnd end{};
  try {
    end = run();
  } catch (const Abandoned&) {
    other.join();
    throw;
  }
  const auto ended = steady_clock::now();
  other.join();
  MUST(end == RoundEnd::kInterrupted || (ready.recorded() && end == RoundEnd::kEndOfRecording));
  MUST(ended - when < std::chrono::nanoseconds(kSlackNs));
}

void check_interrupted_idle(Ready& ready) {
  if (!ready->capabilities().paced) {
    // Its time is over before anybody could interrupt.
    ready->interrupt();
    MUST(!ready->idle_until(ready->now_ns() + kLongNs));
    return;
  }
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    ready->interrupt();
  });
  const auto from = steady_clock::now();
  const bool whole = ready->idle_until(ready->now_ns() + kLongNs);
  const auto ended = steady_clock::now();
  other.join();
  MUST(!whole);
  MUST(ended - from < std::chrono::nanoseconds(kSlackNs));
}

void check_session(Ready& ready) {
  // Gen2 lets a tag forget S2 and S3 two seconds after its power went, and one whose reply is cut
  // may be read twice or never: where a machine is held up for so long nothing can be said.
  constexpr std::uint64_t kRememberedNs = 2'000 * kMs;
  for (const auto session : {gen2::Session::kS2, gen2::Session::kS3}) {
    auto request = ready.request();
    request.session = session;
    request.tag_population = kTags;
    Keeper keeper;
    const bool cut = ready.read_once(keeper, request).cut;
    MUST(cut || Ready::epcs(keeper).size() == kTags);
    MUST(cut || keeper.reads.size() == kTags);
    const std::uint64_t ended = ready->now_ns();
    // They have been read: only B is left.
    request.target = gen2::Target::kB;
    request.fresh_carrier = false;
    Keeper others;
    const auto again = ready.read_once(others, request);
    const bool forgotten = again.first_command_ns > ended + kRememberedNs;
    if (cut || again.cut || forgotten) continue;
    MUST(Ready::epcs(others).size() == kTags);
    return;
  }
}

void check_again(Ready& ready) {
  // With the carrier off between them, tags of S0 answer in every round.
  for (int i = 0; i < 3; ++i) {
    Keeper keeper;
    auto request = ready.request();
    request.stops_behind = i == 1;
    ready.read_all(keeper, request);
    MUST(Ready::epcs(keeper).size() == kTags);
  }
}

void check_both_targets(Ready& ready) {
  auto request = ready.request();
  request.both_targets = true;
  Keeper keeper;
  for (int i = 0; i < 100 && keeper.reads.size() < std::size_t{4} * kTags; ++i) {
    request.deadline_ns = ready.short_request().deadline_ns;
    (void)ready.round(request, keeper);
    request.target = gen2::other(request.target);
    request.fresh_carrier = false;
  }
  MUST(Ready::epcs(keeper).size() == kTags);
  MUST(keeper.reads.size() >= std::size_t{4} * kTags);
}

void check_unknown_population(Ready& ready) {
  auto request = ready.request();
  request.tag_population = 0;
  Keeper keeper;
  ready.read_all(keeper, request);
  MUST(Ready::epcs(keeper).size() == kTags);
}

void check_slots(Ready& ready) {
  Keeper keeper;
  radio::RoundResult sum;
  for (int i = 0; i < 100 && Ready::epcs(keeper).size() < kTags; ++i) {
    const auto result = ready.round(ready.short_request(), keeper);
    sum.empty_slots += result.empty_slots;
    sum.single_slots += result.single_slots;
    sum.collided_slots += result.collided_slots;
  }
  // Zeros are honest: nobody can count what the firmware does not tell.
  const bool counted = sum.empty_slots + sum.single_slots + sum.collided_slots > 0;
  MUST(!counted || ready.has(radio::Feature::kRoundStatistics));
}

constexpr std::array kRoundRules{
    Rule{"its reads are whole, and of tags that are there", check_whole, always},
    Rule{"reads come in the order of their times, none before its time", check_order, always},
    Rule{"a deadline that is over reads nothing", check_past_deadline, unless_recorded},
    Rule{"a round keeps its deadline", check_deadline, unless_recorded},
    Rule{"a watch ends a round", check_watch, unless_recorded},
    Rule{"a sink that is full ends a round", check_sink, unless_recorded},
    Rule{"an interrupt holds until the next configure()", check_early_interrupt, always},
    Rule{"an interrupt ends a running round", check_interrupt, always},
    Rule{"an interrupt ends idling", check_interrupted_idle, always},
    Rule{"tags of a session are read once", check_session, unless_recorded},
    Rule{"without the carrier tags of S0 forget", check_again, unless_recorded},
    Rule{"both targets are read in turns", check_both_targets, unless_recorded},
    Rule{"an unknown number of tags is no hindrance", check_unknown_population, unless_recorded},
    Rule{"slots are counted, or nobody says so", check_slots, unless_recorded},
};

}  // namespace

std::span<const Rule> round_rules() { return kRoundRules; }

}  // namespace singulate::test
