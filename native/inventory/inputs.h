// General purpose inputs as the loop sees them: levels that others tell, and those that the radio
// module knows by itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

// Levels that were told. Any thread.
class Inputs {
 public:
  // port: 1..kMaxInputs.
  void set(std::int64_t port, bool high) {
    levels_[static_cast<std::size_t>(port - 1)].store(high ? kHigh : kLow);
  }
  // Nothing if it was never told.
  [[nodiscard]] std::optional<bool> get(std::int64_t port) const {
    const std::uint8_t level = levels_[static_cast<std::size_t>(port - 1)].load();
    return level == kUntold ? std::nullopt : std::optional(level == kHigh);
  }

 private:
  static constexpr std::uint8_t kUntold = 0;
  static constexpr std::uint8_t kLow = 1;
  static constexpr std::uint8_t kHigh = 2;
  std::array<std::atomic<std::uint8_t>, kMaxInputs> levels_{};
};

// The level as it is now: what was told counts, then what the module knows. An input that nobody
// knows is high, as an open contact with its pull-up is.
bool is_high(const Inputs& inputs, radio::RadioModule& module, std::int64_t port);

// Waits for any of some levels, each with its debounce time.
class InputWatch {
 public:
  InputWatch() = default;
  explicit InputWatch(const std::vector<InputLevel>& levels);

  [[nodiscard]] bool empty() const { return waits_.empty(); }
  // Looks at the levels; true if one of them counts now.
  bool met(const Inputs& inputs, radio::RadioModule& module);
  // From now on a level counts only after it has gone.
  void need_edge();

 private:
  struct Wait {
    InputLevel level;
    std::optional<std::uint64_t> since_ns{};  // when it was there first
    bool must_go = false;
  };
  std::vector<Wait> waits_;
};

}  // namespace singulate::inventory
