#include "inventory/recorder.h"

#include <algorithm>
#include <utility>

#include "stream/access_bytes.h"

namespace singulate::inventory {

void Recorder::begin_reading(std::uint64_t now_ns, bool afresh, std::uint64_t tags,
                             bool count_tags) {
  if (afresh) ++period_;
  seen_.clear();
  count_tags_ = count_tags || tags > 0;
  tag_limit_ = tags;
  newest_ns_ = now_ns;
}

void Recorder::begin_visit(const InventoryPlan::Antenna& antenna) {
  beam_ = static_cast<std::uint16_t>(antenna.beam);
  memory_from_ = static_cast<std::size_t>(antenna.memory_from);
  memory_count_ = static_cast<std::size_t>(antenna.memory_count);
}

bool Recorder::write_results(std::span<const radio::AccessResult> results) {
  continuation_.clear();
  continuation_.push_back(static_cast<std::uint8_t>(results.size() & 0xFFU));
  continuation_.push_back(static_cast<std::uint8_t>(results.size() >> 8U));
  bool all = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const radio::AccessResult& result = results[i];
    const bool memory = i >= memory_from_ && i < memory_from_ + memory_count_;
    const std::size_t words = std::min<std::size_t>(result.words.size(), 255);
    all = all && result.status == radio::AccessStatus::kDone;
    continuation_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(result.status) |
                                                      (memory ? stream::kMemoryRead : 0U)));
    continuation_.push_back(static_cast<std::uint8_t>(result.error));
    continuation_.push_back(result.words_written);
    continuation_.push_back(static_cast<std::uint8_t>(words));
    for (std::size_t word = 0; word < words; ++word) {
      continuation_.push_back(static_cast<std::uint8_t>(result.words[word] >> 8U));
      continuation_.push_back(static_cast<std::uint8_t>(result.words[word] & 0xFFU));
    }
  }
  return all;
}

bool Recorder::on_read(const radio::TagRead& read) {
  stream::ReadRecord record;
  record.time_ns = read.time_ns;
  record.sequence = ++sequence_;
  record.frequency_khz = read.frequency_khz;
  record.rssi_cdbm = read.rssi_cdbm;
  record.phase_cdeg = read.phase_cdeg;
  record.pc = read.pc;
  record.crc = read.crc;
  record.antenna = read.antenna;
  record.beam = beam_;
  record.plan = plan_;
  record.period = period_;
  if (read.xpc_words > 0) {
    record.flags |= stream::kHasXpc;
    record.xpc_w1 = read.xpc_w1;
  }
  const std::size_t bytes = std::min(read.epc.size(), record.epc.size());
  record.epc_bytes = static_cast<std::uint8_t>(bytes);
  std::copy_n(read.epc.begin(), bytes, record.epc.begin());
  continuation_.clear();
  if (!read.access.empty() && !write_results(read.access)) {
    record.flags |= stream::kAccessFailed;
    counters_.access_failed.add(1);
  }
  if (count_tags_ && seen_.add(read.epc)) newest_ns_ = read.time_ns;

  // Counted before the consumer can see it: nobody finds more records than reads.
  counters_.reads.add(1);
  counters_.reads_by_antenna[read.antenna].add(1);
  const auto wake = in_batch_ ? stream::Wake::kLater : stream::Wake::kNow;
  switch (queue_.push(record, continuation_, wake)) {
    case stream::Pushed::kStored:
      stored_in_batch_ = in_batch_;
      break;
    case stream::Pushed::kStoredAndWake:
      wake_();
      break;
    case stream::Pushed::kDropped:
      counters_.dropped.add(1);
      break;
    case stream::Pushed::kClosed:
      return false;
  }
  return tag_limit_ == 0 || seen_.count() < tag_limit_;
}

void Recorder::end_batch() {
  in_batch_ = false;
  if (std::exchange(stored_in_batch_, false) && queue_.disarm()) wake_();
}

}  // namespace singulate::inventory
