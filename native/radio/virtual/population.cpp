#include "radio/virtual/population.h"

#include "radio/virtual/random.h"

namespace singulate::radio {

Population::Population(std::size_t tags, std::uint64_t seed)
    : reach_(tags, Reach::kNone), buckets_(tags) {
  Random seeds(seed);
  tags_.reserve(tags);
  for (std::size_t i = 0; i < tags; ++i) tags_.emplace_back(seeds.next());
}

void Population::apply_power(std::uint64_t now_ns) {
  powered_.clear();
  for (std::uint32_t i = 0; i < tags_.size(); ++i) {
    if (reach_[i] == Reach::kNone) {
      tags_[i].power_down(now_ns);
    } else {
      tags_[i].power_up(now_ns);
      powered_.push_back(i);
    }
  }
}

void Population::carrier_off(std::uint64_t now_ns) {
  for (const std::uint32_t i : powered_) tags_[i].power_down(now_ns);
  powered_.clear();
  in_round_.clear();
  answering_.clear();
}

void Population::query(const gen2::Query& command, std::uint64_t now_ns) {
  session_ = command.session;
  buckets_.clear();
  in_round_.clear();
  answering_.clear();
  for (const std::uint32_t i : powered_) {
    tags_[i].query(command, now_ns);
    if (tags_[i].state() == TagState::kReady) continue;
    in_round_.push_back(i);
    place(i);
  }
}

void Population::query_adjust(const gen2::QueryAdjust& command, std::uint64_t now_ns) {
  buckets_.clear();
  answering_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t i : in_round_) {
    tags_[i].query_adjust(session_, command.change, now_ns);
    if (tags_[i].state() == TagState::kReady) continue;
    in_round_[kept++] = i;
    place(i);
  }
  in_round_.resize(kept);
}

Population::Slot Population::answer(std::uint32_t slot) {
  Slot heard;
  for (std::uint32_t i = buckets_.first(slot); i != SlotBuckets::kEnd; i = buckets_.next(i)) {
    Tag& tag = tags_[i];
    // Tags that lost their power since they drew are ready, or in no round at all.
    if (tag.state() == TagState::kArbitrate) tag.reply();
    if (tag.state() != TagState::kReply) continue;
    answering_.push_back(i);
    if (reach_[i] != Reach::kHeard) continue;
    ++heard.heard;
    heard.tag = i;
  }
  return heard;
}

void Population::ack(std::uint32_t tag) { tags_[tag].ack(tags_[tag].rn16()); }

void Population::end_slot(std::uint64_t now_ns) {
  for (const std::uint32_t i : answering_) {
    Tag& tag = tags_[i];
    if (tag.state() == TagState::kAcknowledged) {
      tag.leave(now_ns);
    } else if (tag.state() == TagState::kReply) {
      tag.fall_back();
    }
  }
  answering_.clear();
}

void Population::place(std::uint32_t tag) { buckets_.add(tags_[tag].slot(), tag); }

}  // namespace singulate::radio
