// One inventory round of the simulated interrogator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radio/virtual/access_session.h"
#include "radio/virtual/frame_policy.h"
#include "radio/virtual/slot_times.h"
#include "radio/virtual/virtual_radio.h"

namespace singulate::radio {

class Round {
 public:
  Round(VirtualRadio& radio, const RoundRequest& request, TagSink& sink);

  RoundResult run();

 private:
  enum class FrameEnd : std::uint8_t { kLastSlot, kBrokenOff, kStopped, kStayOver };

  // A read that waits for its time; paced modules must not be early.
  struct Pending {
    std::uint64_t time_ns = 0;
    std::uint32_t tag = 0;
    std::uint32_t frequency_khz = 0;
    Signal signal;
    std::vector<AccessResult> access{};
    // As it was backscattered, where that is no longer what the tag would send.
    struct Backscattered {
      TagMemory::Packet packet{};
      std::vector<std::uint8_t> epc{};
      unsigned bits = 0;  // of a reply that was cut short, all of it
    };
    std::optional<Backscattered> backscattered{};
  };

  // Reports to the observer, and pays the time of the command.
  template <typename Command>
  void send(const Command& command, gen2::Picoseconds time) {
    if (result_.first_command_ns == 0) result_.first_command_ns = now_ns();
    if (radio_.observer_ != nullptr) radio_.observer_->command(now_ns(), gen2::encode(command));
    pay(time);
  }
  void send_query_rep() { send(gen2::QueryRep{.session = request_.session}, times_.query_rep()); }
  // since: how long ago it ended.
  void report_reply(const gen2::BitFrame& frame, gen2::Picoseconds since) {
    if (radio_.observer_ != nullptr) radio_.observer_->reply(now_ns() - since / 1000, frame);
  }
  // The replies in the running slot, after the time that belongs to them.
  void report_replies(const Population::Slot& slot);
  // Whether so much can be over by the deadline.
  [[nodiscard]] bool in_time(std::uint64_t ahead_ns) const {
    return ahead_ns <= request_.deadline_ns && now_ns() <= request_.deadline_ns - ahead_ns;
  }
  // As in_time(); if there is not so much time, the round ends.
  bool has_time(std::uint64_t ahead_ns);
  // What is left of the time of the round, with the carrier on.
  void sit_out();
  // The tag's own reply is cut short by a Select that asked for that.
  [[nodiscard]] std::optional<Pending::Backscattered> truncated(std::uint32_t tag) const;
  // Everything on the tag that was just read.
  std::vector<AccessResult> access(std::uint32_t tag);

  // The carrier on, and the Selects. False: the round is over before that.
  bool begin();
  // Frame by frame until the round is over.
  void frames();
  // Q of a first frame for that many expected tags; 0 = unknown.
  unsigned first_q(std::uint64_t expected);
  // Opens a frame of 2^q slots: with QueryAdjust if the running Q is at most one off,
  // otherwise with Query.
  void open_frame(unsigned q);
  // Runs the slots of the frame. kBrokenOff: next_q_ is set.
  FrameEnd run_frame(FrameCounts& frame);
  void run_slot(std::uint32_t slot, FrameCounts& frame);
  // The running slot without the replies that drown in noise, and those below the RSSI limit: those
  // tags are not acknowledged, and do not count for the frames.
  Population::Slot leave_out_weak();
  // The tag whose reply is understood, or nothing: a collision, or a reply that was lost.
  std::optional<std::uint32_t> understood(const Population::Slot& slot);
  std::optional<std::uint32_t> captured();
  // ACKs the tag and reads its EPC. False if it did not come through: the tag was sent back.
  bool read(std::uint32_t tag);
  // Whether a reply of this tag is lost on the way.
  bool lost(std::uint32_t tag);
  // dB by which a reply is stronger than the noise of now allows.
  [[nodiscard]] double margin_db(const Signal& signal) const;
  // The tag's reply to the command, if it came through, with the air time of both.
  std::optional<gen2::BitFrame> exchange(std::uint32_t tag, const gen2::AnyCommand& command);
  // The Selects of the request, and the delay after them.
  void send_selects();
  // Looks at the field again if anything moves in it and the last look is old.
  void follow_movement();
  // What is looked at before each slot. False: the round is over, result_.end says why.
  bool go_on();
  // As go_on(), while the carrier is off.
  bool wanted();
  // The carrier goes off, and every tag with it; then it goes on, in the next channel if it has
  // to, as soon as the channel's rule allows. False: the round is over before that.
  bool restart_carrier();
  bool wait_until(std::uint64_t time_ns);
  // Whether the stay on the channel might be over before the carrier has gone off after that time.
  [[nodiscard]] bool stay_ends_within(std::uint64_t time_ns) const {
    return radio_.hopper_.due(now_ns(), time_ns + kCarrierFallNs);
  }
  // Whether the next slot cannot be in this stay.
  [[nodiscard]] bool must_restart() const { return !radio_.on_ || stay_ends_within(slot_ns_); }
  // Whether there is time for a further step of the running slot, and for the end of the round.
  [[nodiscard]] bool still_fits(gen2::Picoseconds step) const;
  // The tag that was acknowledged last learns by a QueryRep that the round went on.
  void close_last_slot();
  // Paced: waits for real time, then delivers what is due. False if interrupted.
  bool catch_up(bool round_ends = false);
  // When that is next. Reads are collected, but the first one after a pause is not late.
  [[nodiscard]] std::uint64_t catch_up_ns() const;
  bool deliver(const Pending& read);

  [[nodiscard]] std::uint64_t now_ns() const { return radio_.clock_.now_ns(); }
  void pay(gen2::Picoseconds time) { radio_.clock_.advance_ps(time); }

  VirtualRadio& radio_;
  const RoundRequest& request_;
  TagSink& sink_;
  Carrier carrier_;
  const SlotTimes& times_;
  FramePolicy& policy_;
  gen2::Query query_;
  RoundResult result_;
  std::vector<Pending> pending_;
  std::uint64_t synced_ns_ = 0;
  std::uint64_t slot_ns_;         // the longest that a slot may take
  std::uint64_t selects_ns_ = 0;  // the longest that the Selects may
  std::uint64_t access_ns_ = 0;   // what is left free for access before the deadline
  std::uint64_t watched_ns_ = 0;  // when the watch was asked last
  bool cut_short_ = false;        // an access command was not sent any more
  unsigned next_q_ = 0;
  bool by_query_ = true;       // the next frame must begin with Query
  bool acknowledged_ = false;  // the last slot ended with an ACK
  bool sink_closed_ = false;
  bool queried_ = false;      // at least once
  bool out_of_time_ = false;  // nothing more fits before the deadline
};

}  // namespace singulate::radio
