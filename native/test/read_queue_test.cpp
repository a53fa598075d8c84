#include "stream/read_queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "third_party/doctest/doctest.h"

using namespace singulate::stream;

namespace {

ReadRecord record(std::uint64_t sequence) {
  ReadRecord result;
  result.sequence = sequence;
  return result;
}

}  // namespace

TEST_CASE("records come out as they went in, in order, across the end of the ring") {
  ReadQueue queue(5, WhenFull::kDrop);
  std::vector<ReadRecord> out(8);
  std::uint64_t next_in = 0;
  std::uint64_t next_out = 0;
  for (std::size_t round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < 1 + round % 5; ++i) {
      CHECK(queue.push(record(next_in++)) == Pushed::kStored);
    }
    const std::size_t count = queue.pop(out.data(), out.size());
    CHECK(count == 1 + round % 5);
    for (std::size_t i = 0; i < count; ++i) CHECK(out[i].sequence == next_out++);
  }
  CHECK(queue.pop(out.data(), out.size()) == 0);
}

TEST_CASE("a queue that is emptied begins again, and keeps the order") {
  ReadQueue queue(5000, WhenFull::kDrop);
  std::vector<ReadRecord> out(5000);
  std::uint64_t next_in = 0;
  std::uint64_t next_out = 0;
  // Some rounds leave records behind, some leave none, before and after the slot of a restart.
  for (const std::size_t taken : {700U, 5000U, 1500U, 5000U, 5000U, 3U, 5000U, 1200U, 5000U}) {
    for (std::size_t i = 0; i < 1600; ++i) {
      CHECK(queue.push(record(next_in++)) == Pushed::kStored);
    }
    const std::size_t count = queue.pop(out.data(), taken);
    for (std::size_t i = 0; i < count; ++i) CHECK(out[i].sequence == next_out++);
  }
  CHECK(next_out == next_in);
}

TEST_CASE("a producer and a consumer at their own pace agree on where the queue began again") {
  constexpr std::uint64_t kRecords = 300'000;
  ReadQueue queue(3000, WhenFull::kWait);
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kRecords; ++i) (void)queue.push(record(i));
  });
  std::vector<ReadRecord> out(2000);
  std::uint64_t next = 0;
  bool in_order = true;
  while (next < kRecords) {
    const std::size_t count = queue.pop(out.data(), out.size());
    for (std::size_t i = 0; i < count; ++i) in_order = in_order && out[i].sequence == next++;
    if (count == 0) std::this_thread::yield();
  }
  producer.join();
  CHECK(in_order);
}

TEST_CASE("pop gives no more than was asked for") {
  ReadQueue queue(10, WhenFull::kDrop);
  for (std::uint64_t i = 0; i < 10; ++i) (void)queue.push(record(i));
  std::vector<ReadRecord> out(10);
  CHECK(queue.pop(out.data(), 3) == 3);
  CHECK(queue.pop(out.data(), 0) == 0);
  CHECK(queue.pop(out.data(), 10) == 7);
  CHECK(out[0].sequence == 3);
}

TEST_CASE("a full queue drops the new record") {
  ReadQueue queue(3, WhenFull::kDrop);
  for (std::uint64_t i = 0; i < 3; ++i) CHECK(queue.push(record(i)) == Pushed::kStored);
  CHECK(queue.push(record(3)) == Pushed::kDropped);
  std::vector<ReadRecord> out(4);
  CHECK(queue.pop(out.data(), 4) == 3);
  CHECK(out[2].sequence == 2);
  CHECK(queue.push(record(4)) == Pushed::kStored);
}

TEST_CASE("a consumer that armed the queue is woken once") {
  ReadQueue queue(4, WhenFull::kDrop);
  CHECK(queue.arm());
  CHECK(queue.push(record(1)) == Pushed::kStoredAndWake);
  CHECK(queue.push(record(2)) == Pushed::kStored);
  CHECK_FALSE(queue.arm());  // something is there
  CHECK(queue.push(record(3)) == Pushed::kStored);
  std::vector<ReadRecord> out(4);
  CHECK(queue.pop(out.data(), 4) == 3);
  CHECK(queue.arm());
  CHECK(queue.disarm());
  CHECK(queue.push(record(4)) == Pushed::kStored);
}

