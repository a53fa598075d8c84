#include "radio/mercury/summary_choice.h"

#include "gen2/units.h"

namespace singulate::radio::mercury {

namespace {

// A summary in its frame of 20 bytes, in bits on the line.
constexpr std::uint64_t kBits = 200;
// What they may take of the line: one part in so many.
constexpr std::uint64_t kPart = 10;
// A look at them now and then costs two starts of reading.
constexpr std::uint64_t kSparedNs = 60'000 * kNsPerMs;
constexpr std::uint64_t kNsPerSecond = 1'000 * kNsPerMs;
// Less says nothing of a rate.
constexpr std::uint64_t kLeastNs = 5 * kNsPerMs;

}  // namespace

void SummaryChoice::end_cycle(std::uint64_t now_ns) {
  const std::uint64_t time_ns = now_ns > from_ns_ ? now_ns - from_ns_ : 0;
  const bool too_many =
      time_ns >= kLeastNs && summaries_ * kBits * kPart > baud_ * time_ns / kNsPerSecond;
  if (too_many) spared_until_ns_ = now_ns + kSparedNs;
  begin(now_ns, baud_);
}

}  // namespace singulate::radio::mercury
