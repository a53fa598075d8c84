// Turns the reads of a radio module into records: numbers them, counts them, queues them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "inventory/counters.h"
#include "inventory/inventory_plan.h"
#include "inventory/seen_tags.h"
#include "radio/tag_read.h"
#include "stream/read_queue.h"

namespace singulate::inventory {

class Recorder final : public radio::TagSink {
 public:
  // wake: called after a record was stored for which the consumer asked to be woken.
  Recorder(stream::ReadQueue& queue, Counters& counters, const std::function<void()>& wake)
      : queue_(queue), counters_(counters), wake_(wake) {}

  bool on_read(const radio::TagRead& read) override;
  void begin_batch() override { in_batch_ = true; }
  // Also when no further round follows at once: the module may have left a batch open.
  void end_batch() override;

  // The reads that follow are of this plan.
  void begin_plan(std::uint8_t number) { plan_ = number; }
  // Reading begins. afresh: a new period, by a start condition; otherwise the one before goes on
  // under another plan. tags: after so many different ones on_read() ends the round;
  // 0 = no limit. count_tags: new_tags() and newest_ns() are wanted.
  void begin_reading(std::uint64_t now_ns, bool afresh, std::uint64_t tags, bool count_tags);
  // Nothing was read for so long, for reasons that are not the tags'.
  void pass_over(std::uint64_t time_ns) { newest_ns_ += time_ns; }
  // The reads that follow come from this antenna of the plan.
  void begin_visit(const InventoryPlan::Antenna& antenna);

  // Since then: different tags, and the air time of the last one that was new, or of the
  // start.
  [[nodiscard]] std::uint64_t new_tags() const { return seen_.count(); }
  [[nodiscard]] bool is_new(std::span<const std::uint8_t> epc) const { return !seen_.has(epc); }
  // With so many more new tags there are as many as begin_reading() was told.
  [[nodiscard]] bool has_enough(std::uint64_t more) const {
    return tag_limit_ > 0 && seen_.count() + more >= tag_limit_;
  }
  [[nodiscard]] std::uint64_t newest_ns() const { return newest_ns_; }

 private:
  // Writes the results to continuation_; true if all succeeded.
  bool write_results(std::span<const radio::AccessResult> results);

  stream::ReadQueue& queue_;
  Counters& counters_;
  const std::function<void()>& wake_;
  std::uint64_t sequence_ = 0;
  std::uint8_t plan_ = 0;
  std::uint8_t period_ = 0;
  std::uint16_t beam_ = 0;
  std::size_t memory_from_ = 0;
  std::size_t memory_count_ = 0;
  std::vector<std::uint8_t> continuation_;
  bool in_batch_ = false;
  bool stored_in_batch_ = false;
  SeenTags seen_;
  bool count_tags_ = false;
  std::uint64_t tag_limit_ = 0;
  std::uint64_t newest_ns_ = 0;
};

}  // namespace singulate::inventory
