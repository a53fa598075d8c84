#include "radio/mercury/antenna_ports.h"

#include <algorithm>

#include "gen2/units.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::uint64_t kFirstPauseNs = 10'000 * kNsPerMs;
constexpr std::uint64_t kLongestPauseNs = 60'000 * kNsPerMs;

bool has_antenna(std::span<const PortState> ports, std::uint8_t number) {
  return std::any_of(ports.begin(), ports.end(), [number](const PortState& port) {
    return port.number == number && port.connected;
  });
}

}  // namespace

bool AntennaPorts::is_missing(std::uint8_t port) const {
  return std::find(missing_.begin(), missing_.end(), port) != missing_.end();
}

bool AntennaPorts::complained(std::span<const PortState> ports, std::span<const std::uint8_t> used,
                              std::uint64_t now_ns) {
  const std::size_t before = missing_.size();
  for (const std::uint8_t port : used) {
    if (!has_antenna(ports, port) && !is_missing(port)) missing_.push_back(port);
  }
  std::sort(missing_.begin(), missing_.end());
  ask_ns_ = now_ns + kFirstPauseNs;
  if (missing_.size() == before) return false;
  ask_ns_ = 0;
  pause_ns_ = kFirstPauseNs;
  look_ns_ = now_ns + pause_ns_;
  return true;
}

void AntennaPorts::update(std::span<const PortState> ports, std::uint64_t now_ns) {
  const auto back =
      std::erase_if(missing_, [&](std::uint8_t port) { return has_antenna(ports, port); });
  if (back > 0) ask_ns_ = 0;
  if (now_ns < look_ns_) return;
  pause_ns_ = std::clamp(2 * pause_ns_, kFirstPauseNs, kLongestPauseNs);
  look_ns_ = now_ns + pause_ns_;
}

void AntennaPorts::keep(std::span<const std::uint8_t> used) {
  std::erase_if(missing_, [&](std::uint8_t port) {
    return std::find(used.begin(), used.end(), port) == used.end();
  });
}

std::string AntennaPorts::text() const {
  if (missing_.empty()) return {};
  std::string text = missing_.size() == 1 ? "no antenna on port " : "no antenna on ports ";
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    if (i > 0) text += i + 1 == missing_.size() ? " and " : ", ";
    text += std::to_string(missing_[i]);
  }
  return text;
}

}  // namespace singulate::radio::mercury
