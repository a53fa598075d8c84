#include "emulator/mercury/module.h"

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/mercury/access_answer.h"
#include "emulator/mercury/product.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::Frame;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

constexpr std::chrono::milliseconds kIdleWait{20};
// A frame that has begun and does not go on for so long will not be finished.
constexpr std::chrono::milliseconds kQuiet{50};
constexpr std::array<std::uint32_t, 9> kRates{9600,    19'200,  38'400,  57'600,   115'200,
                                              230'400, 460'800, 921'600, 1'000'000};

}  // namespace

Module::Module(const Profile& profile, const radio::VirtualOptions& field, int descriptor,
               ModuleOptions options)
    : profile_(profile),
      field_(field),
      options_(options),
      line_(descriptor, options.line_paced),
      air_(profile, field, options.line_paced),
      settings_(profile, air_.antennas(), field.channels_khz),
      program_(profile.starts_in_bootloader ? Program::kBootloader : Program::kApplication),
      buffer_(profile) {
  line_.heed_host_rate(options.heeds_host_rate);
}

void Module::run() {
  while (!stopped()) {
    if (!step()) line_.wait(kIdleWait);
  }
}

bool Module::step() {
  do_posted();
  if (stream_) {
    stream_cycle();
    return true;
  }
  const bool came = take_input();
  line_.flush();
  return came;
}

void Module::post(std::function<void(Module&)> work) {
  const std::lock_guard lock(posted_mutex_);
  posted_.push_back(std::move(work));
  has_posted_.store(true, std::memory_order_release);
}

void Module::do_posted() {
  if (!has_posted_.exchange(false, std::memory_order_acquire)) return;
  std::vector<std::function<void(Module&)>> works;
  {
    const std::lock_guard lock(posted_mutex_);
    works.swap(posted_);
  }
  for (const auto& work : works) work(*this);
  interrupted_ = true;
}

ModuleCounters Module::counters() const {
  return {.commands = commands_.load(),
          .faults = faults_.load(),
          .records = records_.load(),
          .lost_records = lost_records_.load(),
          .pins = pins_.load()};
}

bool Module::take_input() {
  const auto room = parser_.room();
  const std::size_t count = line_.read(room);
  const auto now = Clock::now();
  if (count == 0) {
    if (now - last_input_ < kQuiet || !parser_.give_up()) return false;
    // What follows the false start may be a whole frame.
  } else {
    last_input_ = now;
    parser_.added(count);
    // Who has lost its power, or hangs, hears nothing.
    if (silent()) {
      parser_.clear();
      return true;
    }
  }
  handle_commands();
  pins_.store(settings_.pins().levels());
  return true;
}

void Module::handle_commands() {
  // Nothing overtakes a stop.
  while (stops_due_.empty()) {
    const auto command = parser_.next();
    if (!command) return;
    handle(*command);
  }
}

void Module::handle(const Frame& command) {
  commands_.fetch_add(1, std::memory_order_relaxed);
  // The data would go with the next bytes, and the answer may take long.
  const std::vector<std::uint8_t> data(command.data.begin(), command.data.end());
  const Answer answer = answer_to({.opcode = command.opcode, .status = 0, .data = data});
  if (!stops_due_.empty()) return;
  reply(command.opcode, answer);
  // The reply leaves at the old rate.
  if (const auto rate = std::exchange(next_rate_, std::nullopt)) line_.change_rate(*rate);
}

void Module::reply(std::uint8_t opcode, const Answer& answer) {
  if (silent()) return;
  if (answer.status != status::kSuccess) faults_.fetch_add(1, std::memory_order_relaxed);
  line_.send(
      radio::mercury::encode_reply({.opcode = opcode, .status = answer.status, .data = answer.data},
                                   settings_.keys().sends_crc()));
  line_.flush();
}

Answer Module::answer_to(const Frame& command) {
  const std::uint8_t of_stream = stream_is_silion_ ? op::kSilion : op::kContinuous;
  if (stream_ && command.opcode != of_stream) return fault(status::kInvalidOpcode);
  switch (command.opcode) {
    case op::kVersion:
      return command.data.empty() ? version() : bad_count();
    case op::kSetBaudRate:
      return set_baud(command.data);
    case op::kCurrentProgram:
      if (!command.data.empty()) return bad_count();
      return {.data = {static_cast<std::uint8_t>(program_)}};
    default:
      break;
  }
  if (program_ == Program::kApplication) return application_answer(command);
  if (command.opcode == op::kHardware && profile_.asynchronous) {
    return product_answer(profile_, command.data);
  }
  if (command.opcode != op::kBootApplication) return bootloader_.answer(command);
  if (!command.data.empty()) return bad_count();
  program_ = Program::kApplication;
  return version();
}

Answer Module::version() const {
  return version_answer(profile_, program_ == Program::kApplication);
}

Answer Module::set_baud(std::span<const std::uint8_t> data) {
  if (data.size() != 4) return bad_count();
  const std::uint32_t rate = ByteReader(data).u32();
  if (std::find(kRates.begin(), kRates.end(), rate) == kRates.end()) {
    return fault(status::kBaudRate);
  }
  next_rate_ = rate;
  return {};
}

Answer Module::application_answer(const Frame& command) {
  const auto data = command.data;
  switch (command.opcode) {
    case op::kBootBootloader:
      program_ = Program::kBootloader;
      return {};
    case op::kHardware:
      return product_answer(profile_, data);
    case op::kSearch:
      return search(data);
    case op::kReadSingle:
      return read_single(data);
    case op::kGetBuffer:
      return buffer_.answer(data);
    case op::kClearBuffer:
      if (!data.empty()) return bad_count();
      buffer_.clear();
      return {};
    case op::kGetStatistics:
      return statistics(data);
    case op::kContinuous:
      if (profile_.asynchronous) break;
      return continuous(data);
    case op::kSilion:
      if (!profile_.asynchronous) break;
      return asynchronous(data);
    case op::kReadData:
    case op::kWriteData:
    case op::kWriteEpc:
    case op::kLock:
    case op::kKill:
    case op::kTagSpecific:
    case op::kBlockErase:
      return access(command);
    default:
      break;
  }
  if (auto answer = settings_.handle(command)) return std::move(*answer);
  return fault(status::kInvalidOpcode);
}

std::uint16_t Module::begin_air() {
  if (hot_) return status::kOverTemperature;
  if (reflects_) return status::kHighReturnLoss;
  return air_.begin(settings_);
}

Answer Module::statistics(std::span<const std::uint8_t> data) {
  const AntennaSettings& antennas = settings_.antennas();
  Statistics::Present present{.antenna = antennas.single(),
                              .frequency_khz = air_.frequency_khz(),
                              .temperature_celsius = settings_.temperature_celsius};
  for (std::size_t i = 0; i < present.connected.size(); ++i) {
    present.connected.at(i) = antennas.is_there(static_cast<std::uint8_t>(i + 1));
  }
  return air_.statistics().answer(profile_, data, present);
}

Answer Module::access(const Frame& command) {
  if (hot_) return fault(status::kOverTemperature);
  if (reflects_) return fault(status::kHighReturnLoss);
  return access_answer(command, profile_, settings_, air_, [this] { return !stopped(); });
}

}  // namespace singulate::emulator::mercury
