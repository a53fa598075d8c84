// Who looks at what the simulated radio does on the air, in the order of its times.
#pragma once

#include <cstdint>

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

  // From the beginning of its rise to the end of its fall. Air clock.
  virtual void carrier_on(std::uint64_t time_ns, std::uint32_t frequency_khz,
                          std::uint8_t antenna) = 0;
  virtual void carrier_off(std::uint64_t time_ns) = 0;
};

}  // namespace singulate::radio
