#include "radio/virtual/virtual_options.h"

#include <bitset>
#include <cmath>
#include <cstdio>
#include <string>

namespace singulate::radio {

namespace {

constexpr std::size_t kMostFaults = 20;
constexpr std::uint32_t kMinChannelKhz = 100'000;
constexpr std::uint32_t kMaxChannelKhz = 10'000'000;

class Checker {
 public:
  [[nodiscard]] bool full() const { return faults_.size() >= kMostFaults; }
  void fault(const std::string& field, const std::string& message) {
    faults_.push_back({field, message});
  }
  void range(const std::string& field, double value, double low, double high) {
    if (value >= low && value <= high) return;
    char text[120];
    (void)std::snprintf(text, sizeof text, "%g given; allowed: %g..%g", value, low, high);
    fault(field, text);
  }
  void point(const std::string& field, const Point& point) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) {
      fault(field, "not finite; allowed: three numbers of metres");
    }
  }
  std::vector<OptionsFault> take() { return std::move(faults_); }

 private:
  std::vector<OptionsFault> faults_;
};

std::string at(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

void check_antennas(const VirtualOptions& options, Checker& check) {
  if (options.antennas.empty()) check.fault("antennas", "none given; allowed: 1..255 antennas");
  std::bitset<256> ports;
  for (std::size_t i = 0; i < options.antennas.size(); ++i) {
    const VirtualAntenna& antenna = options.antennas[i];
    const std::string field = at("antennas", i);
    if (antenna.port == 0) check.fault(field + ".port", "0 given; allowed: 1..255");
    if (ports.test(antenna.port)) {
      check.fault(field + ".port",
                  std::to_string(antenna.port) + " given twice; allowed: each port once");
    }
    ports.set(antenna.port);
    check.point(field + ".position", antenna.position);
    check.range(field + ".gainDbi", antenna.pattern.gain_dbi, -50, 50);
  }
}

void check_channels(const VirtualOptions& options, Checker& check) {
  if (options.channels_khz.empty()) {
    check.fault("channelsKhz", "none given; allowed: at least one channel");
  }
  for (std::size_t i = 0; i < options.channels_khz.size(); ++i) {
    check.range(at("channelsKhz", i), options.channels_khz[i], kMinChannelKhz, kMaxChannelKhz);
  }
  if (options.channels_khz.size() > 1) {
    check.range("channelDwellMs", options.channel_rule.dwell_ms, 1, 86'400'000);
  }
}

void check_way(const VirtualGroup& group, const std::string& field, Checker& check) {
  if (group.waypoints.empty()) {
    check.fault(field + ".waypoints", "none given; allowed: at least one");
    return;
  }
  for (std::size_t i = 0; i < group.waypoints.size(); ++i) {
    const Waypoint& waypoint = group.waypoints[i];
    const std::string name = at(field + ".waypoints", i);
    check.point(name, waypoint.position);
    if (!std::isfinite(waypoint.seconds)) {
      check.fault(name, "not finite; allowed: a number of seconds");
    } else if (i > 0 && waypoint.seconds <= group.waypoints[i - 1].seconds) {
      check.fault(name, "not later than the waypoint before it; allowed: ascending times");
    }
  }
  const double last = group.waypoints.back().seconds;
  if (!(group.period_seconds >= 0) || !std::isfinite(group.period_seconds)) {
    check.fault(field + ".periodSeconds", "allowed: 0 (once) or a number of seconds");
  } else if (group.waypoints.size() > 1 && group.period_seconds > 0 &&
             group.period_seconds < last - group.waypoints.front().seconds) {
    check.fault(field + ".periodSeconds", "shorter than the way; allowed: at least its duration");
  }
  if (!std::isfinite(group.offset_seconds)) {
    check.fault(field + ".offsetSeconds", "not finite; allowed: a number of seconds");
  }
}

void check_tags(const VirtualGroup& group, const std::string& field, Checker& check) {
  for (std::size_t i = 0; i < group.tags.size() && !check.full(); ++i) {
    const VirtualTag& tag = group.tags[i];
    const std::string name = at(field + ".tags", i);
    if (tag.epc.size() > 62 || tag.epc.size() % 2 != 0) {
      check.fault(name + ".epc",
                  std::to_string(tag.epc.size()) + " bytes given; allowed: an even number, 0..62");
    }
    check.point(name + ".offset", tag.offset);
    check.range(name + ".sensitivityDbm", tag.sensitivity_dbm, -100, 100);
  }
}

}  // namespace

std::vector<OptionsFault> check_virtual_options(const VirtualOptions& options) {
  Checker check;
  check_antennas(options, check);
  check_channels(options, check);
  check.range("polarisationLossDb", options.polarisation_loss_db, 0, 100);
  check.range("tagGainDbi", options.tag_gain_dbi, -50, 50);
  check.range("modulationLossDb", options.modulation_loss_db, 0, 100);
  for (std::size_t i = 0; i < options.groups.size() && !check.full(); ++i) {
    const std::string field = at("groups", i);
    check_way(options.groups[i], field, check);
    check_tags(options.groups[i], field, check);
  }
  return check.take();
}

}  // namespace singulate::radio
