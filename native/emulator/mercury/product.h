// What a module says of itself (op 03, 04, 10).
#pragma once

#include <cstdint>
#include <span>

#include "emulator/mercury/answer.h"
#include "emulator/mercury/profile.h"

namespace singulate::emulator::mercury {

// In its bootloader a module knows no air protocol.
Answer version_answer(const Profile& profile, bool in_application);

// data: of op 10, an option and what is asked for.
Answer product_answer(const Profile& profile, std::span<const std::uint8_t> data);

}  // namespace singulate::emulator::mercury
