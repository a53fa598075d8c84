// An hour on the air by the rules of each region, and not a nanosecond too much.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "radio/virtual/air_observer.h"
#include "radio/virtual/virtual_radio.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::ChannelRule;
using radio::RoundEnd;
using radio::VirtualRadio;
using test::Keeper;
using test::kStart;

using singulate::test::kMs;

namespace {

constexpr std::uint64_t kSecond = 1000 * kMs;

struct Use {
  std::uint64_t on_ns = 0;
  std::uint64_t off_ns = 0;
  std::uint32_t khz = 0;
  std::uint8_t antenna = 0;
};

// All uses of the air, in their order.
class Log : public radio::AirObserver {
 public:
  void carrier_on(std::uint64_t time_ns, std::uint32_t khz, std::uint8_t antenna) override {
    REQUIRE_FALSE(on);
    REQUIRE((uses.empty() || time_ns > uses.back().off_ns));
    uses.push_back({.on_ns = time_ns, .off_ns = time_ns, .khz = khz, .antenna = antenna});
    on = true;
  }
  void carrier_off(std::uint64_t time_ns) override {
    REQUIRE(on);
    uses.back().off_ns = time_ns;
    on = false;
  }
  std::vector<Use> uses;
  bool on = false;
};

std::map<std::uint32_t, std::vector<Use>> by_channel(const std::vector<Use>& uses) {
  std::map<std::uint32_t, std::vector<Use>> result;
  for (const Use& use : uses) result[use.khz].push_back(use);
  return result;
}

// The longest time on a channel from the first use to the last that are not apart: by less than
// the off time, or by no use of another channel.
std::uint64_t longest_stay(const std::vector<Use>& uses, std::uint64_t off_ns) {
  std::uint64_t longest = 0;
  std::uint64_t since = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const bool apart = i == 0 || uses[i].khz != uses[i - 1].khz ||
                       (off_ns > 0 && uses[i].on_ns - uses[i - 1].off_ns >= off_ns);
    if (apart) since = uses[i].on_ns;
    longest = std::max(longest, uses[i].off_ns - since);
  }
  return longest;
}

// The shortest time that a channel was left alone once another one had been used.
std::uint64_t shortest_absence(const std::vector<Use>& uses) {
  std::uint64_t shortest = UINT64_MAX;
  std::map<std::uint32_t, std::uint64_t> left;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto last = left.find(uses[i].khz);
    if (last != left.end() && uses[i - 1].khz != uses[i].khz) {
      shortest = std::min(shortest, uses[i].on_ns - last->second);
    }
    left[uses[i].khz] = uses[i].off_ns;
  }
  return shortest;
}

// The most use of one channel in any window. It is in one that ends with a use.
std::uint64_t most_in_window(const std::vector<Use>& channel, std::uint64_t window_ns) {
  std::uint64_t most = 0;
  std::uint64_t sum = 0;
  std::size_t first = 0;
  for (const Use& use : channel) {
    sum += use.off_ns - use.on_ns;
    const std::uint64_t from = use.off_ns - window_ns;
    while (channel[first].off_ns <= from) {
      sum -= channel[first].off_ns - channel[first].on_ns;
      ++first;
    }
    const std::uint64_t cut = channel[first].on_ns < from ? from - channel[first].on_ns : 0;
    most = std::max(most, sum - cut);
  }
  return most;
}

std::uint64_t shortest_gap(const std::vector<Use>& uses) {
  std::uint64_t shortest = UINT64_MAX;
  for (std::size_t i = 1; i < uses.size(); ++i) {
    shortest = std::min(shortest, uses[i].on_ns - uses[i - 1].off_ns);
  }
  return shortest;
}

std::uint64_t time_on(const std::vector<Use>& uses) {
  std::uint64_t sum = 0;
  for (const Use& use : uses) sum += use.off_ns - use.on_ns;
  return sum;
}

void check(const std::vector<Use>& uses, const ChannelRule& rule) {
  CHECK(longest_stay(uses, rule.off_ms * kMs) <= rule.dwell_ms * kMs);
  CHECK(shortest_absence(uses) >= rule.off_ms * kMs);
  CHECK(shortest_gap(uses) >= rule.listen_ms * kMs);
  if (rule.window_ms == 0) return;
  for (const auto& channel : by_channel(uses)) {
    CAPTURE(channel.first);
    CHECK(most_in_window(channel.second, rule.window_ms * kMs) <= rule.occupancy_ms * kMs);
  }
}

