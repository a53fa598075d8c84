// Region and channels of a module (op 97, 67, 71, 95, 65).
#pragma once

#include <cstdint>
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
  [[nodiscard]] Answer get_hop_table(std::span<const std::uint8_t> data) const;

  std::uint8_t region_ = 1;
  std::vector<std::uint32_t> hop_table_khz_;
  std::uint32_t hop_time_ms_ = 375;
};

}  // namespace singulate::emulator::mercury
