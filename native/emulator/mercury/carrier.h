// The carrier of a module: what it costs to switch it on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace singulate::emulator::mercury {

class Carrier {
 public:
  // ramp: from off to full power, at the start of reading and with each antenna; nothing for a
  // module without that time.
  explicit Carrier(std::chrono::milliseconds ramp) : ramp_(ramp) {}

  void off() { port_.reset(); }
  // On the port, from now on. Returns how long nothing can be sent.
  std::chrono::milliseconds on(std::uint8_t port) {
    if (port_ == port) return std::chrono::milliseconds(0);
    port_ = port;
    return ramp_;
  }

 private:
  std::chrono::milliseconds ramp_;
  std::optional<std::uint8_t> port_;
};

}  // namespace singulate::emulator::mercury
