#include "radio/mercury/pins.h"

#include <array>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::uint8_t kDirection = 1;
constexpr std::uint8_t kIn = 0;
constexpr std::uint8_t kOut = 1;

bool bit(std::uint32_t bits, std::size_t place) { return (bits >> place & 1U) != 0; }

}  // namespace

std::optional<bool> Pins::input_high(std::uint8_t port) const {
  if (port < 1 || port > inputs_.size() || !seen_.load()) return std::nullopt;
  return bit(levels_.load(), inputs_[port - 1U] - 1U);
}

bool Pins::set_output(std::uint8_t port, bool high) {
  if (port < 1 || port > outputs_.size()) return false;
  const std::uint32_t mask = 1U << (port - 1U);
  if (high) {
    wanted_.fetch_or(mask);
  } else {
    wanted_.fetch_and(~mask);
  }
  return true;
}

Status Pins::set_up(Connection& connection, std::chrono::milliseconds timeout) {
  if (!set_up_) {
    const auto direct = [&](std::uint8_t pin, std::uint8_t direction) -> Status {
      const std::array<std::uint8_t, 4> data{kDirection, pin, direction, 0};
      const auto set = connection.ask_well("direction of a pin", op::kSetOutputs, data, timeout);
      return set.ok() ? Status() : set.error();
    };
    for (const std::uint8_t pin : inputs_) {
      if (auto set = direct(pin, kIn); !set.ok()) return set;
    }
    for (const std::uint8_t pin : outputs_) {
      if (auto set = direct(pin, kOut); !set.ok()) return set;
    }
    set_up_ = true;
  }
  if (auto sent = send(connection, timeout); !sent.ok()) return sent;
  return look(connection, timeout);
}

Status Pins::send(Connection& connection, std::chrono::milliseconds timeout) {
  const std::uint32_t wanted = wanted_.load();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const bool high = bit(wanted, i);
    if (sent_ && bit(*sent_, i) == high) continue;
    const std::array<std::uint8_t, 2> data{outputs_[i], static_cast<std::uint8_t>(high ? 1 : 0)};
    const auto set = connection.ask_well("output", op::kSetOutputs, data, timeout);
    if (!set.ok()) return set.error();
  }
  sent_ = wanted;
  return {};
}

Status Pins::look(Connection& connection, std::chrono::milliseconds timeout) {
  if (inputs_.empty()) return {};
  const std::array<std::uint8_t, 1> all{1};
  const auto answer = connection.ask_well("inputs", op::kGetInputs, all, timeout);
  if (!answer.ok()) return answer.error();
  constexpr std::size_t kOfOne = 3;
  ByteReader bytes(answer.value());
  bytes.u8();
  std::uint32_t levels = 0;
  while (bytes.ok() && bytes.left() >= kOfOne) {
    const std::uint8_t pin = bytes.u8();
    bytes.u8();  // its direction
    if (bytes.u8() != 0 && pin >= 1 && pin <= kMostPins) levels |= 1U << (pin - 1U);
  }
  levels_.store(levels);
  seen_.store(true);
  return {};
}

void Pins::seen(std::uint8_t levels) {
  levels_.store(levels & ((1U << kMostPins) - 1U));
  seen_.store(true);
}

void Pins::forgotten() {
  set_up_ = false;
  sent_.reset();
}

}  // namespace singulate::radio::mercury
