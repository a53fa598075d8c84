// What the parts of a slot cost on a link, in one session (reference section 10.1).
#pragma once

#include <array>
#include <cstdint>

#include "gen2/commands.h"
#include "gen2/link_timing.h"
#include "gen2/replies.h"
#include "radio/virtual/frame_policy.h"

namespace singulate::radio {

class SlotTimes {
 public:
  SlotTimes(const gen2::LinkProfile& profile, gen2::Session session);

  [[nodiscard]] const gen2::LinkTiming& link() const { return timing_; }
  [[nodiscard]] gen2::Picoseconds query_rep() const { return query_rep_; }
  [[nodiscard]] gen2::Picoseconds silence() const { return silence_; }
  [[nodiscard]] gen2::Picoseconds rn16() const { return rn16_; }
  [[nodiscard]] gen2::Picoseconds ack(std::uint16_t rn16) const;
  [[nodiscard]] gen2::Picoseconds nak() const { return nak_; }
  // From the end of ACK to the last bit of the EPC, and on to the next command. Bytes of XPC,
  // if there are any, count with those of the EPC.
  [[nodiscard]] gen2::Picoseconds epc(std::size_t epc_bytes) const { return epc_[epc_bytes / 2]; }
  [[nodiscard]] gen2::Picoseconds after_epc(std::size_t epc_bytes) const {
    return after_epc_[epc_bytes / 2];
  }
  [[nodiscard]] gen2::Picoseconds query(const gen2::Query& command) const {
    return timing_.query_time(encode(command));
  }
  [[nodiscard]] gen2::Picoseconds query_adjust(const gen2::QueryAdjust& command) const {
    return timing_.command_time(encode(command));
  }

  // T0, Tc and Ts of section 10.1; Ts for an RN16 with half its bits one.
  [[nodiscard]] gen2::Picoseconds empty_slot() const { return query_rep_ + silence_; }
  [[nodiscard]] gen2::Picoseconds collided_slot() const { return query_rep_ + rn16_; }
  [[nodiscard]] gen2::Picoseconds single_slot(std::size_t epc_bytes) const {
    return collided_slot() + ack(0x00FF) + epc(epc_bytes) + after_epc(epc_bytes);
  }
  // What frame policies reckon with.
  [[nodiscard]] FrameCosts costs() const;

 private:
  static constexpr std::size_t kEpcLengths = gen2::kMaxEpcWords + 2 + 1;

  gen2::LinkTiming timing_;
  gen2::Session session_;
  gen2::Picoseconds query_rep_;
  gen2::Picoseconds silence_;
  gen2::Picoseconds rn16_;
  gen2::Picoseconds nak_;
  std::array<gen2::Picoseconds, kEpcLengths> epc_{};
  std::array<gen2::Picoseconds, kEpcLengths> after_epc_{};
};

}  // namespace singulate::radio
