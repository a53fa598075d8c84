#include "emulator/mercury/host_rate.h"

// The kernel's own termios2, for any rate; it cannot stand beside that of the C library.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <sys/ioctl.h>

namespace singulate::emulator::mercury {

namespace {

// As a PtyPort makes it.
constexpr std::uint32_t kUnset = 110;

}  // namespace

std::uint32_t host_rate(int module_end) {
  // Both ends of a pseudo-terminal share what the host has set.
  termios2 line{};
  if (::ioctl(module_end, TCGETS2, &line) != 0 || line.c_ospeed == kUnset) return 0;
  return line.c_ospeed;
}

}  // namespace singulate::emulator::mercury