std::vector<std::uint32_t> channels(std::uint32_t first, std::uint32_t step, std::uint32_t count) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(first + i * step);
  return result;
}

radio::VirtualOptions field(const std::vector<std::uint32_t>& khz, const ChannelRule& rule) {
  auto options = test::field_of(4);
  options.antennas.push_back({.port = 2, .position = {.x = 1, .y = 0, .z = 2}});
  options.antennas.push_back({.port = 3, .position = {.x = 0, .y = 1, .z = 2}});
  options.models[0].user_words = 20;
  options.channels_khz = khz;
  options.channel_rule = rule;
  REQUIRE(check_virtual_options(options).empty());
  return options;
}

constexpr std::uint64_t kHour = (test::kSlowBuild ? 180 : 3600) * kSecond;

// An hour of rounds of every kind, on all antennas, in many inventories on slow links and fast
// ones.
std::vector<Use> an_hour(const std::vector<std::uint32_t>& khz, const ChannelRule& rule) {
  Log log;
  VirtualRadio radio(field(khz, rule));
  radio.observe(&log);
  radio::Random random(khz.size());
  const std::vector<radio::AccessOp> access{
      {.kind = radio::AccessKind::kWrite, .bank = gen2::Bank::kUser, .words = {1, 2, 3}},
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kUser}};
  const radio::SelectList selects{.selects = {gen2::Select{}}, .delay_us = 20'000};
  while (radio.now_ns() < kStart + kHour) {
    const char* profile = random.bits(1) == 0   ? "M8-160"
                          : random.bits(1) == 0 ? "M4-250"
                                                : "FM0-640";
    REQUIRE(radio.configure(test::settings(profile, {1, 2, 3})).ok());
    radio::RoundRequest request{.antenna = 1};
    for (unsigned rounds = random.bits(7); rounds > 0; --rounds) {
      if (random.bits(2) == 0) request.antenna = static_cast<std::uint8_t>(1 + random.bits(4) % 3);
      request.session = static_cast<gen2::Session>(random.bits(2));
      request.target = random.bits(1) == 0 ? gen2::Target::kA : gen2::Target::kB;
      request.tag_population = random.bits(4) == 0 ? 500 : 4;
      request.fresh_carrier = random.bits(2) == 0;
      request.access = random.bits(5) == 0 ? std::span(access) : std::span<const radio::AccessOp>{};
      request.selects = random.bits(4) == 0 ? &selects : nullptr;
      request.deadline_ns = radio.now_ns() + (random.bits(3) == 0 ? 30 * kMs : 2 * kSecond);
      Keeper keeper;
      const auto result = radio.run_round(request, keeper);
      REQUIRE(result.ok());
      CHECK(radio.now_ns() < request.deadline_ns + kSecond);
    }
  }
  radio.close();
  REQUIRE_FALSE(log.on);
  return log.uses;
}

}  // namespace

