// The status of a command that worked on a tag.
#pragma once

#include <cstdint>
#include <span>

#include "radio/access_op.h"

namespace singulate::emulator::mercury {

// Of the first operation that failed; kSuccess if none did.
std::uint16_t access_status(std::span<const radio::AccessResult> results);

}  // namespace singulate::emulator::mercury
