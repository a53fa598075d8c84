#include "radio/virtual/virtual_options.h"

#include <bitset>
#include <cmath>
#include <cstdio>
#include <string>

#include "radio/features.h"

namespace singulate::radio {

namespace {

constexpr std::size_t kMostFaults = 20;
constexpr std::uint32_t kMinChannelKhz = 100'000;
constexpr std::uint32_t kMaxChannelKhz = 10'000'000;
// The carrier goes off when the next slot might not end in time, and the longest slot of the
// slowest link takes some 50 ms: a shorter time would leave no room for any.
constexpr std::uint32_t kMinDwellMs = 100;
constexpr std::uint32_t kDayMs = 86'400'000;
constexpr std::size_t kMostBeams = 511;
constexpr std::size_t kMostMemoryBytes = 62;
constexpr unsigned kMostEpcWords = 31;
constexpr std::uint32_t kMostWriteUs = 20'000;  // an interrogator does not wait longer
constexpr unsigned kMostLockBits = 0x3FF;
constexpr std::size_t kMaxModels = 65'535;
constexpr double kMinTurnSeconds = 0.1;
constexpr double kMaxTurnSeconds = 86'400;

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
  void direction(const std::string& field, const Point& point) {
    const double square = point.x * point.x + point.y * point.y + point.z * point.z;
    if (!(square >= 1e-12 && square <= 1e12)) {
      fault(field, "no length given; allowed: a direction, 1e-6..1e6 long");
    }
  }
  void words(const std::string& field, std::size_t bytes, std::size_t most) {
    if (bytes <= most && bytes % 2 == 0) return;
    fault(field, std::to_string(bytes) + " bytes given; allowed: an even number, 0.." +
                     std::to_string(most));
  }
  std::vector<OptionsFault> take() { return std::move(faults_); }

 private:
  std::vector<OptionsFault> faults_;
};

std::string at(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

void check_pattern(const Pattern& pattern, const std::string& field, Checker& check) {
  check.range(field + ".gainDbi", pattern.gain_dbi, -50, 50);
  if (pattern.width_deg == 0) return;
  check.range(field + ".widthDeg", pattern.width_deg, 10, 180);
  check.direction(field + ".direction", pattern.direction);
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
    check_pattern(antenna.pattern, field, check);
    check.range(field + ".cableLossDb", antenna.cable_loss_db, 0, 50);
    if (antenna.axis) check.direction(field + ".axis", *antenna.axis);
    if (antenna.beams.size() > kMostBeams) {
      check.fault(field + ".beams",
                  std::to_string(antenna.beams.size()) + " given; allowed: at most 511");
    }
    for (std::size_t beam = 0; beam < antenna.beams.size() && !check.full(); ++beam) {
      check_pattern(antenna.beams[beam], at(field + ".beams", beam), check);
    }
  }
}

void check_channels(const VirtualOptions& options, Checker& check) {
  if (options.channels_khz.empty()) {
    check.fault("channelsKhz", "none given; allowed: at least one channel");
  }
  for (std::size_t i = 0; i < options.channels_khz.size(); ++i) {
    check.range(at("channelsKhz", i), options.channels_khz[i], kMinChannelKhz, kMaxChannelKhz);
  }
}

void check_channel_rule(const VirtualOptions& options, Checker& check) {
  const ChannelRule& rule = options.channel_rule;
  // With one channel that needs no pause there is never a hop.
  if (options.channels_khz.size() > 1 || rule.off_ms > 0) {
    check.range("channelRule.dwellMs", rule.dwell_ms, kMinDwellMs, kDayMs);
  }
  check.range("channelRule.offMs", rule.off_ms, 0, kDayMs);
  check.range("channelRule.windowMs", rule.window_ms, 0, kDayMs);
  if (rule.window_ms > 0) {
    check.range("channelRule.occupancyMs", rule.occupancy_ms, kMinDwellMs, rule.window_ms);
  } else if (rule.occupancy_ms > 0) {
    check.fault("channelRule.occupancyMs", "given without windowMs; allowed: both or none");
  }
  check.range("channelRule.listenMs", rule.listen_ms, 0, kDayMs);
  check.range("channelRule.busyShare", rule.busy_share, 0, 0.95);
}

void check_inputs(const VirtualOptions& options, Checker& check) {
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    const InputScript& script = options.inputs[i];
    const std::string field = at("inputs", i);
    check.range(field + ".port", script.port, 1, 16);
    for (std::size_t before = 0; before < i; ++before) {
      if (options.inputs[before].port != script.port) continue;
      check.fault(field + ".port",
                  std::to_string(script.port) + " given twice; allowed: each port once");
    }
    double last = 0;
    for (std::size_t change = 0; change < script.change_seconds.size(); ++change) {
      const double seconds = script.change_seconds[change];
      if (!(seconds >= last) || !std::isfinite(seconds)) {
        check.fault(at(field + ".changeSeconds", change), "allowed: ascending times from 0 on");
      }
      last = std::max(last, seconds);
    }
    const bool periodic = script.period_seconds > 0 && std::isfinite(script.period_seconds);
    if (script.period_seconds != 0 && !(periodic && script.period_seconds > last)) {
      check.fault(field + ".periodSeconds",
                  "allowed: 0 (once) or more seconds than the last change has");
    }
  }
}

