#include "inventory/link_chooser.h"

#include <algorithm>

#include "gen2/units.h"
#include "inventory/link_trial.h"
#include "inventory/radio_settings.h"

namespace singulate::inventory {

namespace {

// How long tags are waited for before the first check.
constexpr std::uint64_t kWaitForTagsNs = 1'000 * kNsPerMs;
constexpr std::uint64_t kLeastPauseNs = 5'000 * kNsPerMs;
constexpr std::uint64_t kPauseTimes = 32;
// A check shall be no more than a part of what is left of the reading.
constexpr std::uint64_t kLeastLeft = 4;

}  // namespace

void LinkChooser::begin_plan(const InventoryPlan& plan, const radio::Capabilities& radio) {
  const std::lock_guard lock(mutex_);
  const std::string first =
      plan.link_profile.empty() ? radio.link_profiles.front() : plan.link_profile;
  const bool chooses = plan.link_profile_candidates.size() > 1 && !radio.sequences_antennas;
  const auto has = [&](const std::string& name) {
    return std::find(candidates_.begin(), candidates_.end(), name) != candidates_.end();
  };
  candidates_ = chooses ? plan.link_profile_candidates : std::vector<std::string>{};
  if (chooses && !has(first)) candidates_.push_back(first);
  if (!has(profile_)) profile_ = first;
  present_ = static_cast<std::size_t>(std::find(candidates_.begin(), candidates_.end(), profile_) -
                                      candidates_.begin());
  reads_.assign(plan.antennas.size(), 0);
  next_ns_ = 0;
  silent_turn_ = 0;
  checked_ = false;
}

std::string LinkChooser::profile() const {
  const std::lock_guard lock(mutex_);
  return profile_;
}

bool LinkChooser::due(std::size_t antenna, std::uint64_t reads, std::uint64_t now_ns,
                      std::uint64_t left_ns) {
  if (candidates_.size() < 2) return false;
  if (next_ns_ == 0) next_ns_ = now_ns + kWaitForTagsNs;
  reads_[antenna] += reads;
  const bool first = !checked_ && reads > 0;
  if ((now_ns < next_ns_ && !first) || left_ns < kLeastLeft * candidates_.size() * kLinkTrialNs) {
    return false;
  }
  // On an antenna that stands for what is read, not on one with a single tag at its edge.
  const std::uint64_t most = *std::max_element(reads_.begin(), reads_.end());
  return most > 0 ? reads_[antenna] * 2 >= most : antenna == silent_turn_;
}

radio::Status LinkChooser::check(radio::RadioModule& module, const InventoryPlan& plan,
                                 std::size_t antenna, radio::RoundWatch& watch) {
  const InventoryPlan::Antenna& at = plan.antennas[antenna];
  const std::uint64_t begin = module.now_ns();
  const std::size_t before = present_;
  std::vector<LinkTrial> trials;
  for (std::size_t i = 0; i < candidates_.size() && watch.goes_on(); ++i) {
    if (auto status = use(module, plan, i); !status.ok()) return status;
    auto trial = try_link(module, static_cast<std::uint8_t>(at.port),
                          static_cast<std::uint16_t>(at.beam), watch);
    if (!trial.ok()) return trial.error();
    trials.push_back(trial.value());
  }
  const bool whole = trials.size() == candidates_.size();
  if (auto status = use(module, plan, whole ? best_trial(trials, before) : before); !status.ok()) {
    return status;
  }
  const std::uint64_t now = module.now_ns();
  next_ns_ = now + std::max(kLeastPauseNs, kPauseTimes * (now - begin));
  std::fill(reads_.begin(), reads_.end(), 0);
  silent_turn_ = (antenna + 1) % reads_.size();
  checked_ = true;
  counters_.link_checks.add(1);
  counters_.link_check_ns.add(now - begin);
  if (present_ == before) return {};
  counters_.link_changes.add(1);
  const std::lock_guard lock(mutex_);
  profile_ = candidates_[present_];
  return {};
}

radio::Status LinkChooser::use(radio::RadioModule& module, const InventoryPlan& plan,
                               std::size_t candidate) {
  present_ = candidate;
  return module.change(settings_for(plan, candidates_[candidate]));
}

}  // namespace singulate::inventory