TEST_CASE("a producer that may wait loses nothing, whatever the size of the queue") {
  constexpr std::uint64_t kRecords = 20'000;
  for (const std::size_t capacity : {1U, 2U, 7U, 1000U}) {
    ReadQueue queue(capacity, WhenFull::kWait);
    std::thread producer([&] {
      for (std::uint64_t i = 0; i < kRecords; ++i) {
        if (queue.push(record(i)) == Pushed::kDropped) std::abort();
      }
    });
    std::vector<ReadRecord> out(64);
    std::uint64_t next = 0;
    bool ordered = true;
    while (next < kRecords) {
      const std::size_t count = queue.pop(out.data(), out.size());
      for (std::size_t i = 0; i < count; ++i) ordered = ordered && out[i].sequence == next++;
      if (count == 0) std::this_thread::yield();
    }
    producer.join();
    CHECK(ordered);
  }
}

TEST_CASE("no wake is ever missed") {
  constexpr std::uint64_t kRecords = 20'000;
  ReadQueue queue(16, WhenFull::kWait);
  std::atomic<std::uint64_t> wakes{0};
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kRecords; ++i) {
      if (queue.push(record(i)) == Pushed::kStoredAndWake) {
        wakes.fetch_add(1);
        wakes.notify_one();
      }
    }
  });
  std::vector<ReadRecord> out(16);
  std::uint64_t seen_wakes = 0;
  std::uint64_t seen = 0;
  while (seen < kRecords) {
    seen += queue.pop(out.data(), out.size());
    // Only sleeps when it is armed: a missed wake would hang here.
    if (seen < kRecords && queue.arm()) {
      wakes.wait(seen_wakes);
      ++seen_wakes;
      CHECK(wakes.load() == seen_wakes);
    }
  }
  producer.join();
}

TEST_CASE("close lets a waiting producer go, with its record stored") {
  ReadQueue queue(2, WhenFull::kWait);
  (void)queue.push(record(1));
  (void)queue.push(record(2));
  std::thread closer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.close();
  });
  CHECK(queue.push(record(3)) == Pushed::kClosed);
  closer.join();
  CHECK(queue.push(record(4)) == Pushed::kDropped);
  std::vector<ReadRecord> out(4);
  CHECK(queue.pop(out.data(), 4) == 3);
  queue.reset();
  CHECK(queue.push(record(5)) == Pushed::kStored);
  CHECK(queue.pop(out.data(), 4) == 1);
  CHECK(out[0].sequence == 5);
}

TEST_CASE("a read and its continuation come out whole, or wait for a larger buffer") {
  ReadQueue queue(600, WhenFull::kDrop);
  std::vector<std::uint8_t> bytes(250);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  std::vector<ReadRecord> out(600);
  for (std::uint64_t pass = 0; pass < 400; ++pass) {
    REQUIRE(queue.push(record(2 * pass)) == Pushed::kStored);
    REQUIRE(queue.push(record(2 * pass + 1), bytes) == Pushed::kStored);
    // Room for the first, and for a part of the second.
    REQUIRE(queue.pop(out.data(), 3) == 1);
    REQUIRE(queue.pop(out.data(), 600) == 4);
    REQUIRE(out[0].sequence == 2 * pass + 1);
    REQUIRE(out[0].more == 3);
    std::array<std::uint8_t, 3 * sizeof(ReadRecord)> after{};
    std::memcpy(after.data(), &out[1], after.size());
    REQUIRE(std::equal(bytes.begin(), bytes.end(), after.begin()));
  }
}

TEST_CASE("a read that finds no room for all of it is dropped as a whole") {
  ReadQueue queue(4, WhenFull::kDrop);
  const std::vector<std::uint8_t> bytes(3 * sizeof(ReadRecord));
  CHECK(queue.push(record(1), bytes) == Pushed::kStored);
  CHECK(queue.push(record(2)) == Pushed::kDropped);
  std::vector<ReadRecord> out(300);
  CHECK(queue.pop(out.data(), 300) == 4);
  CHECK(queue.push(record(3)) == Pushed::kStored);
  CHECK(queue.push(record(4), bytes) == Pushed::kDropped);
  CHECK(queue.pop(out.data(), 300) == 1);
}

TEST_CASE("what can never be stored does not wait for room") {
  ReadQueue queue(4, WhenFull::kWait);
  const std::vector<std::uint8_t> bytes(4 * sizeof(ReadRecord));
  CHECK(queue.push(record(1), bytes) == Pushed::kDropped);
}

TEST_CASE("a record of a batch wakes nobody; the end of the batch does, once") {
  ReadQueue queue(10, WhenFull::kDrop);
  CHECK(queue.arm());
  CHECK(queue.push(record(1), {}, Wake::kLater) == Pushed::kStored);
  CHECK(queue.push(record(2), {}, Wake::kLater) == Pushed::kStored);
  CHECK(queue.disarm());
  CHECK_FALSE(queue.disarm());
  std::vector<ReadRecord> out(10);
  CHECK(queue.pop(out.data(), out.size()) == 2);
}
