// The general purpose pins of a module: which of them are inputs and outputs of the reader, and
// their levels. A module that streams takes no command, so that levels are told and looked at
// between two streams, and seen in its records.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "radio/mercury/connection.h"
#include "radio/result.h"

namespace singulate::radio::mercury {

inline constexpr std::uint8_t kMostPins = 4;

class Pins {
 public:
  // Pins, 1..kMostPins, in the order of the reader's ports.
  Pins(std::vector<std::uint8_t> inputs, std::vector<std::uint8_t> outputs)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  // --- Any thread. Ports count from 1.
  // As it was seen last; nothing: there is no such input, or it was never seen.
  [[nodiscard]] std::optional<bool> input_high(std::uint8_t port) const;
  // Remembered, and told to the module soon. False: there is no such output.
  bool set_output(std::uint8_t port, bool high);

  // --- The thread of the driver.
  [[nodiscard]] bool has_inputs() const { return !inputs_.empty(); }
  // An output is to be told.
  [[nodiscard]] bool due() const { return !outputs_.empty() && sent_ != wanted_.load(); }
  // Directions and levels, to a module that may know nothing of them; those of inputs are seen.
  Status set_up(Connection& connection, std::chrono::milliseconds timeout);
  // Outputs that changed.
  Status send(Connection& connection, std::chrono::milliseconds timeout);
  // Looks at the inputs.
  Status look(Connection& connection, std::chrono::milliseconds timeout);
  // A bit for each pin, from the lowest, as a record has them.
  void seen(std::uint8_t levels);
  // The module has begun again.
  void forgotten();

 private:
  const std::vector<std::uint8_t> inputs_;
  const std::vector<std::uint8_t> outputs_;
  // Bits by port - 1.
  std::atomic<std::uint32_t> wanted_ = 0;
  std::optional<std::uint32_t> sent_;
  bool set_up_ = false;
  // Bits by pin - 1.
  std::atomic<std::uint32_t> levels_ = 0;
  std::atomic<bool> seen_ = false;
};

}  // namespace singulate::radio::mercury
