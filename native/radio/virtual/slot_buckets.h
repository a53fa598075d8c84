// Tags by the slot they drew: silent slots and silent tags cost nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "gen2/session.h"

namespace singulate::radio {

class SlotBuckets {
 public:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

  explicit SlotBuckets(std::size_t tags) : next_(tags), heads_(std::size_t{1} << gen2::kMaxQ) {}

  // Forgets all slots, without touching them.
  void clear() {
    if (++generation_ != 0) return;
    // The numbers are used up, once in four thousand million frames.
    heads_.assign(heads_.size(), {});
    generation_ = 1;
  }
  void add(std::uint16_t slot, std::uint32_t tag) {
    Head& head = heads_[slot];
    next_[tag] = head.generation == generation_ ? head.tag : kEnd;
    head = {.generation = generation_, .tag = tag};
  }
  // The first tag of a slot, or kEnd; next() walks on. Later additions come first.
  [[nodiscard]] std::uint32_t first(std::uint32_t slot) const {
    const Head& head = heads_[slot];
    return head.generation == generation_ ? head.tag : kEnd;
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t tag) const { return next_[tag]; }

 private:
  struct Head {
    std::uint32_t generation = 0;
    std::uint32_t tag = kEnd;
  };
  std::vector<std::uint32_t> next_;
  std::vector<Head> heads_;
  std::uint32_t generation_ = 1;
};

}  // namespace singulate::radio
