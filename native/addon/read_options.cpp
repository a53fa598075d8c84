#include "addon/read_options.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "addon/input.h"
#include "addon/read_field.h"
#include "radio/drivers.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/replay/replay_radio.h"
#include "radio/virtual/virtual_radio.h"
#include "stream/read_record.h"

namespace singulate::addon {

namespace {

constexpr std::int64_t kDefaultQueueRecords = 65'536;
constexpr std::int64_t kMaxQueueRecords = 16'777'216;
constexpr std::int64_t kMaxBaud = 4'000'000;
constexpr std::int64_t kMaxRegion = 255;

std::unique_ptr<radio::RadioModule> read_virtual(const Input& input, std::vector<Fault>& faults) {
  const bool paced = input["paced"].boolean();
  radio::VirtualOptions options = read_field(input);
  options.paced = paced;
  if (input["imitate"].present()) options.imitate = input["imitate"].text();
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
    records.fault(std::to_string(bytes.size) + " bytes given; allowed: a multiple of " +
                  std::to_string(sizeof(stream::ReadRecord)));
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

std::uint32_t read_baud(const Input& input, std::uint32_t otherwise) {
  return input.present() ? static_cast<std::uint32_t>(input.integer(0, kMaxBaud)) : otherwise;
}

std::vector<std::uint8_t> read_pins(const Input& list) {
  std::vector<std::uint8_t> pins;
  if (!list.present()) return pins;
  for (const Input& item : list.items()) {
    pins.push_back(static_cast<std::uint8_t>(item.integer(1, radio::mercury::kMostPins)));
  }
  return pins;
}

std::string read_path(const Input& input) {
  const Input path = input["path"];
  std::string text = path.text();
  if (text.empty() || text.front() != '/' || text.find('\0') != std::string::npos) {
    path.fault(path.shown() + " given; allowed: an absolute path");
  }
  return text;
}

std::unique_ptr<radio::RadioModule> read_mercury(const Input& input, std::vector<Fault>& faults) {
  radio::mercury::MercuryOptions options;
  options.path = read_path(input);
  options.baud = read_baud(input["baud"], options.baud);
  options.work_baud = read_baud(input["workBaud"], options.work_baud);
  if (input["region"].present()) {
    options.region = static_cast<std::uint8_t>(input["region"].integer(0, kMaxRegion));
  }
  options.input_pins = read_pins(input["inputPins"]);
  options.output_pins = read_pins(input["outputPins"]);
  if (!faults.empty()) return nullptr;
  return std::make_unique<radio::mercury::MercuryRadio>(std::move(options));
}

std::unique_ptr<radio::RadioModule> read_driver(const radio::Driver& driver, const Input& input,
                                                std::vector<Fault>& faults) {
  radio::DriverOptions options;
  options.path = read_path(input);
  const Input settings = input["settings"];
  if (settings.present() && !settings.value().IsObject()) {
    settings.fault(settings.shown() + " given; allowed: an object of strings");
  } else if (settings.present()) {
    const Napi::Array names = settings.value().As<Napi::Object>().GetPropertyNames();
    for (std::uint32_t i = 0; i < names.Length(); ++i) {
      const std::string name = names.Get(i).ToString();
      options.settings[name] = settings[name.c_str()].text();
    }
  }
  std::unique_ptr<radio::RadioModule> module;
  if (faults.empty()) {
    std::vector<radio::OptionsFault> found;
    module = driver.make(options, found);
    append(faults, found);
    if (faults.empty() && module == nullptr) input.fault("the driver made no module");
  }
  if (!faults.empty()) return nullptr;
  return module;
}

std::string known_modules() {
  std::string all = R"("virtual", "replay", "mercury")";
  for (const auto& one : radio::drivers()) all += ", \"" + std::string(one.name) + "\"";
  return all;
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
  } else if (kind == "mercury") {
    opened.module = read_mercury(input, faults);
    opened.open_later = true;
  } else if (const radio::Driver* driver = radio::find_driver(kind)) {
    opened.module = read_driver(*driver, input, faults);
    opened.open_later = true;
  } else {
    module.fault(module.shown() + " given; allowed: " + known_modules());
  }
  if (!faults.empty()) throw violations_error(env, kInvalidOptions, faults);
  return opened;
}

}  // namespace singulate::addon
