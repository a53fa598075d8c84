// Reads a second on several antennas: the inventory loop on the driver, and the antenna list of the
// module alone.
#pragma once

namespace singulate::bench {

// Prints one JSON object: two of the four ports have antennas, on an emulated M7e whose line and
// carrier take their time. Returns the exit code.
int antennas(double seconds);

}  // namespace singulate::bench
