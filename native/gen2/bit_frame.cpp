#include "gen2/bit_frame.h"

#include <bit>

#include "gen2/crc.h"

namespace singulate::gen2 {

void BitFrame::append(std::uint32_t value, unsigned bits) {
  if (bits > 32 || size_ + bits > kCapacity) return;
  for (unsigned i = bits; i-- > 0;) {
    if (((value >> i) & 1U) != 0) {
      std::uint8_t& byte = storage_[size_ / 8];
      byte = static_cast<std::uint8_t>(byte | (0x80U >> (size_ % 8U)));
    }
    ++size_;
  }
}

std::uint32_t BitFrame::read(std::size_t position, unsigned bits) const {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const bool one = position + i < size_ && bit(position + i);
    value = (value << 1U) | (one ? 1U : 0U);
  }
  return value;
}

unsigned BitFrame::ones() const {
  unsigned count = 0;
  for (std::size_t i = 0; i < (size_ + 7) / 8; ++i) {
    count += static_cast<unsigned>(std::popcount(storage_[i]));
  }
  return count;
}

std::uint16_t frame_crc16(const BitFrame& frame, std::size_t bits) {
  Crc16 crc;
  for (std::size_t i = 0; i < bits && i < frame.size(); ++i) crc.bit(frame.bit(i));
  return crc.value();
}

void append_crc16(BitFrame& frame) { frame.append(frame_crc16(frame, frame.size()), 16); }

bool has_valid_crc16(const BitFrame& frame) {
  if (frame.size() < 16) return false;
  Crc16 crc;
  for (std::size_t i = 0; i < frame.size(); ++i) crc.bit(frame.bit(i));
  return crc.residue() == kCrc16Residue;
}

}  // namespace singulate::gen2
