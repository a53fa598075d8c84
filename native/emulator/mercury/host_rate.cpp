#include "emulator/mercury/host_rate.h"

#include "radio/serial/tty.h"

namespace singulate::emulator::mercury {

namespace {

// As a PtyPort makes it.
constexpr std::uint32_t kUnset = 110;

}  // namespace

std::uint32_t host_rate(int module_end) {
  // Both ends of a pseudo-terminal share what the host has set.
  const auto rate = radio::tty_rate(module_end);
  return rate == kUnset ? 0 : rate.value_or(0);
}

}  // namespace singulate::emulator::mercury
