// Lines of one GPIO chip, by the kernel's character device (uAPI v2, linux/gpio.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpio/kernel.h"
#include "radio/result.h"

namespace singulate::gpio {

using radio::Error;
using radio::ErrorCode;
using radio::Result;
using radio::Status;

// Lines of one direction at most: what a bitmap of the kernel holds.
inline constexpr std::size_t kMaxLines = 64;

enum class Bias : std::uint8_t { kAsIs, kPullUp, kPullDown, kOff };

// Lines are their offsets in the chip; everywhere else they are indices into these lists.
struct ChipOptions {
  std::string path{};  // "/dev/gpiochip0"
  std::vector<std::uint32_t> inputs{};
  std::vector<std::uint32_t> outputs{};
  bool inputs_active_low = false;
  bool outputs_active_low = false;
  Bias bias = Bias::kAsIs;        // of the inputs
  std::uint32_t debounce_us = 0;  // of the inputs; 0 = none
  // Bit i: level of output i from the first moment on. Without it an output keeps the level that it
  // has, and a line that was no output before becomes one that is low.
  std::optional<std::uint64_t> output_levels{};
};

struct Change {
  std::uint32_t input = 0;
  bool high = false;

  bool operator==(const Change&) const = default;
};

// After open() one thread may call take() while another calls set_output().
class Chip {
 public:
  Chip(Kernel& kernel, ChipOptions options) : kernel_(kernel), options_(std::move(options)) {}
  Chip(const Chip&) = delete;
  Chip& operator=(const Chip&) = delete;
  Chip(Chip&&) = delete;
  Chip& operator=(Chip&&) = delete;
  ~Chip() { close(); }

  // Asks for all lines; has none of them after an error, which names the line where it can.
  Status open();
  void close();

  [[nodiscard]] const ChipOptions& options() const { return options_; }

  // Waits for changes of inputs at most so long, also for input on the descriptor `wake`, and
  // appends them in their order. An error: the chip is gone.
  Status take(std::vector<Change>& into, int wake, int timeout_ms);
  // Levels of the inputs after the last take(), as bits.
  [[nodiscard]] std::uint64_t inputs() const { return inputs_; }
  // Edges that the kernel had no room for, so far. The levels are right all the same.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

  Status set_output(std::size_t index, bool high);
  // Levels of the outputs when they were opened, as bits.
  [[nodiscard]] std::uint64_t first_outputs() const { return first_outputs_; }

 private:
  Status check_lines(int chip);
  Status open_inputs(int chip);
  Status open_outputs(int chip);
  Status drain(std::vector<Change>& into);
  // The levels as they are, for when edges are missing.
  Status look(std::vector<Change>& into);
  void note(std::vector<Change>& into, std::uint32_t index, bool high);
  [[nodiscard]] Error failed(const std::string& what, long result) const;

  Kernel& kernel_;
  const ChipOptions options_;
  int inputs_fd_ = -1;
  int outputs_fd_ = -1;
  std::uint64_t are_outputs_ = 0;  // before they were asked for
  std::uint64_t first_outputs_ = 0;
  std::uint64_t inputs_ = 0;
  std::uint64_t lost_ = 0;
  std::uint32_t next_sequence_ = 1;
  bool missed_ = false;
};

}  // namespace singulate::gpio
