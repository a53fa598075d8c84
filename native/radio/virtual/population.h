// All tags of the field: who has power, and who takes part in the running round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gen2/commands.h"
#include "radio/virtual/field.h"
#include "radio/virtual/slot_buckets.h"
#include "radio/virtual/tag.h"
#include "radio/virtual/tag_ear.h"
#include "radio/virtual/tag_memory.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

class Population {
 public:
  // What the interrogator hears in a slot.
  struct Slot {
    std::uint32_t heard = 0;                // replies that are strong enough
    std::uint32_t tag = SlotBuckets::kEnd;  // the last of them
  };

  // The tags of all groups, in their order.
  explicit Population(const VirtualOptions& options);

  // --- Power.
  // The reach of every tag, for Field::illuminate to write to; then apply_power().
  [[nodiscard]] std::span<Reach> reach() { return reach_; }
  void apply_power(std::uint64_t now_ns);
  // The carrier goes off: every tag loses its power.
  void carrier_off(std::uint64_t now_ns);

  // --- Commands to all tags that have power. Select ends a round that runs.
  void select(const gen2::Select& command, std::uint64_t now_ns);
  // The slots of the new frame are counted from 0.
  void query(const gen2::Query& command, std::uint64_t now_ns);
  void query_adjust(const gen2::QueryAdjust& command, std::uint64_t now_ns);
  // QueryRep: moves on to the slot of that number.
  void query_rep(std::uint64_t now_ns) { end_slot(now_ns); }
  // The tags that answer in the slot.
  Slot answer(std::uint32_t slot);
  // All that backscatter in it, strong enough or not.
  [[nodiscard]] std::span<const std::uint32_t> answering() const { return answering_; }
  // Tags with power that take no part in the round of the last Query.
  [[nodiscard]] std::size_t held_back() const { return powered_.size() - in_round_.size(); }
  // ACK with the tag's own RN16: to all others in the slot it is a wrong one.
  void ack(std::uint32_t tag);
  // NAK: who answered in the slot is mute until the next frame.
  void nak();

  // For policies that are told the truth: tags that would take part in a round of the Query,
  // and those that still have to be read in the running one.
  [[nodiscard]] std::uint32_t would_answer(const gen2::Query& query, std::uint64_t now_ns) const;
  [[nodiscard]] std::uint32_t left() const;

  // Whether a tag with that power can write its memory.
  [[nodiscard]] bool can_write(std::uint32_t tag, double power_dbm) const {
    return power_dbm >= memories_[tag].model().write_sensitivity_dbm;
  }
  // Whole frames to one tag that is singulated; all others ignore them.
  [[nodiscard]] TagEar ear(std::uint32_t tag) {
    accessed_ = true;
    return {tags_[tag], memories_[tag]};
  }

  [[nodiscard]] std::size_t size() const { return tags_.size(); }
  [[nodiscard]] const Tag& tag(std::size_t index) const { return tags_[index]; }
  [[nodiscard]] const TagMemory& memory(std::size_t index) const { return memories_[index]; }
  // What the tag sends to ACK; valid until it is written to.
  [[nodiscard]] TagMemory::Packet packet(std::size_t index) const {
    return memories_[index].packet(tags_[index].selected());
  }

 private:
  // What the end of a slot means to those that answered in it.
  void end_slot(std::uint64_t now_ns);
  void place(std::uint32_t tag);
  void wake(std::uint32_t tag, std::uint64_t now_ns);

  std::vector<VirtualTagModel> models_;
  std::vector<Tag> tags_;  // what the inventory needs, apart from what it seldom does
  std::vector<TagMemory> memories_;
  std::vector<Reach> reach_;
  std::vector<std::uint32_t> powered_;
  std::vector<std::uint32_t> in_round_;   // a superset: some may have left
  std::vector<std::uint32_t> answering_;  // in the running slot
  SlotBuckets buckets_;
  gen2::Session session_ = gen2::Session::kS0;
  bool accessed_ = false;  // some memory may have changed
};

}  // namespace singulate::radio
