// Who looks at what the simulated radio does on the air, in the order of its times.
#pragma once

#include <cstdint>

#include "gen2/bit_frame.h"

namespace singulate::radio {

// Called on the thread of the rounds; must not call back into the radio.
class AirObserver {
 public:
  AirObserver() = default;
  AirObserver(const AirObserver&) = delete;
  AirObserver& operator=(const AirObserver&) = delete;
  AirObserver(AirObserver&&) = delete;
  AirObserver& operator=(AirObserver&&) = delete;
  virtual ~AirObserver() = default;

  // The carrier was on before it was observed.
  virtual void carrier_is(std::uint32_t /*frequency_khz*/, std::uint8_t /*antenna*/) {}
  // From the beginning of its rise to the end of its fall. Air clock.
  virtual void carrier_on(std::uint64_t time_ns, std::uint32_t frequency_khz,
                          std::uint8_t antenna) = 0;
  virtual void carrier_off(std::uint64_t time_ns) = 0;

  // A command of the interrogator, from the first edge of its preamble or frame-sync.
  virtual void command(std::uint64_t /*time_ns*/, const gen2::BitFrame& /*frame*/) {}
  // A reply of a single tag, when its last bit has come, heard or not.
  virtual void reply(std::uint64_t /*time_ns*/, const gen2::BitFrame& /*frame*/) {}
  // Replies of several tags at once.
  virtual void collision(std::uint64_t /*time_ns*/, std::uint32_t /*tags*/) {}
};

}  // namespace singulate::radio
