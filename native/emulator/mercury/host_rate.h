// The baud rate that the host has set on its end of a pseudo-terminal.
#pragma once

#include <cstdint>

namespace singulate::emulator::mercury {

// 0: it has set none; or it is no pseudo-terminal.
std::uint32_t host_rate(int module_end);

}  // namespace singulate::emulator::mercury
