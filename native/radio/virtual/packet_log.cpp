#include "radio/virtual/packet_log.h"

#include <utility>

namespace singulate::radio {

void PacketLog::keep(std::size_t packets) {
  const std::lock_guard lock(mutex_);
  capacity_ = packets;
  packets_.clear();
  lost_ = 0;
}

void PacketLog::add(Packet packet) {
  packet.antenna = antenna_;
  packet.frequency_khz = frequency_khz_;
  const std::lock_guard lock(mutex_);
  if (capacity_ == 0) return;
  if (packets_.size() >= capacity_) {
    packets_.pop_front();
    ++lost_;
  }
  packets_.push_back(packet);
}

void PacketLog::carrier_is(std::uint32_t frequency_khz, std::uint8_t antenna) {
  antenna_ = antenna;
  frequency_khz_ = frequency_khz;
}

void PacketLog::carrier_on(std::uint64_t time_ns, std::uint32_t frequency_khz,
                           std::uint8_t antenna) {
  carrier_is(frequency_khz, antenna);
  add({.time_ns = time_ns, .kind = PacketKind::kCarrierOn});
}

void PacketLog::carrier_off(std::uint64_t time_ns) {
  frequency_khz_ = 0;
  add({.time_ns = time_ns, .kind = PacketKind::kCarrierOff});
}

void PacketLog::command(std::uint64_t time_ns, const gen2::BitFrame& frame) {
  add({.time_ns = time_ns, .kind = PacketKind::kCommand, .frame = frame});
}

void PacketLog::reply(std::uint64_t time_ns, const gen2::BitFrame& frame) {
  add({.time_ns = time_ns, .kind = PacketKind::kReply, .frame = frame});
}

void PacketLog::collision(std::uint64_t time_ns, std::uint32_t tags) {
  add({.time_ns = time_ns, .kind = PacketKind::kCollision, .tags = tags});
}

PacketLog::Taken PacketLog::take() {
  const std::lock_guard lock(mutex_);
  Taken taken{.packets = {packets_.begin(), packets_.end()}, .lost = std::exchange(lost_, 0)};
  packets_.clear();
  return taken;
}

}  // namespace singulate::radio
