// A serial line as a host has it: a tty of its own, at any baud rate.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "radio/result.h"

namespace singulate::radio {

class SerialPort {
 public:
  SerialPort();
  ~SerialPort();
  SerialPort(const SerialPort&) = delete;
  SerialPort& operator=(const SerialPort&) = delete;
  SerialPort(SerialPort&&) = delete;
  SerialPort& operator=(SerialPort&&) = delete;

  // Raw, 8N1, nobody else may open it; what has come before is there. kModule with the reason if it
  // cannot be had.
  Status open(const std::string& path, std::uint32_t baud);
  void close();
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  // Waits for what was written to leave, then changes the rate.
  [[nodiscard]] Status set_baud(std::uint32_t baud) const;

  enum class Wait : std::uint8_t { kInput, kTimeout, kWoken, kGone };
  // kWoken: wake() was called; it is forgotten by this. kGone: the device is not there any more.
  [[nodiscard]] Wait wait(std::chrono::nanoseconds longest) const;
  // Waits so long, whatever comes. True: wake() was called; it is forgotten by this.
  [[nodiscard]] bool rest(std::chrono::nanoseconds time) const;
  // Bytes that have come; 0 = none.
  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) const;
  // All of them, however slow the line. kModule if the device is gone, or takes nothing for a
  // second.
  Status write(std::span<const std::uint8_t> bytes);
  // Throws away what has come and was not read.
  // @returns how many bytes that were.
  std::size_t discard_input() const;  // NOLINT(modernize-use-nodiscard)

  // From any thread: ends a wait().
  void wake() const;

 private:
  [[nodiscard]] bool take_wake() const;

  int descriptor_ = -1;
  int wake_ = -1;
};

}  // namespace singulate::radio
