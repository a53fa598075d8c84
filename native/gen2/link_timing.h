// How long commands, replies and slots take on a link (reference sections 1, 2, 10.1).
// All times are integer picoseconds: exact enough that sums over a day of slots
// are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gen2/bit_frame.h"
#include "gen2/link_profile.h"

namespace singulate::gen2 {

using Picoseconds = std::uint64_t;
inline constexpr Picoseconds kPicosecondsPerUs = 1'000'000;

class LinkTiming {
 public:
  // The profile must be without fault (link_profile_fault).
  explicit LinkTiming(const LinkProfile& profile);

  // Delimiter, calibration and the bits of a command. Only Query has a preamble,
  // every other command a frame-sync.
  [[nodiscard]] Picoseconds query_time(const BitFrame& frame) const {
    return preamble_ + bits_time(frame);
  }
  [[nodiscard]] Picoseconds command_time(const BitFrame& frame) const {
    return frame_sync_ + bits_time(frame);
  }
  // Time of a command, from the number of its bits and of those that are 1.
  [[nodiscard]] Picoseconds command_time(unsigned bits, unsigned ones) const {
    return frame_sync_ + (bits - ones) * tari_ + ones * one_;
  }
  // Preamble, `bits` bits and the dummy bit of a reply.
  [[nodiscard]] Picoseconds reply_time(unsigned bits) const {
    return (reply_overhead_bits_ + bits) * symbol_;
  }

  [[nodiscard]] Picoseconds rtcal() const { return tari_ + one_; }
  [[nodiscard]] Picoseconds trcal() const { return trcal_; }
  [[nodiscard]] Picoseconds tpri() const { return tpri_; }
  // T1 nominal, T2 = 3 Tpri, T3 = 0 (what 10.2 assumes), T4.
  [[nodiscard]] Picoseconds t1() const { return t1_; }
  [[nodiscard]] Picoseconds t2() const { return t2_; }
  [[nodiscard]] Picoseconds t3() const { return 0; }
  [[nodiscard]] Picoseconds t4() const { return t4_; }

  // From the end of a command to the start of the next one, without and with a reply.
  [[nodiscard]] Picoseconds silence() const { return later(t1_ + t3(), t4_); }
  [[nodiscard]] Picoseconds listen(unsigned reply_bits) const {
    return later(t1_ + reply_time(reply_bits) + t2_, t4_);
  }
  // The part of listen() that comes after the reply's last bit.
  [[nodiscard]] Picoseconds after_reply(unsigned reply_bits) const {
    return listen(reply_bits) - t1_ - reply_time(reply_bits);
  }
  // For a reply of the write class: it comes after its delay, with the extended preamble whatever
  // the round has (reference section 4).
  [[nodiscard]] Picoseconds listen_delayed(unsigned reply_bits, Picoseconds delay) const {
    return t1_ + delay + (extended_overhead_bits_ + reply_bits) * symbol_ + t2_;
  }
  // How long a write may take (T5): after that no reply comes any more.
  static constexpr Picoseconds kLongestWrite = 20'000'000'000;

 private:
  [[nodiscard]] Picoseconds bits_time(const BitFrame& frame) const {
    const unsigned ones = frame.ones();
    return (frame.size() - ones) * tari_ + ones * one_;
  }
  static Picoseconds later(Picoseconds a, Picoseconds b) { return a > b ? a : b; }

  Picoseconds tari_;
  Picoseconds one_;
  Picoseconds trcal_;
  Picoseconds tpri_;
  Picoseconds symbol_;
  Picoseconds frame_sync_;
  Picoseconds preamble_;
  unsigned reply_overhead_bits_;
  unsigned extended_overhead_bits_;
  Picoseconds t1_;
  Picoseconds t2_;
  Picoseconds t4_;
};

}  // namespace singulate::gen2
