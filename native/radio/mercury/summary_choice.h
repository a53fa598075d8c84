// Whether a stream is asked for a summary of each of its rounds. Rounds that read nothing are over
// in a millisecond: their summaries would fill the line.
#pragma once

#include <cstdint>

namespace singulate::radio::mercury {

class SummaryChoice {
 public:
  // A stream, or its next cycle, begins on a line of so many baud.
  void begin(std::uint64_t now_ns, std::uint32_t baud) {
    from_ns_ = now_ns;
    baud_ = baud;
    summaries_ = 0;
  }
  void take_summary() { ++summaries_; }
  // Of a stream: a line that they took too much of is spared them for a while.
  void end_cycle(std::uint64_t now_ns);

  // For the next stream.
  [[nodiscard]] bool wants(std::uint64_t now_ns) const { return now_ns >= spared_until_ns_; }

 private:
  std::uint64_t from_ns_ = 0;
  std::uint32_t baud_ = 0;
  std::uint64_t summaries_ = 0;
  std::uint64_t spared_until_ns_ = 0;
};

}  // namespace singulate::radio::mercury
