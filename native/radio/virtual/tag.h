// A Gen2 tag as a state machine (reference section 6): states, flags, slot counter. It hears
// commands one by one and says whether it backscatters. Flags keep as section 7.1 says.
// What it has in memory is in tag_memory.h, what it does with whole frames in tag_ear.h.
//
// The simulation does not send every QueryRep to every silent tag; it uses the
// transitions below the commands directly, at the slot they happen in. The tests
// check that both ways are the same.
#pragma once

#include <cstdint>
#include <optional>

#include "gen2/commands.h"
#include "gen2/select.h"
#include "gen2/session.h"
#include "radio/virtual/random.h"

namespace singulate::radio {

// In the order in which a tag goes through them.
enum class TagState : std::uint8_t {
  kReady,
  kArbitrate,
  kReply,
  kAcknowledged,
  kOpen,
  kSecured,
  kKilled,
};

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
  void nak();
  void select(gen2::SelectTarget target, gen2::FlagChange change, std::uint64_t now_ns);
  // Req_RN: the handle that it now has (from acknowledged), or a new RN16 to cover words with
  // (from open and secured). Nothing: ignored.
  std::optional<std::uint16_t> req_rn(std::uint16_t handle, bool has_access_password);

  // --- Transitions.
  // Draws a slot of a frame of 2^q. True if it is slot 0: the tag replies at once.
  bool draw(unsigned q);
  // The slot counter came to 0: draws an RN16 and replies.
  void reply();
  // A reply that was not acknowledged: mute until the next draw.
  void fall_back();
  // The round goes on after an ACK: inverts the flag, leaves the round.
  void leave(std::uint64_t now_ns);
  // No valid command came within T2: open and secured do not mind.
  void t2_expired();
  // The access password was right; the kill password was.
  void secure() { state_ = TagState::kSecured; }
  void kill() { state_ = TagState::kKilled; }

  // The RN16 that the command just before asked for; it serves for one command only.
  [[nodiscard]] std::optional<std::uint16_t> take_cover();
  // Which command, if any, has had the first half of its password.
  enum class Half : std::uint8_t { kNone, kKill, kAccess };
  [[nodiscard]] Half half() const { return half_; }
  void set_half(Half half) { half_ = half; }
  // The bit of EPC memory at which the next EPC begins; nothing: the whole of it.
  [[nodiscard]] std::optional<unsigned> truncation() const;
  void set_truncation(std::optional<unsigned> from_bit) {
    truncate_from_ = static_cast<std::uint16_t>(from_bit.value_or(kWhole));
  }

  [[nodiscard]] TagState state() const { return state_; }
  [[nodiscard]] bool in_round() const {
    return state_ != TagState::kReady && state_ != TagState::kKilled;
  }
  // Acknowledged, open or secured: the round going on means that it was read.
  [[nodiscard]] bool in_session() const {
    return state_ >= TagState::kAcknowledged && state_ <= TagState::kSecured;
  }
  [[nodiscard]] std::uint16_t slot() const { return slot_; }
  [[nodiscard]] std::uint16_t rn16() const { return rn16_; }
  // The inventoried flag as it is now. S1 falls back to A by time, but not inside a round.
  [[nodiscard]] gen2::Target flag(gen2::Session session, std::uint64_t now_ns) const;
  [[nodiscard]] bool selected() const { return (flags_ & kSl) != 0; }

 private:
  static constexpr std::uint8_t kSl = 0b1'0000;
  static constexpr std::uint16_t kWhole = 0xFFFF;

  [[nodiscard]] bool is_b(gen2::Session session) const {
    return ((flags_ >> static_cast<unsigned>(session)) & 1U) != 0;
  }
  void set_flag(gen2::Session session, gen2::Target target, std::uint64_t now_ns);
  // S1 of a tag outside a round: A once its time is over.
  void expire_s1(std::uint64_t now_ns);

  Random random_;
  std::uint64_t s1_set_ns_ = 0;  // when S1 last became B
  std::uint64_t off_since_ns_ = 0;
  std::uint32_t s1_persistence_us_;
  std::uint32_t off_persistence_us_;  // of S2, S3 and SL without power
  std::uint16_t slot_ = 0;
  std::uint16_t rn16_ = 0;  // the handle in open and secured
  std::uint16_t cover_ = 0;
  std::uint16_t truncate_from_ = kWhole;
  TagState state_ = TagState::kReady;
  gen2::Session session_ = gen2::Session::kS0;  // of the round it is in
  std::uint8_t q_ = 0;
  std::uint8_t flags_ = 0;  // bit s: the flag of session s is B; bit 4: SL is asserted
  Half half_ = Half::kNone;
  bool has_cover_ = false;
  bool selected_round_ = false;  // the Query asked for SL: truncation counts
  bool powered_ = false;
};

}  // namespace singulate::radio
