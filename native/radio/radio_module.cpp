#include "radio/radio_module.h"

namespace singulate::radio {

Result<double> RadioModule::temperature_celsius() {
  return Error{ErrorCode::kNotSupported, "the module has no temperature sensor"};
}

Result<bool> RadioModule::antenna_connected(std::uint8_t /*port*/) {
  return Error{ErrorCode::kNotSupported, "the module cannot sense antennas"};
}

Status RadioModule::set_region(std::uint8_t /*number*/,
                               const std::vector<std::uint32_t>& /*channels_khz*/) {
  return Error{ErrorCode::kNotSupported, "the region of this radio module cannot be chosen"};
}

}  // namespace singulate::radio
