// A Gen2 tag as a state machine (reference section 6): inventory part. It hears
// commands one by one and says whether it backscatters. Flags keep as section 7.1 says.
//
// The simulation does not send every QueryRep to every silent tag; it uses the
// transitions below the commands directly, at the slot they happen in. The tests
// check that both ways are the same.
#pragma once

#include <cstdint>

#include "gen2/commands.h"
#include "gen2/session.h"
#include "radio/virtual/random.h"

namespace singulate::radio {

enum class TagState : std::uint8_t { kReady, kArbitrate, kReply, kAcknowledged };

class Tag {
 public:
  // The slot counter of a tag that lost its slot: it stays mute until it draws again.
  static constexpr std::uint16_t kMute = 0x7FFF;

  // All its random numbers and persistence times come from the seed.
  explicit Tag(std::uint64_t seed);

  // --- Power. `now_ns` is any clock that never goes back.
  void power_up(std::uint64_t now_ns);
  void power_down(std::uint64_t now_ns);
  [[nodiscard]] bool powered() const { return powered_; }

  // --- Commands, while powered. True: the tag backscatters its RN16 (its EPC for ack).
  bool query(const gen2::Query& command, std::uint64_t now_ns);
  bool query_rep(gen2::Session session, std::uint64_t now_ns);
  bool query_adjust(gen2::Session session, gen2::QChange change, std::uint64_t now_ns);
  bool ack(std::uint16_t rn16);

  // --- Transitions.
  // Draws a slot of a frame of 2^q. True if it is slot 0: the tag replies at once.
  bool draw(unsigned q);
  // The slot counter came to 0: draws an RN16 and replies.
  void reply();
  // A reply that was not acknowledged: mute until the next draw.
  void fall_back();
  // The round goes on after an ACK: inverts the flag, leaves the round.
  void leave(std::uint64_t now_ns);

  [[nodiscard]] TagState state() const { return state_; }
  [[nodiscard]] std::uint16_t slot() const { return slot_; }
  [[nodiscard]] std::uint16_t rn16() const { return rn16_; }
  // The inventoried flag as it is now. S1 falls back to A by time, but not inside a round.
  [[nodiscard]] gen2::Target flag(gen2::Session session, std::uint64_t now_ns) const;

 private:
  [[nodiscard]] bool is_b(gen2::Session session) const {
    return ((flags_b_ >> static_cast<unsigned>(session)) & 1U) != 0;
  }
  void set_flag(gen2::Session session, gen2::Target target, std::uint64_t now_ns);
  // S1 of a tag outside a round: A once its time is over.
  void expire_s1(std::uint64_t now_ns);

  Random random_;
  std::uint64_t s1_set_ns_ = 0;  // when S1 last became B
  std::uint64_t off_since_ns_ = 0;
  std::uint32_t s1_persistence_us_;
  std::uint32_t off_persistence_us_;  // of S2 and S3 without power
  std::uint16_t slot_ = 0;
  std::uint16_t rn16_ = 0;
  TagState state_ = TagState::kReady;
  gen2::Session session_ = gen2::Session::kS0;  // of the round it is in
  std::uint8_t q_ = 0;
  std::uint8_t flags_b_ = 0;  // bit s: the flag of session s is B
  bool powered_ = false;
};

}  // namespace singulate::radio