void check_models(const VirtualOptions& options, Checker& check) {
  if (options.models.empty() || options.models.size() > kMaxModels) {
    check.fault("models",
                std::to_string(options.models.size()) + " given; allowed: 1..65535, or left out");
  }
  for (std::size_t i = 0; i < options.models.size() && !check.full(); ++i) {
    const VirtualTagModel& model = options.models[i];
    const std::string field = at("models", i);
    check.range(field + ".epcWords", model.epc_words, 1, kMostEpcWords);
    check.range(field + ".writeSensitivityDbm", model.write_sensitivity_dbm, -100, 100);
    check.range(field + ".writeUsPerWord", model.write_us_per_word, 0, kMostWriteUs);
  }
}

void check_simulation(const VirtualOptions& options, Checker& check) {
  check.range("polarisationLossDb", options.polarisation_loss_db, 0, 100);
  check.range("tagGainDbi", options.tag_gain_dbi, -50, 50);
  check.range("modulationLossDb", options.modulation_loss_db, 0, 100);
  if (options.fading) {
    check.range("fading.kDb", options.fading->k_db, -20, 60);
    check.range("fading.holdMs", options.fading->hold_ms, 1, kDayMs);
  }
  if (options.capture_db) check.range("captureDb", *options.capture_db, 0, 60);
  check.range("replyLoss", options.reply_loss, 0, 1);
  for (std::size_t i = 0; i < options.interference.size(); ++i) {
    const VirtualInterference& one = options.interference[i];
    const std::string field = at("interference", i);
    check.range(field + ".levelDb", one.level_db, 0, 80);
    check.range(field + ".fromSeconds", one.from_seconds, 0, 1e9);
    check.range(field + ".untilSeconds", one.until_seconds, one.from_seconds, 1e9);
  }
  check.range("qStep", options.q_step, 0.1, 0.5);
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
  if (group.turn_seconds != 0) {
    check.range(field + ".turnSeconds", group.turn_seconds, kMinTurnSeconds, kMaxTurnSeconds);
  }
}

void check_tags(const VirtualGroup& group, const std::vector<VirtualTagModel>& models,
                const std::string& field, Checker& check) {
  for (std::size_t i = 0; i < group.tags.size() && !check.full(); ++i) {
    const VirtualTag& tag = group.tags[i];
    const std::string name = at(field + ".tags", i);
    check.words(name + ".epc", tag.epc.size(), kMostMemoryBytes);
    check.point(name + ".offset", tag.offset);
    check.range(name + ".sensitivityDbm", tag.sensitivity_dbm, -100, 100);
    if (tag.axis) check.direction(name + ".axis", *tag.axis);
    check.words(name + ".tid", tag.tid.size(), kMostMemoryBytes);
    check.range(name + ".lock", tag.lock, 0, kMostLockBits);
    if (tag.model < models.size()) {
      check.words(name + ".user", tag.user.size(), std::size_t{2} * models[tag.model].user_words);
    } else {
      check.fault(name + ".model", std::to_string(tag.model) +
                                       " given; allowed: an index into the " +
                                       std::to_string(models.size()) + " models");
    }
  }
}

void check_imitate(const VirtualOptions& options, Checker& check) {
  const Features* features = find_features(options.imitate);
  // A recording has rounds of its own.
  if (features != nullptr && features->has(Feature::kSelects)) return;
  std::string names;
  for (const Features& one : feature_tables()) {
    if (one.has(Feature::kSelects)) names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  check.fault("imitate", "\"" + options.imitate + "\" given; allowed: " + names);
}

}  // namespace

std::vector<OptionsFault> check_virtual_options(const VirtualOptions& options) {
  Checker check;
  check_imitate(options, check);
  check_antennas(options, check);
  check_channels(options, check);
  check_channel_rule(options, check);
  check_simulation(options, check);
  check_inputs(options, check);
  check_models(options, check);
  for (std::size_t i = 0; i < options.groups.size() && !check.full(); ++i) {
    const std::string field = at("groups", i);
    check_way(options.groups[i], field, check);
    check_tags(options.groups[i], options.models, field, check);
  }
  return check.take();
}

}  // namespace singulate::radio
