#include "emulator/mercury/faults.h"

#include <algorithm>
#include <array>

namespace singulate::emulator::mercury {

namespace {

constexpr std::array kFaults{
    NamedFault{"lost-bytes", Fault::kLostBytes},
    NamedFault{"bit-errors", Fault::kBitErrors},
    NamedFault{"garbage", Fault::kGarbage},
    NamedFault{"stall", Fault::kStall},
    NamedFault{"late-start", Fault::kLateStart},
    NamedFault{"hang", Fault::kHang},
    NamedFault{"reset", Fault::kReset},
    NamedFault{"high-temperature", Fault::kHighTemperature},
    NamedFault{"temperature-normal", Fault::kTemperatureNormal},
    NamedFault{"high-return-loss", Fault::kHighReturnLoss},
    NamedFault{"return-loss-normal", Fault::kReturnLossNormal},
    NamedFault{"antenna-pulled", Fault::kAntennaPulled},
    NamedFault{"antenna-back", Fault::kAntennaBack},
    NamedFault{"buffer-overflow", Fault::kBufferOverflow},
    NamedFault{"unplug", Fault::kUnplug},
    NamedFault{"replug", Fault::kReplug},
    NamedFault{"input-1-high", Fault::kInput1High},
    NamedFault{"input-1-low", Fault::kInput1Low},
    NamedFault{"input-2-high", Fault::kInput2High},
    NamedFault{"input-2-low", Fault::kInput2Low},
};

}  // namespace

std::span<const NamedFault> faults() { return kFaults; }

std::optional<Fault> find_fault(std::string_view name) {
  const auto* const found = std::find_if(kFaults.begin(), kFaults.end(),
                                         [&](const NamedFault& one) { return one.name == name; });
  if (found == kFaults.end()) return std::nullopt;
  return found->fault;
}

}  // namespace singulate::emulator::mercury
