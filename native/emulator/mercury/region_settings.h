// Region and channels of a module (op 97, 67, 71, 95, 65).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "emulator/mercury/answer.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

class RegionSettings {
 public:
  explicit RegionSettings(std::vector<std::uint32_t> channels_khz);

  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

 private:
  Answer set_region(std::span<const std::uint8_t> data);
  Answer set_hop_table(std::span<const std::uint8_t> data);
  [[nodiscard]] Answer get_region(std::span<const std::uint8_t> data) const;
  Answer get_hop_table(std::span<const std::uint8_t> data);
  // nullptr: there is no such option.
  std::uint32_t* value_of_channels(std::uint8_t option);

  std::uint8_t region_ = 1;
  // Of listen before talk, by key: is it on, its threshold in dBm (-72), is the time of a dwell
  // limited, that time in ms (4000). Kept for the host; nobody else is on the emulated air.
  std::map<std::uint8_t, std::vector<std::uint8_t>> listening_{
      {0x40, {0}}, {0x41, {0xB8}}, {0x42, {0}}, {0x43, {0x0F, 0xA0}}};
  std::vector<std::uint32_t> hop_table_khz_;
  std::uint32_t hop_time_ms_ = 375;
  std::uint32_t step_khz_ = 250;
  std::uint32_t lowest_khz_ = 840'000;
};

}  // namespace singulate::emulator::mercury
