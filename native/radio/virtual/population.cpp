#include "radio/virtual/population.h"

#include "radio/virtual/random.h"

namespace singulate::radio {

namespace {

std::size_t count_tags(const VirtualOptions& options) {
  std::size_t tags = 0;
  for (const VirtualGroup& group : options.groups) tags += group.tags.size();
  return tags;
}

}  // namespace

Population::Population(const VirtualOptions& options)
    : models_(options.models), reach_(count_tags(options), Reach::kNone), buckets_(reach_.size()) {
  Random seeds(options.seed);
  tags_.reserve(reach_.size());
  memories_.reserve(reach_.size());
  for (const VirtualGroup& group : options.groups) {
    for (const VirtualTag& tag : group.tags) {
      tags_.emplace_back(seeds.next());
      memories_.emplace_back(tag, models_[tag.model]);
    }
  }
}

void Population::apply_power(std::uint64_t now_ns) {
  powered_.clear();
  for (std::uint32_t i = 0; i < tags_.size(); ++i) {
    if (reach_[i] == Reach::kNone) {
      tags_[i].power_down(now_ns);
    } else {
      wake(i, now_ns);
      powered_.push_back(i);
    }
  }
}

void Population::wake(std::uint32_t tag, std::uint64_t now_ns) {
  if (tags_[tag].powered()) return;
  tags_[tag].power_up(now_ns);
  // The stored CRC is that of the last power-up. Nothing can have changed it unless somebody
  // spoke to a tag.
  if (accessed_) memories_[tag].power_up();
}

void Population::carrier_off(std::uint64_t now_ns) {
  for (const std::uint32_t i : powered_) tags_[i].power_down(now_ns);
  powered_.clear();
  in_round_.clear();
  answering_.clear();
}

void Population::select(const gen2::Select& command, std::uint64_t now_ns) {
  buckets_.clear();
  in_round_.clear();
  answering_.clear();
  for (const std::uint32_t i : powered_) {
    TagEar(tags_[i], memories_[i]).hear_select(command, now_ns);
  }
}

void Population::query(const gen2::Query& command, std::uint64_t now_ns) {
  session_ = command.session;
  buckets_.clear();
  in_round_.clear();
  answering_.clear();
  for (const std::uint32_t i : powered_) {
    tags_[i].query(command, now_ns);
    if (!tags_[i].in_round()) continue;
    in_round_.push_back(i);
    place(i);
  }
}

std::uint32_t Population::would_answer(const gen2::Query& query, std::uint64_t now_ns) const {
  std::uint32_t count = 0;
  for (const std::uint32_t i : powered_) {
    Tag copy = tags_[i];
    copy.query(query, now_ns);
    count += copy.in_round() ? 1 : 0;
  }
  return count;
}

std::uint32_t Population::left() const {
  std::uint32_t count = 0;
  for (const std::uint32_t i : in_round_) {
    count += tags_[i].in_round() && !tags_[i].in_session() ? 1 : 0;
  }
  return count;
}

void Population::query_adjust(const gen2::QueryAdjust& command, std::uint64_t now_ns) {
  buckets_.clear();
  answering_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t i : in_round_) {
    tags_[i].query_adjust(session_, command.change, now_ns);
    if (!tags_[i].in_round()) continue;
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

void Population::ack(std::uint32_t tag) {
  const std::uint16_t rn16 = tags_[tag].rn16();
  for (const std::uint32_t i : answering_) tags_[i].ack(rn16);
}

void Population::nak() {
  for (const std::uint32_t i : answering_) tags_[i].nak();
}

void Population::end_slot(std::uint64_t now_ns) {
  for (const std::uint32_t i : answering_) {
    Tag& tag = tags_[i];
    if (tag.in_session()) {
      tag.leave(now_ns);
    } else if (tag.state() == TagState::kReply) {
      tag.fall_back();
    }
  }
  answering_.clear();
}

void Population::place(std::uint32_t tag) { buckets_.add(tags_[tag].slot(), tag); }

}  // namespace singulate::radio
