// The firmware that a host loads into a module while its bootloader runs (op 07, 0D, 08).
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/mercury/answer.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

class Bootloader {
 public:
  // kInvalidOpcode for all that is not of a firmware load.
  Answer answer(const radio::mercury::Frame& command);

 private:
  std::vector<std::uint8_t> image_;
};

}  // namespace singulate::emulator::mercury
