// Commands and their answers over the serial line, and the notifications that come between them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "frame.h"
#include "radio/result.h"
#include "radio/serial/serial_port.h"

namespace mymodule {

class Line {
 public:
  using OnFrame = std::function<void(const Frame&)>;
  // When an answer is no longer worth waiting for: an interrupt, a deadline.
  using Over = std::function<bool()>;

  singulate::radio::Status open(const std::string& path);
  void close();
  [[nodiscard]] bool is_open() const { return port_.is_open(); }
  // From any thread.
  void wake() const { port_.wake(); }

  // The data after the status of the answer. kModule if none comes, kBadSettings if it is a
  // refusal; both with the name of the command.
  singulate::radio::Result<Bytes> ask(const char* what, Code code,
                                      std::span<const std::uint8_t> data, const OnFrame& on_frame,
                                      const Over& over);
  // Hands over what comes within that time; returns with the first of it, or when woken. False: the
  // line is gone.
  bool listen(std::chrono::nanoseconds longest, const OnFrame& on_frame);

  // From any thread.
  [[nodiscard]] std::uint64_t discarded_bytes() const { return discarded_.load(); }
  [[nodiscard]] std::uint64_t crc_errors() const { return crc_errors_.load(); }

 private:
  singulate::radio::SerialPort port_;
  FrameParser parser_;
  std::uint64_t thrown_away_ = 0;  // of the user of the line before
  std::chrono::steady_clock::time_point last_input_{};
  std::atomic<std::uint64_t> discarded_ = 0;
  std::atomic<std::uint64_t> crc_errors_ = 0;
};

}  // namespace mymodule
