// What a module has counted, as op 6C asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/mercury/answer.h"
#include "emulator/mercury/profile.h"

namespace singulate::emulator::mercury {

class Statistics {
 public:
  static constexpr std::size_t kPorts = 4;

  // With the carrier on, per port from 1.
  void count_rf_on(std::uint8_t port, std::uint64_t nanoseconds);

  // What a module knows beside its counts.
  struct Present {
    std::uint8_t antenna = 0;
    std::uint32_t frequency_khz = 0;
    std::int8_t temperature_celsius = 0;
    std::array<bool, kPorts> connected{};
  };
  // data: of op 6C, an option and flags. What the profile does not count is left out of the reply.
  Answer answer(const Profile& profile, std::span<const std::uint8_t> data, const Present& present);

 private:
  std::array<std::uint64_t, kPorts> rf_on_ns_{};
};

}  // namespace singulate::emulator::mercury
