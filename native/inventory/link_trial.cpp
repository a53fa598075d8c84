#include "inventory/link_trial.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace singulate::inventory {

namespace {

// A few tags are read again until the trial has lasted for so long.
constexpr std::uint64_t kLeastNs = 25'000'000;
// Of the tags that another profile has read: a profile that hears fewer leaves tags unread.
constexpr double kHearsAll = 0.8;
// A change must win that much: chance alone makes some of it.
constexpr double kClearlyBetter = 1.15;

std::uint64_t hash_of(std::span<const std::uint8_t> epc) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
  for (const std::uint8_t byte : epc) hash = (hash ^ byte) * 0x100000001B3ULL;
  return hash;
}

class Tally final : public radio::TagSink {
 public:
  explicit Tally(LinkTrial& trial) : trial_(trial) {}
  bool on_read(const radio::TagRead& read) override {
    ++trial_.reads;
    trial_.tags.push_back(hash_of(read.epc));
    last_ns = read.time_ns;
    return true;
  }
  std::uint64_t last_ns = 0;

 private:
  LinkTrial& trial_;
};

// The share of the tags of `others` that are among `tags`.
double share_of(const std::vector<std::uint64_t>& others, const std::vector<std::uint64_t>& tags) {
  if (others.empty()) return 1;
  std::vector<std::uint64_t> both;
  std::set_intersection(others.begin(), others.end(), tags.begin(), tags.end(),
                        std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(others.size());
}

// The least share of the tags of another trial. A round that was cut short says nothing of what its
// profile would have heard yet.
double coverage(const std::vector<LinkTrial>& trials, std::size_t index) {
  double least = 1;
  if (!trials[index].complete && trials[index].reads > 0) return least;
  for (const LinkTrial& other : trials) {
    least = std::min(least, share_of(other.tags, trials[index].tags));
  }
  return least;
}

}  // namespace

radio::Result<LinkTrial> try_link(radio::RadioModule& module, std::uint8_t antenna,
                                  std::uint16_t beam, radio::RoundWatch& watch) {
  LinkTrial trial;
  const std::uint64_t begin = module.now_ns();
  std::uint64_t now = begin;
  std::uint64_t expected = 0;
  while (now - begin < kLeastNs && watch.goes_on()) {
    Tally tally(trial);
    const std::uint64_t reads = trial.reads;
    const auto round = module.run_round({.antenna = antenna,
                                         .beam = beam,
                                         .tag_population = static_cast<std::uint16_t>(expected),
                                         .deadline_ns = begin + kLinkTrialNs,
                                         .watch = &watch,
                                         .stops_behind = true},
                                        tally);
    if (!round.ok()) return round.error();
    now = std::max(module.now_ns(), now + 1);
    const std::uint64_t first = round.value().first_command_ns;
    const std::uint64_t last = tally.last_ns > first ? tally.last_ns : now;
    trial.time_ns += last - std::min(first > 0 ? first : begin, last);
    trial.complete = trial.complete || round.value().end == radio::RoundEnd::kComplete;
    expected = std::min<std::uint64_t>(trial.reads - reads, 1000);
    if (round.value().end == radio::RoundEnd::kInterrupted) break;
  }
  std::sort(trial.tags.begin(), trial.tags.end());
  trial.tags.erase(std::unique(trial.tags.begin(), trial.tags.end()), trial.tags.end());
  return trial;
}

std::size_t best_trial(const std::vector<LinkTrial>& trials, std::size_t present) {
  double most_heard = 0;
  std::vector<double> heard;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    heard.push_back(trials[i].reads == 0 ? 0 : coverage(trials, i));
    most_heard = std::max(most_heard, heard.back());
  }
  if (most_heard == 0) return present;
  const double enough = std::min(kHearsAll, most_heard);
  std::size_t best = present;
  double rate = heard[present] >= enough ? trials[present].reads_per_second() * kClearlyBetter : 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (i == present || heard[i] < enough || trials[i].reads_per_second() <= rate) continue;
    best = i;
    rate = trials[i].reads_per_second();
  }
  return best;
}

}  // namespace singulate::inventory
