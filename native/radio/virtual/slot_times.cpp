#include "radio/virtual/slot_times.h"

#include <bit>

namespace singulate::radio {

SlotTimes::SlotTimes(const gen2::LinkProfile& profile, gen2::Session session)
    : timing_(profile),
      session_(session),
      query_rep_(timing_.command_time(encode(gen2::QueryRep{.session = session}))),
      silence_(timing_.silence()),
      rn16_(timing_.listen(gen2::kRn16Bits)),
      nak_(timing_.command_time(encode(gen2::Nak{}))) {
  for (std::size_t words = 0; words < kEpcLengths; ++words) {
    const unsigned bits = gen2::epc_reply_bits(words * 2);
    epc_[words] = timing_.t1() + timing_.reply_time(bits);
    after_epc_[words] = timing_.listen(bits) - epc_[words];
  }
}

gen2::Picoseconds SlotTimes::ack(std::uint16_t rn16) const {
  // The frame is 01 and the RN16: its time is known from the number of ones.
  return timing_.command_time(18, 1 + static_cast<unsigned>(std::popcount(rn16)));
}

FrameCosts SlotTimes::costs() const {
  const auto us = [](gen2::Picoseconds time) { return static_cast<double>(time) / 1e6; };
  constexpr std::size_t kCommonEpcBytes = 12;
  return {.empty = us(empty_slot()),
          .collided = us(collided_slot()),
          .single = us(single_slot(kCommonEpcBytes)),
          .query_adjust = us(query_adjust({.session = session_})) - us(query_rep_),
          .query = us(query({.session = session_})) - us(query_rep_)};
}

}  // namespace singulate::radio
