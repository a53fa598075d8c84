// A bounded log of what is on the air: for the radio packet log, and for tests that look at the
// commands. Written by the thread of the rounds, read by any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "gen2/bit_frame.h"
#include "radio/virtual/air_observer.h"

namespace singulate::radio {

enum class PacketKind : std::uint8_t {
  kCarrierOn,
  kCarrierOff,
  kCommand,
  kReply,
  kCollision,
};

struct Packet {
  std::uint64_t time_ns = 0;  // air clock; of a command its start, of a reply its end
  PacketKind kind = PacketKind::kCommand;
  std::uint8_t antenna = 0;         // port
  std::uint32_t frequency_khz = 0;  // 0 with the carrier off
  std::uint32_t tags = 0;           // of a collision
  gen2::BitFrame frame{};           // of commands and replies
};

class PacketLog final : public AirObserver {
 public:
  explicit PacketLog(std::size_t packets = 0) : capacity_(packets) {}
  // packets: the most that are kept; 0 = none, and none are counted. What was there is gone. A full
  // log loses its oldest ones, and counts them.
  void keep(std::size_t packets);

  void carrier_is(std::uint32_t frequency_khz, std::uint8_t antenna) override;
  void carrier_on(std::uint64_t time_ns, std::uint32_t frequency_khz,
                  std::uint8_t antenna) override;
  void carrier_off(std::uint64_t time_ns) override;
  void command(std::uint64_t time_ns, const gen2::BitFrame& frame) override;
  void reply(std::uint64_t time_ns, const gen2::BitFrame& frame) override;
  void collision(std::uint64_t time_ns, std::uint32_t tags) override;

  struct Taken {
    std::vector<Packet> packets{};
    std::uint64_t lost = 0;  // since the last call
  };
  // Everything there is, oldest first. It is then gone from the log.
  Taken take();

 private:
  void add(Packet packet);

  std::mutex mutex_;
  std::size_t capacity_;
  std::deque<Packet> packets_;
  std::uint64_t lost_ = 0;
  std::uint8_t antenna_ = 0;  // of the thread of the rounds
  std::uint32_t frequency_khz_ = 0;
};

}  // namespace singulate::radio