TEST_CASE("FCC: 0.4 s in any 20 s on each of 50 channels, and all of them alike") {
  for (const std::uint32_t dwell_ms : {200U, 400U}) {
    CAPTURE(dwell_ms);
    const ChannelRule rule{.dwell_ms = dwell_ms, .window_ms = 20'000, .occupancy_ms = 400};
    const auto uses = an_hour(channels(902'750, 500, 50), rule);
    check(uses, rule);
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    const auto channels_used = by_channel(uses);
    CHECK(channels_used.size() == 50);
    for (const auto& [khz, channel] : channels_used) {
      least = std::min(least, time_on(channel));
      most = std::max(most, time_on(channel));
    }
    // In a few minutes chance decides who comes round once more.
    CHECK(static_cast<double>(least) > (test::kSlowBuild ? 0.5 : 0.9) * static_cast<double>(most));
    MESSAGE("carrier on ", time_on(uses) / kSecond, " s of ", kHour / kSecond);
    CHECK(time_on(uses) > kHour / 3 * 2);
  }
}

TEST_CASE("Europe: 4 s on, then 100 ms off, on four channels") {
  const ChannelRule rule{.dwell_ms = 4000, .off_ms = 100};
  const auto uses = an_hour(channels(865'700, 600, 4), rule);
  check(uses, rule);
  MESSAGE("carrier on ", time_on(uses) / kSecond, " s of ", kHour / kSecond);
}

TEST_CASE("Europe, one channel alone: the carrier pauses for 100 ms") {
  const ChannelRule rule{.dwell_ms = 4000, .off_ms = 100};
  const auto uses = an_hour({866'300}, rule);
  check(uses, rule);
  CHECK(time_on(uses) > kHour / 3 * 2);
}

TEST_CASE("Japan: 4 s on, 50 ms off, and 5 ms of listening before every talk") {
  const ChannelRule rule{.dwell_ms = 4000, .off_ms = 50, .listen_ms = 5, .busy_share = 0.3};
  check(an_hour(channels(916'800, 1200, 4), rule), rule);
}

TEST_CASE("China: 2 s on each of 16 channels") {
  const ChannelRule rule{.dwell_ms = 2000};
  check(an_hour(channels(920'625, 250, 16), rule), rule);
}

TEST_CASE("Korea: hopping 0.4 s on 16 channels, or listening, 4 s on and 50 ms off") {
  const ChannelRule hopping{.dwell_ms = 400};
  check(an_hour(channels(917'300, 200, 16), hopping), hopping);
  const ChannelRule listening{.dwell_ms = 4000, .off_ms = 50, .listen_ms = 5, .busy_share = 0.1};
  check(an_hour(channels(917'300, 600, 6), listening), listening);
}

TEST_CASE("fewer channels than the occupancy needs: the carrier waits, in the order of channels") {
  const ChannelRule rule{.dwell_ms = 400, .window_ms = 20'000, .occupancy_ms = 400};
  const auto uses = an_hour(channels(902'750, 500, 5), rule);
  check(uses, rule);
  // 5 times 0.4 s of every 20 s.
  CHECK(time_on(uses) > kHour / 20);
  CHECK(time_on(uses) <= 360 * kSecond);
}

TEST_CASE("a busy channel is left for the next one; who listens pays with air time") {
  const auto first = [](double busy_share, std::uint64_t seed) {
    auto options = field(channels(916'800, 1200, 4),
                         {.dwell_ms = 4000, .listen_ms = 5, .busy_share = busy_share});
    options.seed = seed;
    Log log;
    VirtualRadio radio(options);
    radio.observe(&log);
    REQUIRE(radio.configure(test::settings("FM0-640", {1})).ok());
    Keeper keeper;
    REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
    return log.uses.at(0);
  };
  CHECK(first(0, 1).khz == 916'800);
  CHECK(first(0, 1).on_ns == kStart + 1'500'000 + 5 * kMs);
  int busy = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Use use = first(0.5, seed);
    const std::uint64_t listened = (use.on_ns - kStart - 1'500'000) / (5 * kMs);
    CHECK(use.khz == 916'800 + (listened - 1) % 4 * 1200);
    busy += listened > 1 ? 1 : 0;
    CHECK(first(0.5, seed).on_ns == use.on_ns);
  }
  CHECK(busy > 70);
  CHECK(busy < 130);
}

TEST_CASE("a round that waits for its channel ends at its deadline") {
  VirtualRadio radio(field({866'300}, {.dwell_ms = 100, .off_ms = 60'000}));
  Log log;
  radio.observe(&log);
  REQUIRE(radio.configure(test::settings("FM0-640", {1})).ok());
  Keeper keeper;
  while (radio.now_ns() < kStart + 101 * kMs) {
    const auto result = radio.run_round(
        {.antenna = 1, .fresh_carrier = false, .deadline_ns = kStart + 3 * kSecond}, keeper);
    REQUIRE(result.ok());
    if (result.value().end == RoundEnd::kDeadline) break;
  }
  CHECK(radio.now_ns() == kStart + 3 * kSecond);
  CHECK_FALSE(log.on);
  // The next round waits on, and then goes on.
  REQUIRE(radio.run_round({.antenna = 1}, keeper).ok());
  REQUIRE(log.uses.size() == 2);
  CHECK(log.uses[1].on_ns - log.uses[0].off_ns >= 60 * kSecond);
  CHECK(log.uses[1].on_ns - log.uses[0].off_ns < 60 * kSecond + 5 * kMs);
}

TEST_CASE("interrupt ends a paced round that waits for its channel") {
  auto options = field({866'300}, {.dwell_ms = 100, .off_ms = 60'000});
  options.paced = true;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("FM0-640", {1})).ok());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    radio.interrupt();
  });
  Keeper keeper;
  const auto before = std::chrono::steady_clock::now();
  RoundEnd end = RoundEnd::kComplete;
  while (end == RoundEnd::kComplete) {
    const auto result = radio.run_round({.antenna = 1}, keeper);
    REQUIRE(result.ok());
    end = result.value().end;
  }
  CHECK(end == RoundEnd::kInterrupted);
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(10));
  other.join();
}

TEST_CASE("a machine that was held up did not send meanwhile") {
  class Slow : public Keeper {
   public:
    bool on_read(const radio::TagRead& read) override {
      if (++count == 20) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(radio::AirClock::kLongestLagNs) +
                                    std::chrono::milliseconds(300));
      }
      return Keeper::on_read(read);
    }
    int count = 0;
  };
  auto options = field({866'300}, {.dwell_ms = 500, .off_ms = 100});
  options.paced = true;
  Log log;
  VirtualRadio radio(options);
  radio.observe(&log);
  REQUIRE(radio.configure(test::settings("FM0-640", {1})).ok());
  Slow keeper;
  // For a while after the jump.
  std::optional<std::uint64_t> until;
  std::uint64_t before = kStart;
  while (!until || radio.now_ns() < *until) {
    if (!until && radio.now_ns() > before + radio::AirClock::kLongestLagNs) {
      until = radio.now_ns() + 600 * kMs;
    }
    before = std::max(before, radio.now_ns());
    REQUIRE(radio
                .run_round({.antenna = 1,
                            .session = gen2::Session::kS2,
                            .target = keeper.reads.size() / 4 % 2 == 0 ? gen2::Target::kA
                                                                       : gen2::Target::kB,
                            .fresh_carrier = false},
                           keeper)
                .ok());
  }
  radio.close();
  check(log.uses, {.dwell_ms = 500, .off_ms = 100});
  CHECK(longest_stay(log.uses, 100 * kMs) > 200 * kMs);
  std::uint64_t longest_gap = 0;
  for (std::size_t i = 1; i < log.uses.size(); ++i) {
    longest_gap = std::max(longest_gap, log.uses[i].on_ns - log.uses[i - 1].off_ns);
  }
  CHECK(longest_gap > kSecond);
  CHECK(keeper.reads.size() > 40);
}

TEST_CASE("at a hop tags lose their power, and S0 with it") {
  auto options = test::field_of(150);
  options.channels_khz = {903'000, 915'000};
  options.channel_rule.dwell_ms = 100;
  VirtualRadio radio(options);
  REQUIRE(radio.configure(test::settings("FM0-640")).ok());
  Keeper keeper;
  const std::uint64_t deadline = kStart + 500 * kMs;
  REQUIRE(
      radio.run_round({.antenna = 1, .tag_population = 150, .deadline_ns = deadline}, keeper).ok());
  // Some 130 in each of the five stays: every tag is read again.
  CHECK(keeper.reads.size() > 500);
}

TEST_CASE("operations on a tag are begun only if they will be done before the hop") {
  class Watch : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& read) override {
      for (const radio::AccessResult& result : read.access) {
        ++all;
        done += result.status == radio::AccessStatus::kDone ? 1 : 0;
      }
      return true;
    }
    int all = 0;
    int done = 0;
  };
  const std::vector<radio::AccessOp> access{
      {.kind = radio::AccessKind::kWrite, .bank = gen2::Bank::kUser, .words = {1, 2, 3}},
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kUser}};
  auto options = field(channels(902'750, 500, 50), {.dwell_ms = 400});
  options.models[0].write_us_per_word = 18'000;
  VirtualRadio radio(options);
  Log log;
  radio.observe(&log);
  REQUIRE(radio.configure(test::settings("M4-250", {1})).ok());
  Watch watch;
  while (radio.now_ns() < kStart + 60 * kSecond) {
    REQUIRE(radio.run_round({.antenna = 1, .access = access}, watch).ok());
  }
  radio.close();
  CHECK(watch.all > 1000);
  CHECK(watch.done == watch.all);
  check(log.uses, {.dwell_ms = 400});
}

TEST_CASE("Selects that leave no time for slots are refused") {
  VirtualRadio radio(field(channels(902'750, 500, 50), {.dwell_ms = 400}));
  REQUIRE(radio.configure(test::settings("FM0-640", {1})).ok());
  Keeper keeper;
  const radio::SelectList selects{.selects = {gen2::Select{}}, .delay_us = 250'000};
  const auto result = radio.run_round({.antenna = 1, .selects = &selects}, keeper);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message ==
        "the Selects take 250 ms with their delay; allowed: half of the time on a channel, 200 ms");
}
