#include "radio/virtual/channel_hopper.h"

#include <algorithm>
#include <utility>

#include "gen2/units.h"

namespace singulate::radio {

namespace {

// Its random numbers have nothing to do with those of the tags.
constexpr std::uint64_t kBusySeed = 0x62757379;

}  // namespace

ChannelHopper::ChannelHopper(std::vector<std::uint32_t> channels_khz, const ChannelRule& rule,
                             std::uint64_t seed)
    : channels_khz_(std::move(channels_khz)),
      uses_(channels_khz_.size()),
      off_ns_(rule.off_ms * kNsPerMs),
      window_ns_(rule.window_ms * kNsPerMs),
      occupancy_ns_(rule.occupancy_ms * kNsPerMs),
      listen_ns_(rule.listen_ms * kNsPerMs),
      busy_share_(rule.busy_share),
      random_(seed ^ kBusySeed) {
  // One channel that needs no pause is never left.
  if (channels_khz_.size() > 1 || off_ns_ > 0) stay_ns_ = rule.dwell_ms * kNsPerMs;
  if (window_ns_ > 0) stay_ns_ = std::min(stay_ns_, occupancy_ns_);
}

void ChannelHopper::next() {
  index_ = (index_ + 1) % channels_khz_.size();
  staying_ = false;
  until_ns_ = kNever;
}

std::uint64_t ChannelHopper::free_ns(std::uint64_t now_ns) const {
  const std::vector<Use>& uses = uses_[index_];
  if (staying_ || uses.empty()) return now_ns;
  return std::max({now_ns, uses.back().off_ns + off_ns_, unoccupied_ns(uses)});
}

std::uint64_t ChannelHopper::unoccupied_ns(const std::vector<Use>& uses) const {
  if (window_ns_ == 0) return 0;
  // Within the window that ends with the stay this much may have been used before. A use that
  // goes beyond it must leave that window at its early end.
  std::uint64_t left = occupancy_ns_ - stay_ns_;
  for (std::size_t i = uses.size(); i > 0; --i) {
    const Use& use = uses[i - 1];
    const std::uint64_t used = use.off_ns - use.on_ns;
    if (used > left) return use.off_ns - left + window_ns_ - stay_ns_;
    left -= used;
  }
  return 0;
}

bool ChannelHopper::found_busy() { return listen_ns_ > 0 && random_.unit() < busy_share_; }

void ChannelHopper::carrier_on(std::uint64_t now_ns) {
  if (staying_) return;
  staying_ = true;
  until_ns_ = stay_ns_ == kNever ? kNever : now_ns + stay_ns_;
  std::vector<Use>& uses = uses_[index_];
  const auto old = [&](const Use& use) { return use.off_ns + window_ns_ <= now_ns; };
  uses.erase(uses.begin(), std::find_if_not(uses.begin(), uses.end(), old));
  uses.push_back({.on_ns = now_ns, .off_ns = now_ns});
}

}  // namespace singulate::radio
