// What happens to a module: faults that are injected, and the loss of its power.
#include <utility>

#include "emulator/mercury/module.h"

namespace singulate::emulator::mercury {

namespace {

// How much a fault of the line spoils: less than a record, some records, more than a frame.
constexpr unsigned kLostBytes = 7;
constexpr unsigned kSpoiltBytes = 60;
constexpr unsigned kNoiseBytes = 300;
constexpr std::chrono::milliseconds kBootTime{30};
constexpr std::int8_t kHotCelsius = 92;
constexpr std::int8_t kUsualCelsius = 29;

}  // namespace

bool Module::inject(std::string_view fault) {
  const auto found = find_fault(fault);
  if (!found) return false;
  const bool of_cable = *found == Fault::kUnplug || *found == Fault::kReplug;
  if (of_cable && options_.cable == nullptr) return false;
  post([one = *found](Module& module) { module.strike(one); });
  return true;
}

void Module::strike(Fault fault) {
  switch (fault) {
    case Fault::kLostBytes:
      line_.lose(kLostBytes);
      break;
    case Fault::kBitErrors:
      line_.flip_bits(kSpoiltBytes);
      break;
    case Fault::kGarbage:
      line_.add_noise(kNoiseBytes);
      break;
    case Fault::kStall:
      line_.hold(options_.stall_time);
      break;
    case Fault::kLateStart:
      late_start_ = true;
      break;
    case Fault::kHang:
      fall_silent(options_.hang_time);
      break;
    case Fault::kReset:
      power_cycle();
      fall_silent(kBootTime);
      break;
    case Fault::kHighTemperature:
      hot_ = true;
      settings_.temperature_celsius = kHotCelsius;
      break;
    case Fault::kTemperatureNormal:
      hot_ = false;
      settings_.temperature_celsius = kUsualCelsius;
      break;
    case Fault::kInput1High:
    case Fault::kInput1Low:
      settings_.pins().set_input(1, fault == Fault::kInput1High);
      break;
    case Fault::kInput2High:
    case Fault::kInput2Low:
      settings_.pins().set_input(2, fault == Fault::kInput2High);
      break;
    case Fault::kHighReturnLoss:
      reflects_ = true;
      break;
    case Fault::kReturnLossNormal:
      reflects_ = false;
      break;
    case Fault::kAntennaPulled:
    case Fault::kAntennaBack:
      for (const std::uint8_t port : air_.antennas()) {
        settings_.antennas().pull(port, fault == Fault::kAntennaBack);
      }
      break;
    case Fault::kBufferOverflow:
      no_room_ = true;
      break;
    case Fault::kUnplug:
      options_.cable->unplug();
      line_.replace(-1);
      break;
    case Fault::kReplug:
      line_.replace(options_.cable->replug());
      break;
  }
}

void Module::power_cycle() {
  stream_.reset();
  stops_due_.clear();
  buffer_.clear();
  air_.statistics() = {};
  parser_.clear();
  // What is so whatever the module remembers: its antennas, and how warm it is.
  std::vector<std::uint8_t> present;
  for (const std::uint8_t port : air_.antennas()) {
    if (settings_.antennas().is_there(port)) present.push_back(port);
  }
  const std::int8_t temperature = settings_.temperature_celsius;
  settings_ = Settings(profile_, std::move(present), field_.channels_khz);
  settings_.temperature_celsius = temperature;
  next_rate_.reset();
  program_ = profile_.starts_in_bootloader ? Program::kBootloader : Program::kApplication;
  constexpr std::uint32_t kFactoryRate = 115'200;
  line_.replace(line_.descriptor());
  line_.change_rate(kFactoryRate);
  interrupted_ = true;
}

}  // namespace singulate::emulator::mercury
