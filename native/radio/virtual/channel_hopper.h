// The channels in their order, each for its dwell time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace singulate::radio {

class ChannelHopper {
 public:
  // At least one channel. With one there is never a hop.
  ChannelHopper(std::vector<std::uint32_t> channels_khz, std::uint32_t dwell_ms)
      : channels_khz_(std::move(channels_khz)), dwell_ns_(dwell_ms * std::uint64_t{1'000'000}) {}

  // The dwell of the current channel begins.
  void start(std::uint64_t now_ns) { until_ns_ = now_ns + dwell_ns_; }
  [[nodiscard]] bool due(std::uint64_t now_ns) const {
    return channels_khz_.size() > 1 && now_ns >= until_ns_;
  }
  // To the next channel; start() when its carrier is on.
  void hop() { index_ = (index_ + 1) % channels_khz_.size(); }
  [[nodiscard]] std::uint32_t channel_khz() const { return channels_khz_[index_]; }

 private:
  std::vector<std::uint32_t> channels_khz_;
  std::uint64_t dwell_ns_;
  std::uint64_t until_ns_ = 0;
  std::size_t index_ = 0;
};

}  // namespace singulate::radio
