// A frame on the air: bits, most significant first, in fixed storage (no heap).
// Frames are often no whole number of bytes, so value and bit count stay together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace singulate::gen2 {

class BitFrame {
 public:
  // The longest frame: a BlockWrite or BlockPermalock of 255 words with the longest EBV.
  static constexpr std::size_t kCapacity = 4224;

  // Appends the lowest `bits` bits of `value`; bits <= 32. What does not fit is
  // a programming error and is not stored.
  void append(std::uint32_t value, unsigned bits);

  // The `bits` bits at `position`, right-aligned; bits <= 32. Zeros past the end.
  [[nodiscard]] std::uint32_t read(std::size_t position, unsigned bits) const;

  [[nodiscard]] bool bit(std::size_t position) const {
    return ((storage_[position / 8] >> (7U - position % 8U)) & 1U) != 0;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Number of 1 bits: with PIE a 1 takes longer than a 0.
  [[nodiscard]] unsigned ones() const;

  friend bool operator==(const BitFrame&, const BitFrame&) = default;

 private:
  std::array<std::uint8_t, kCapacity / 8> storage_{};
  std::size_t size_ = 0;
};

// CRC-16 over the first `bits` bits of a frame, as sent.
std::uint16_t frame_crc16(const BitFrame& frame, std::size_t bits);

// Appends the CRC-16 over everything so far.
void append_crc16(BitFrame& frame);

// True if the frame ends with the right CRC-16.
bool has_valid_crc16(const BitFrame& frame);

}  // namespace singulate::gen2
