#include "inventory/inputs.h"

#include <utility>

#include "gen2/units.h"

namespace singulate::inventory {

bool is_high(const Inputs& inputs, radio::RadioModule& module, std::int64_t port) {
  if (const auto told = inputs.get(port)) return *told;
  return module.input_high(static_cast<std::uint8_t>(port)).value_or(true);
}

InputWatch::InputWatch(const std::vector<InputLevel>& levels) {
  for (const InputLevel& level : levels) waits_.push_back({.level = level});
}

bool InputWatch::met(const Inputs& inputs, radio::RadioModule& module) {
  const std::uint64_t now = module.now_ns();
  bool any = false;
  for (Wait& wait : waits_) {
    if (is_high(inputs, module, wait.level.port) != wait.level.high) {
      wait.since_ns.reset();
      wait.must_go = false;
      continue;
    }
    if (wait.must_go) continue;
    if (!wait.since_ns) wait.since_ns = now;
    const auto held = static_cast<std::uint64_t>(wait.level.debounce_ms) * kNsPerMs;
    any = any || now - *wait.since_ns >= held;
  }
  return any;
}

void InputWatch::need_edge() {
  for (Wait& wait : waits_) {
    wait.since_ns.reset();
    wait.must_go = true;
  }
}

}  // namespace singulate::inventory
