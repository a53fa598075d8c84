#include "addon/read_options.h"

#include <cstring>
#include <utility>

#include "addon/input.h"
#include "radio/replay/replay_radio.h"
#include "radio/virtual/virtual_radio.h"
#include "stream/read_record.h"

namespace singulate::addon {

namespace {

constexpr std::int64_t kDefaultQueueRecords = 65'536;
constexpr std::int64_t kMaxQueueRecords = 16'777'216;
constexpr std::int64_t kMaxSeed = 9'007'199'254'740'991;
constexpr std::int64_t kMaxU32 = 4'294'967'295;

void append(std::vector<Fault>& faults, std::vector<radio::OptionsFault> more) {
  for (radio::OptionsFault& fault : more) {
    faults.push_back({std::move(fault.field), std::move(fault.message)});
  }
}

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

radio::VirtualTag read_tag(const Input& input) {
  radio::VirtualTag tag;
  const Input::Bytes epc = input["epc"].bytes();
  tag.epc.assign(epc.data, epc.data + epc.size);
  tag.offset = read_point(input["offset"]);
  tag.sensitivity_dbm = input["sensitivityDbm"].number();
  return tag;
}

radio::VirtualGroup read_group(const Input& input) {
  radio::VirtualGroup group;
  for (const Input& waypoint : input["waypoints"].items()) {
    group.waypoints.push_back(read_waypoint(waypoint));
  }
  group.period_seconds = input["periodSeconds"].number();
  group.offset_seconds = input["offsetSeconds"].number_or(0);
  for (const Input& tag : input["tags"].items()) group.tags.push_back(read_tag(tag));
  return group;
}

std::unique_ptr<radio::RadioModule> read_virtual(const Input& input, std::vector<Fault>& faults) {
  radio::VirtualOptions options;
  options.paced = input["paced"].boolean();
  options.seed = static_cast<std::uint64_t>(input["seed"].integer(0, kMaxSeed));
  options.start_ns = input["startTimeNs"].bigint();
  for (const Input& item : input["antennas"].items()) {
    options.antennas.push_back({.port = static_cast<std::uint8_t>(item["port"].integer(1, 255)),
                                .position = read_point(item["position"]),
                                .pattern = {.gain_dbi = item["gainDbi"].number()}});
  }
  for (const Input& item : input["channelsKhz"].items()) {
    options.channels_khz.push_back(static_cast<std::uint32_t>(item.integer(1, kMaxU32)));
  }
  options.channel_rule.dwell_ms =
      static_cast<std::uint32_t>(input["channelDwellMs"].integer(0, kMaxU32));
  for (const Input& item : input["groups"].items()) options.groups.push_back(read_group(item));
  options.polarisation_loss_db =
      input["polarisationLossDb"].number_or(options.polarisation_loss_db);
  options.tag_gain_dbi = input["tagGainDbi"].number_or(options.tag_gain_dbi);
  options.modulation_loss_db = input["modulationLossDb"].number_or(options.modulation_loss_db);
  if (faults.empty()) append(faults, check_virtual_options(options));
  if (!faults.empty()) return nullptr;
  return std::make_unique<radio::VirtualRadio>(options);
}

radio::RecordedRead to_recorded(const std::uint8_t* bytes) {
  stream::ReadRecord record;
  std::memcpy(static_cast<void*>(&record), bytes, sizeof record);
  return {.time_ns = record.time_ns,
          .frequency_khz = record.frequency_khz,
          .rssi_cdbm = record.rssi_cdbm,
          .phase_cdeg = record.phase_cdeg,
          .pc = record.pc,
          .crc = record.crc,
          .antenna = record.antenna,
          .epc_bytes = record.epc_bytes,
          .epc = record.epc};
}

std::unique_ptr<radio::RadioModule> read_replay(const Input& input, std::vector<Fault>& faults) {
  radio::ReplayOptions options;
  options.paced = input["paced"].boolean();
  options.start_ns = input["startTimeNs"].bigint();
  if (input["model"].present()) options.model = input["model"].text();
  const Input records = input["records"];
  const Input::Bytes bytes = records.bytes();
  if (bytes.size % sizeof(stream::ReadRecord) != 0) {
    records.fault(std::to_string(bytes.size) + " bytes given; allowed: a multiple of 96");
  }
  if (faults.empty()) {
    options.reads.reserve(bytes.size / sizeof(stream::ReadRecord));
    for (std::size_t at = 0; at < bytes.size; at += sizeof(stream::ReadRecord)) {
      options.reads.push_back(to_recorded(bytes.data + at));
    }
    append(faults, check_replay_options(options));
  }
  if (!faults.empty()) return nullptr;
  return std::make_unique<radio::ReplayRadio>(std::move(options));
}

}  // namespace

OpenedOptions read_options(Napi::Env env, const Napi::Value& value) {
  std::vector<Fault> faults;
  const Input input(value, "", faults);
  OpenedOptions opened;
  if (!value.IsObject()) {
    faults.push_back({"", input.shown() + " given; allowed: an object of options"});
    throw violations_error(env, kInvalidOptions, faults);
  }
  const Input queue = input["queueRecords"];
  opened.queue_records = static_cast<std::size_t>(
      queue.present() ? queue.integer(1, kMaxQueueRecords) : kDefaultQueueRecords);
  const Input module = input["module"];
  const std::string kind = module.value().IsString() ? module.text() : "";
  if (kind == "virtual") {
    opened.module = read_virtual(input, faults);
  } else if (kind == "replay") {
    opened.module = read_replay(input, faults);
  } else {
    module.fault(module.shown() + R"( given; allowed: "virtual", "replay")");
  }
  if (!faults.empty()) throw violations_error(env, kInvalidOptions, faults);
  return opened;
}

}  // namespace singulate::addon
