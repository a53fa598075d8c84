// Turns the reads of a radio module into records: numbers them, counts them, queues them.
#pragma once

#include <cstdint>
#include <functional>

#include "inventory/counters.h"
#include "radio/tag_read.h"
#include "stream/read_queue.h"

namespace singulate::inventory {

class Recorder final : public radio::TagSink {
 public:
  // wake: called after a record was stored for which the consumer asked to be woken.
  Recorder(stream::ReadQueue& queue, Counters& counters, const std::function<void()>& wake)
      : queue_(queue), counters_(counters), wake_(wake) {}

  bool on_read(const radio::TagRead& read) override;

 private:
  stream::ReadQueue& queue_;
  Counters& counters_;
  const std::function<void()>& wake_;
  std::uint64_t sequence_ = 0;
};

}  // namespace singulate::inventory
