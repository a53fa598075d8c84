// The module's end of the serial line: a file descriptor, and the time that bytes take on a wire.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "radio/virtual/random.h"

namespace singulate::emulator::mercury {

using Clock = std::chrono::steady_clock;

class Line {
 public:
  // The descriptor stays the caller's. It is switched to non-blocking.
  // paced: bytes leave at the baud rate, ten bits each; a pty itself knows no rate.
  Line(int descriptor, bool paced);
  // Another line, or none (-1); what waits is gone.
  void replace(int descriptor);
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // On a pseudo-terminal: nothing sensible passes while the host has another rate than the module.
  void heed_host_rate(bool heeded) { heeds_host_rate_ = heeded; }

  // What has come; 0 = nothing. closed() tells whether anything may still come.
  std::size_t read(std::span<std::uint8_t> into);
  // Nobody has the other end open.
  [[nodiscard]] bool closed() const { return closed_; }

  void send(std::span<const std::uint8_t> bytes);
  // The rate of what is sent from now on; what was sent before leaves at the old one.
  void change_rate(std::uint32_t baud);

  // Writes what may leave by now. True: nothing is left.
  bool flush();
  // Bytes that have not left yet.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  // Waits for input, or until something may leave, at most so long.
  void wait(std::chrono::nanoseconds longest);

  // Faults of the cable, for the next so many bytes in either direction.
  void lose(unsigned bytes) { lost_ = bytes; }
  void flip_bits(unsigned bytes) { flipped_ = bytes; }
  // Bytes that nobody sent go to the host.
  void add_noise(unsigned bytes);
  // Nothing leaves for so long.
  void hold(std::chrono::nanoseconds duration) { held_until_ = Clock::now() + duration; }

  [[nodiscard]] std::uint32_t baud() const { return baud_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  struct Piece {
    std::vector<std::uint8_t> bytes;
    std::uint32_t baud;
  };

  [[nodiscard]] std::chrono::nanoseconds time_of_byte(std::uint32_t baud) const;

  [[nodiscard]] bool rates_differ(std::uint32_t baud) const;

  // What becomes of bytes on the way; returns how many are left of them.
  std::size_t spoil(std::span<std::uint8_t> bytes);

  int descriptor_ = -1;
  const bool paced_;
  bool heeds_host_rate_ = false;
  bool closed_ = false;
  std::atomic<std::uint32_t> baud_ = 115'200;  // that of the line now: read from any thread
  std::deque<Piece> pieces_;
  std::size_t written_ = 0;  // of the first piece
  std::size_t waiting_ = 0;
  std::uint64_t bytes_sent_ = 0;
  // When the wire is free again.
  Clock::time_point free_at_ = Clock::now();
  Clock::time_point held_until_{};
  unsigned lost_ = 0;
  unsigned flipped_ = 0;
  radio::Random random_{1};
};

}  // namespace singulate::emulator::mercury
