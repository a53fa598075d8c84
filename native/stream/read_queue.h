// A bounded queue of read records from the radio thread to one consumer.
//
// A full queue either loses the new record (a paced radio must not wait) or makes the
// producer wait for room (a radio on virtual time has all the time there is). The consumer
// polls with pop() and can ask with arm() to be woken once when there is something.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "stream/read_record.h"

namespace singulate::stream {

enum class WhenFull : std::uint8_t { kDrop, kWait };

enum class Pushed : std::uint8_t {
  kStored,
  kStoredAndWake,  // stored, and the consumer asked to be woken
  kDropped,
  kClosed,  // stored if there was any room at all; the producer shall stop
};

// Whether a consumer that is armed is woken by this record, or later by disarm().
enum class Wake : std::uint8_t { kNow, kLater };

// Continuation records of one read at most.
inline constexpr std::size_t kMaxContinued = 255;

// Its fields stand by who writes them, and the room between keeps these apart.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
class ReadQueue {
 public:
  // capacity: records, at least 1.
  ReadQueue(std::size_t capacity, WhenFull when_full);

  // --- Producer: one thread.
  // The record, and after it `continuation` in as many further records as it fills; `more` is
  // set. All of them are stored, or none. Waits for room with kWait, until close(). kDropped also
  // if they are more than the queue, or than kMaxContinued, can ever hold.
  Pushed push(const ReadRecord& record, std::span<const std::uint8_t> continuation = {},
              Wake wake = Wake::kNow);
  // The producer ends, or a batch of records that were to wake nobody does; true if the consumer is
  // armed (and no longer is).
  bool disarm() { return armed_.exchange(false); }

  // --- Consumer: one thread.
  // Copies up to `records` records to `into`, never a part of a read; returns how many. There
  // must be room for 1 + kMaxContinued of them.
  std::size_t pop(void* into, std::size_t records);
  // True: the next push gives kStoredAndWake, once. False: records are waiting now.
  bool arm();
  // Empties the queue and opens it again. Only while no producer runs.
  void reset();

  // --- Any thread.
  // Ends a wait in push() and every later one.
  void close();
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  [[nodiscard]] bool has_room(std::uint64_t head, std::size_t records);
  bool wait_for_room(std::uint64_t head, std::size_t records);
  // Writes to the next slot.
  void store(const void* bytes, std::size_t size);
  // Of so many records from the tail on, those that belong to whole reads.
  [[nodiscard]] std::size_t whole_reads(std::size_t records) const;

  [[nodiscard]] unsigned char* slot(std::size_t index) const {
    return bytes_.get() + index * sizeof(ReadRecord);
  }

  const std::size_t capacity_;
  const WhenFull when_full_;
  // More slots than the capacity: a read that was waiting when the queue was closed still finds
  // a place. Bytes, so that memory is touched only where records come to lie.
  const std::size_t slots_;
  const std::unique_ptr<unsigned char[]> bytes_;

  // Records ever pushed and popped. Producer and consumer write to lines of their own.
  alignas(64) std::atomic<std::uint64_t> head_{0};
  std::size_t head_slot_ = 0;
  std::uint64_t tail_seen_ = 0;  // the producer's copy, so as to look seldom
  // The record that came to lie in the first slot when the queue was empty: memory is touched only
  // as far as reads have ever waited. Written before head_, and only while nothing waits.
  std::atomic<std::uint64_t> restarted_at_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  std::size_t tail_slot_ = 0;
  std::uint64_t restart_seen_ = 0;
  alignas(64) std::atomic<bool> armed_{false};
  std::atomic<bool> producer_waits_{false};
  std::atomic<bool> closed_{false};

  std::mutex mutex_;
  std::condition_variable room_;
};

}  // namespace singulate::stream
