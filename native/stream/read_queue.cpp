#include "stream/read_queue.h"

#include <algorithm>
#include <cstring>

namespace singulate::stream {

namespace {

// An empty queue begins again at its first slot once it has come so far.
constexpr std::size_t kRestartSlot = 1024;

}  // namespace

ReadQueue::ReadQueue(std::size_t capacity, WhenFull when_full)
    : capacity_(std::max<std::size_t>(capacity, 1)),
      when_full_(when_full),
      slots_(capacity_ + 1 + kMaxContinued),
      bytes_(std::make_unique_for_overwrite<unsigned char[]>(slots_ * sizeof(ReadRecord))) {}

bool ReadQueue::has_room(std::uint64_t head, std::size_t records) {
  if (head + records - tail_seen_ <= capacity_) return true;
  tail_seen_ = tail_.load();
  return head + records - tail_seen_ <= capacity_;
}

Pushed ReadQueue::push(const ReadRecord& record, std::span<const std::uint8_t> continuation,
                       Wake wake) {
  const std::size_t more = (continuation.size() + sizeof(ReadRecord) - 1) / sizeof(ReadRecord);
  const std::size_t records = 1 + more;
  if (more > kMaxContinued || records > capacity_) return Pushed::kDropped;
  const std::uint64_t head = head_.load(std::memory_order_relaxed);
  bool open = true;
  if (!has_room(head, records)) {
    if (when_full_ == WhenFull::kDrop) return Pushed::kDropped;
    open = wait_for_room(head, records);
    // Closed before the last read found its place: that one took the spare slots already.
    if (!open && head - tail_seen_ > capacity_) return Pushed::kDropped;
  }
  if (head_slot_ >= kRestartSlot && tail_.load() == head) {
    head_slot_ = 0;
    restarted_at_.store(head, std::memory_order_relaxed);
  }
  const std::size_t first_slot = head_slot_;
  store(&record, sizeof record);
  if (more > 0) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    slot(first_slot)[offsetof(ReadRecord, more)] = static_cast<std::uint8_t>(more);
    for (std::size_t at = 0; at < continuation.size(); at += sizeof record) {
      const auto part = continuation.subspan(at);
      store(part.data(), std::min(part.size(), sizeof record));
    }
  }
  // Sequentially consistent, as are arm()'s two steps: either the producer sees that the
  // consumer is armed, or the consumer sees the read. An exchange, here and below: emulators
  // of ARM let a load pass the plain store before it, which the processor itself does not.
  (void)head_.exchange(head + records);
  if (!open) return Pushed::kClosed;
  if (wake == Wake::kNow && armed_.load() && armed_.exchange(false)) return Pushed::kStoredAndWake;
  return Pushed::kStored;
}

void ReadQueue::store(const void* bytes, std::size_t size) {
  std::memcpy(slot(head_slot_), bytes, size);
  if (++head_slot_ == slots_) head_slot_ = 0;
}

bool ReadQueue::wait_for_room(std::uint64_t head, std::size_t records) {
  std::unique_lock lock(mutex_);
  (void)producer_waits_.exchange(true);
  // The consumer may have made room, and looked for a waiting producer, just before.
  room_.wait(lock, [&] { return closed_.load() || has_room(head, records); });
  producer_waits_.store(false);
  return !closed_.load();
}

std::size_t ReadQueue::whole_reads(std::size_t records) const {
  std::size_t whole = 0;
  std::size_t at = tail_slot_;
  while (whole < records) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    const std::size_t read = 1U + std::size_t{slot(at)[offsetof(ReadRecord, more)]};
    if (whole + read > records) break;
    whole += read;
    at = (at + read) % slots_;
  }
  return whole;
}

std::size_t ReadQueue::pop(void* into, std::size_t records) {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  const std::uint64_t waiting = head_.load(std::memory_order_acquire) - tail;
  if (waiting == 0) return 0;
  // The producer does this only when nothing waits: what waits now lies after it.
  const std::uint64_t restart = restarted_at_.load(std::memory_order_relaxed);
  if (restart != restart_seen_) {
    restart_seen_ = restart;
    tail_slot_ = 0;
  }
  // All that waits is whole; only a buffer that is too small for it can cut a read.
  const std::size_t count =
      waiting <= records ? static_cast<std::size_t>(waiting) : whole_reads(records);
  if (count == 0) return 0;
  const std::size_t first = std::min(count, slots_ - tail_slot_);
  auto* bytes = static_cast<unsigned char*>(into);
  std::memcpy(bytes, slot(tail_slot_), first * sizeof(ReadRecord));
  std::memcpy(bytes + first * sizeof(ReadRecord), slot(0), (count - first) * sizeof(ReadRecord));
  tail_slot_ += count;
  if (tail_slot_ >= slots_) tail_slot_ -= slots_;
  (void)tail_.exchange(tail + count);
  // A producer that waits is let in when half of the room is free: one wake for many records.
  if (producer_waits_.load() && waiting - count <= capacity_ / 2) {
    // The lock makes sure that the producer is either asleep or has not looked yet.
    { const std::lock_guard lock(mutex_); }
    room_.notify_one();
  }
  return count;
}

bool ReadQueue::arm() {
  (void)armed_.exchange(true);
  if (head_.load() == tail_.load(std::memory_order_relaxed)) return true;
  // If the producer took the request in the meantime, the wake is on its way.
  return !armed_.exchange(false);
}

void ReadQueue::reset() {
  head_.store(0);
  head_slot_ = 0;
  tail_.store(0);
  tail_slot_ = 0;
  tail_seen_ = 0;
  restarted_at_.store(0);
  restart_seen_ = 0;
  armed_.store(false);
  closed_.store(false);
}

void ReadQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_.store(true);
  }
  room_.notify_all();
}

}  // namespace singulate::stream
