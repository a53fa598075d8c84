// Faults that a module can be given while it works, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace singulate::emulator::mercury {

enum class Fault : std::uint8_t {
  kLostBytes,        // some bytes of the line vanish, whichever way they go
  kBitErrors,        // some bytes arrive with a wrong bit
  kGarbage,          // bytes that nobody sent come before the next frame
  kStall,            // nothing leaves for a while; nothing is lost
  kLateStart,        // the answer to the next start of reading, and all after it, leave late
  kHang,             // nothing is heard or said for a while
  kReset,            // a loss of power: boot, the baud rate of the factory, nothing remembered
  kHighTemperature,  // too hot until kTemperatureNormal: reads less, and says so
  kTemperatureNormal,
  kHighReturnLoss,  // all antennas reflect until kReturnLossNormal: nothing is sent
  kReturnLossNormal,
  kAntennaPulled,  // no antenna on any port until kAntennaBack
  kAntennaBack,
  kBufferOverflow,  // the next records find no room
  kUnplug,          // the line goes away; the module works on
  kReplug,          // a new line
  kInput1High,      // the hardware moves pin 1, if it is an input
  kInput1Low,
  kInput2High,
  kInput2Low,
};

struct NamedFault {
  std::string_view name;  // "lost-bytes"
  Fault fault;
};

// All of them.
std::span<const NamedFault> faults();
std::optional<Fault> find_fault(std::string_view name);

}  // namespace singulate::emulator::mercury
