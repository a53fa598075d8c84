// Which channel is used when, as the rule of the region says (reference section 13).
//
// A channel is used in stays: from the first time that the carrier is on in it until the next
// channel is chosen. The time of a stay runs on while the carrier is off for a moment, for another
// antenna or between two inventories, so no pattern of rounds makes a stay longer than the rule
// allows. The channels come in their order. If the next one may not be used yet for a whole stay,
// the carrier waits for it: skipping it would use the others more.
//
// What is sent in a slot cannot be broken off. Who sends therefore asks due() with the longest
// time that it may take, and the limits hold to the nanosecond.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "radio/virtual/random.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

class ChannelHopper {
 public:
  // At least one channel; a rule that passed check_virtual_options.
  ChannelHopper(std::vector<std::uint32_t> channels_khz, const ChannelRule& rule,
                std::uint64_t seed);

  [[nodiscard]] std::uint32_t channel_khz() const { return channels_khz_[index_]; }
  // The longest stay; the greatest number there is without any limit.
  [[nodiscard]] std::uint64_t stay_ns() const { return stay_ns_; }

  // Whether the stay might be over before `ahead_ns` from now.
  [[nodiscard]] bool due(std::uint64_t now_ns, std::uint64_t ahead_ns) const {
    return now_ns + ahead_ns > until_ns_;
  }
  // Ends the stay: the next channel. The carrier must be off.
  void next();

  // Before the carrier goes on: from when on, not before now, the rule allows it; for how long
  // the channel is listened to first; and whether it was found busy then.
  [[nodiscard]] std::uint64_t free_ns(std::uint64_t now_ns) const;
  [[nodiscard]] std::uint64_t listen_ns() const { return listen_ns_; }
  bool found_busy();

  void carrier_on(std::uint64_t now_ns);
  void carrier_off(std::uint64_t now_ns) { uses_[index_].back().off_ns = now_ns; }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  struct Use {
    std::uint64_t on_ns = 0;
    std::uint64_t off_ns = 0;
  };

  // From when on a whole stay keeps within the occupancy of the window.
  [[nodiscard]] std::uint64_t unoccupied_ns(const std::vector<Use>& uses) const;

  std::vector<std::uint32_t> channels_khz_;
  std::vector<std::vector<Use>> uses_;  // by channel: the last one, and those within the window
  std::uint64_t stay_ns_ = kNever;
  std::uint64_t off_ns_;
  std::uint64_t window_ns_;
  std::uint64_t occupancy_ns_;
  std::uint64_t listen_ns_;
  double busy_share_;
  Random random_;
  std::size_t index_ = 0;
  bool staying_ = false;
  std::uint64_t until_ns_ = kNever;  // of the stay
};

}  // namespace singulate::radio
