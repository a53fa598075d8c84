// How a module on a serial line is found, set, and waited for.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace singulate::radio::mercury {

// How patient the driver is.
struct MercuryTimes {
  std::chrono::milliseconds answer{1000};
  // To a command at a rate that may not be the module's.
  std::chrono::milliseconds probe{100};
  // Of a stream: after each cycle it tells its time, and may change the antenna.
  std::chrono::milliseconds on_cycle{500};
  // So long after the end of a cycle nothing was heard: the module is lost.
  std::chrono::milliseconds silence{2000};
  // Between two tries to find it again; doubled up to the longest.
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{2000};
};

struct MercuryOptions {
  std::string path;                   // of the tty
  std::uint32_t baud = 0;             // that the module has; 0 = looked for
  std::uint32_t work_baud = 921'600;  // that it is raised to, if it can
  std::uint8_t region = 0;            // number of the protocol; 0 = as the module has it
  // Pins of the module that are inputs and outputs of the reader, in the order of their ports.
  std::vector<std::uint8_t> input_pins{};
  std::vector<std::uint8_t> output_pins{};
  MercuryTimes times{};
};

}  // namespace singulate::radio::mercury
