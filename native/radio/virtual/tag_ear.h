// A whole tag: hears frames bit for bit and answers with frames (reference sections 4, 6 and 7).
// The reference says what happens; where it is silent:
// - Between the two halves of a password any valid command but Req_RN and Query sends the tag back
//   to arbitrate.
// - Write, Kill and Access without a Req_RN just before them are ignored, as are commands with
//   a wrong handle and those that the chip does not have.
// - In reply and acknowledged any access command that the chip has, and FileOpen, leads to
//   arbitrate, with whatever handle; in reply Req_RN does too.
// - A wrong half of a password ends the sequence at once; a kill password of zero is refused at
//   the end of the sequence, with "insufficient privileges".
#pragma once

#include <cstdint>
#include <optional>

#include "gen2/any_command.h"
#include "gen2/bit_frame.h"
#include "radio/virtual/tag.h"
#include "radio/virtual/tag_memory.h"

namespace singulate::radio {

struct TagReply {
  gen2::BitFrame frame;
  // Of the write class: with the extended preamble (TRext = 1) whatever the round has, and
  // this much later than T1; at most 20 ms.
  bool delayed = false;
  std::uint32_t delay_us = 0;
};

class TagEar {
 public:
  // Both must outlive the ear.
  TagEar(Tag& tag, TagMemory& memory) : tag_(tag), memory_(memory) {}

  // Power. The stored CRC is computed again whenever power comes.
  void power_up(std::uint64_t now_ns);
  void power_down(std::uint64_t now_ns) { tag_.power_down(now_ns); }

  // What the tag backscatters to the frame; nothing: it is silent, or the frame meant nothing
  // to it. `power_to_write`: the carrier is strong enough to write memory.
  std::optional<TagReply> hear(const gen2::BitFrame& frame, std::uint64_t now_ns,
                               bool power_to_write = true);
  // A Select that was decoded already, once for many tags.
  void hear_select(const gen2::Select& command, std::uint64_t now_ns);

 private:
  using Reply = std::optional<TagReply>;

  Reply on(const gen2::Query& command);
  Reply on(const gen2::QueryRep& command);
  Reply on(const gen2::QueryAdjust& command);
  Reply on(const gen2::Ack& command);
  Reply on(const gen2::Nak& command);
  Reply on(const gen2::Select& command);
  Reply on(const gen2::ReqRn& command);
  Reply on(const gen2::Read& command);
  Reply on(const gen2::Write& command);
  Reply on(const gen2::Kill& command);
  Reply on(const gen2::Lock& command);
  Reply on(const gen2::Access& command);
  Reply on(const gen2::BlockWrite& command);
  Reply on(const gen2::BlockErase& command);
  Reply on(const gen2::BlockPermalock& command);
  Reply on(const gen2::FileOpen& command);
  Reply on(const gen2::Untraceable& command);

  // True if an access command is for this tag. Sends it to arbitrate if the command breaks
  // into the halves of a password.
  bool accepts(std::uint16_t handle, Tag::Half may_follow = Tag::Half::kNone);
  // The half of a password: nothing if it was wrong (then the tag is in arbitrate).
  enum class HalfResult : std::uint8_t { kWrong, kFirst, kBoth };
  HalfResult take_half(Tag::Half which, std::uint32_t password, std::uint16_t half);
  [[nodiscard]] Reply rn16_if(bool replies) const;
  [[nodiscard]] Reply epc() const;
  [[nodiscard]] Reply handle() const;
  [[nodiscard]] Reply written(TagMemory::Failure failure, std::size_t words) const;
  [[nodiscard]] Reply error(gen2::TagError error) const;
  [[nodiscard]] AccessRight right() const;

  Tag& tag_;
  TagMemory& memory_;
  std::uint64_t now_ns_ = 0;            // of the frame being heard
  std::optional<std::uint16_t> cover_;  // for the frame being heard
  bool power_to_write_ = true;
};

}  // namespace singulate::radio
