#include "addon/read_field.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "radio/virtual/virtual_options.h"

namespace singulate::addon {

namespace {

constexpr std::int64_t kMaxSeed = 9'007'199'254'740'991;
constexpr std::int64_t kMaxU16 = 65'535;

radio::Point read_point(const Input& input) {
  const auto items = input.items();
  if (items.size() != 3) {
    if (input.value().IsArray()) input.fault("allowed: three numbers of metres");
    return {};
  }
  return {.x = items[0].number(), .y = items[1].number(), .z = items[2].number()};
}

radio::Waypoint read_waypoint(const Input& input) {
  const auto items = input.items();
  if (items.size() != 4) {
    if (input.value().IsArray()) input.fault("allowed: four numbers: seconds, x, y, z");
    return {};
  }
  return {.seconds = items[0].number(),
          .position = {.x = items[1].number(), .y = items[2].number(), .z = items[3].number()}};
}

bool given_object(const Input& input) {
  if (!input.present()) return false;
  if (input.value().IsObject() && !input.value().IsArray()) return true;
  input.fault(input.shown() + " given; allowed: an object");
  return false;
}

std::uint32_t read_u32(const Input& input, std::uint32_t otherwise) {
  return input.present() ? static_cast<std::uint32_t>(input.integer(0, kMaxU32)) : otherwise;
}

std::uint16_t read_u16(const Input& input, std::uint16_t otherwise) {
  return input.present() ? static_cast<std::uint16_t>(input.integer(0, kMaxU16)) : otherwise;
}

bool read_flag(const Input& input) { return input.present() && input.boolean(); }

std::optional<radio::Point> read_axis(const Input& input) {
  return input.present() ? std::optional(read_point(input)) : std::nullopt;
}

std::vector<std::uint8_t> read_bytes(const Input& input) {
  const Input::Bytes bytes = input.bytes();
  return {bytes.data, bytes.data + bytes.size};
}

std::vector<std::uint8_t> read_optional_bytes(const Input& input) {
  return input.present() ? read_bytes(input) : std::vector<std::uint8_t>{};
}

radio::Pattern read_pattern(const Input& input) {
  radio::Pattern pattern;
  pattern.gain_dbi = input["gainDbi"].number();
  if (input["direction"].present()) pattern.direction = read_point(input["direction"]);
  pattern.width_deg = input["widthDeg"].number_or(pattern.width_deg);
  return pattern;
}

radio::VirtualAntenna read_virtual_antenna(const Input& input) {
  radio::VirtualAntenna antenna;
  antenna.port = static_cast<std::uint8_t>(input["port"].integer(1, 255));
  antenna.position = read_point(input["position"]);
  antenna.pattern = read_pattern(input);
  antenna.cable_loss_db = input["cableLossDb"].number_or(antenna.cable_loss_db);
  antenna.axis = read_axis(input["axis"]);
  if (input["beams"].present()) {
    for (const Input& beam : input["beams"].items()) antenna.beams.push_back(read_pattern(beam));
  }
  return antenna;
}

radio::VirtualTagModel read_model(const Input& input) {
  radio::VirtualTagModel model;
  model.name = input["name"].text();
  model.epc_words = read_u16(input["epcWords"], model.epc_words);
  model.user_words = read_u16(input["userWords"], model.user_words);
  model.write_sensitivity_dbm = input["writeSensitivityDbm"].number_or(model.write_sensitivity_dbm);
  model.write_us_per_word = read_u32(input["writeUsPerWord"], model.write_us_per_word);
  model.block_write = read_flag(input["blockWrite"]);
  model.block_permalock = read_flag(input["blockPermalock"]);
  model.untraceable = read_flag(input["untraceable"]);
  return model;
}

radio::VirtualTag read_tag(const Input& input) {
  radio::VirtualTag tag;
  tag.epc = read_bytes(input["epc"]);
  tag.offset = read_point(input["offset"]);
  tag.sensitivity_dbm = input["sensitivityDbm"].number();
  tag.model = read_u16(input["model"], tag.model);
  tag.axis = read_axis(input["axis"]);
  tag.tid = read_optional_bytes(input["tid"]);
  tag.user = read_optional_bytes(input["user"]);
  tag.kill_password = read_u32(input["killPassword"], tag.kill_password);
  tag.access_password = read_u32(input["accessPassword"], tag.access_password);
  tag.lock = read_u16(input["lock"], tag.lock);
  return tag;
}

radio::VirtualGroup read_group(const Input& input) {
  radio::VirtualGroup group;
  for (const Input& waypoint : input["waypoints"].items()) {
    group.waypoints.push_back(read_waypoint(waypoint));
  }
  group.period_seconds = input["periodSeconds"].number();
  group.offset_seconds = input["offsetSeconds"].number_or(group.offset_seconds);
  group.turn_seconds = input["turnSeconds"].number_or(group.turn_seconds);
  for (const Input& tag : input["tags"].items()) group.tags.push_back(read_tag(tag));
  return group;
}

radio::InputScript read_input_script(const Input& input) {
  radio::InputScript script;
  script.port = static_cast<std::uint8_t>(input["port"].integer(1, 16));
  script.high = input["high"].present() ? input["high"].boolean() : script.high;
  for (const Input& item : input["changeSeconds"].items()) {
    script.change_seconds.push_back(item.number());
  }
  script.period_seconds = input["periodSeconds"].number_or(script.period_seconds);
  return script;
}

radio::ChannelRule read_channel_rule(const Input& input) {
  radio::ChannelRule rule;
  if (!given_object(input)) return rule;
  rule.dwell_ms = read_u32(input["dwellMs"], rule.dwell_ms);
  rule.off_ms = read_u32(input["offMs"], rule.off_ms);
  rule.window_ms = read_u32(input["windowMs"], rule.window_ms);
  rule.occupancy_ms = read_u32(input["occupancyMs"], rule.occupancy_ms);
  rule.listen_ms = read_u32(input["listenMs"], rule.listen_ms);
  rule.busy_share = input["busyShare"].number_or(rule.busy_share);
  return rule;
}

std::optional<radio::Fading> read_fading(const Input& input) {
  if (!given_object(input)) return std::nullopt;
  radio::Fading fading;
  fading.k_db = input["kDb"].number_or(fading.k_db);
  fading.hold_ms = read_u32(input["holdMs"], fading.hold_ms);
  return fading;
}

radio::VirtualInterference read_interference(const Input& input) {
  radio::VirtualInterference source;
  source.level_db = input["levelDb"].number();
  source.from_seconds = input["fromSeconds"].number_or(source.from_seconds);
  source.until_seconds = input["untilSeconds"].number_or(source.until_seconds);
  return source;
}

radio::FramePolicyKind read_frame_policy(const Input& input) {
  if (!input.present()) return radio::FramePolicyKind::kAdaptive;
  const std::string name = input.value().IsString() ? input.text() : "";
  if (name == "adaptive") return radio::FramePolicyKind::kAdaptive;
  if (name == "q-algorithm") return radio::FramePolicyKind::kQAlgorithm;
  if (name == "known-population") return radio::FramePolicyKind::kKnownPopulation;
  input.fault(input.shown() + R"( given; allowed: "adaptive", "q-algorithm", "known-population")");
  return radio::FramePolicyKind::kAdaptive;
}

}  // namespace

radio::VirtualOptions read_field(const Input& input) {
  radio::VirtualOptions options;
  options.seed = static_cast<std::uint64_t>(input["seed"].integer(0, kMaxSeed));
  options.start_ns = input["startTimeNs"].bigint();
  options.frame_policy = read_frame_policy(input["framePolicy"]);
  options.q_step = input["qStep"].number_or(options.q_step);
  for (const Input& item : input["antennas"].items()) {
    options.antennas.push_back(read_virtual_antenna(item));
  }
  for (const Input& item : input["channelsKhz"].items()) {
    options.channels_khz.push_back(static_cast<std::uint32_t>(item.integer(1, kMaxU32)));
  }
  options.channel_rule = read_channel_rule(input["channelRule"]);
  if (input["inputs"].present()) {
    for (const Input& item : input["inputs"].items()) {
      options.inputs.push_back(read_input_script(item));
    }
  }
  if (input["models"].present()) {
    options.models.clear();
    for (const Input& item : input["models"].items()) options.models.push_back(read_model(item));
  }
  for (const Input& item : input["groups"].items()) options.groups.push_back(read_group(item));
  options.polarisation_loss_db =
      input["polarisationLossDb"].number_or(options.polarisation_loss_db);
  options.tag_gain_dbi = input["tagGainDbi"].number_or(options.tag_gain_dbi);
  options.modulation_loss_db = input["modulationLossDb"].number_or(options.modulation_loss_db);
  options.fading = read_fading(input["fading"]);
  if (input["captureDb"].present()) options.capture_db = input["captureDb"].number();
  options.reply_loss = input["replyLoss"].number_or(options.reply_loss);
  if (input["interference"].present()) {
    for (const Input& item : input["interference"].items()) {
      options.interference.push_back(read_interference(item));
    }
  }
  return options;
}

void append(std::vector<Fault>& faults, std::vector<radio::OptionsFault> more) {
  for (radio::OptionsFault& fault : more) {
    faults.push_back({std::move(fault.field), std::move(fault.message)});
  }
}

}  // namespace singulate::addon
