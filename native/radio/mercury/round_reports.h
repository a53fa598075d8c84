// The reports of a stream as the reads and the end of a round.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "radio/mercury/report.h"
#include "radio/mercury/summary_choice.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

// What a stream remembers from round to round.
struct StreamState {
  std::uint64_t cycle_start_ns = 0;
  std::uint32_t last_time_ms = 0;  // of a record, in this cycle
  std::uint64_t last_read_ns = 0;
  std::uint64_t last_report_ns = 0;
  bool summary_in_cycle = false;
  // When the module said that it has no room; 0 = it has gone on since.
  std::uint64_t overflow_ns = 0;
  SummaryChoice summaries{};

  // The module is told to begin, on a line of so many baud: times of its records count from now.
  void begin(std::uint64_t now_ns, std::uint32_t baud) {
    cycle_start_ns = now_ns;
    last_report_ns = now_ns;
    last_time_ms = 0;
    summary_in_cycle = false;
    overflow_ns = 0;
    summaries.begin(now_ns, baud);
  }
};

class RoundReports {
 public:
  RoundReports(const RoundRequest& request, TagSink& sink, StreamState& stream, AntennaForm form)
      : request_(request), sink_(sink), stream_(stream), form_(form) {}

  void take(const Frame& frame);
  // Around reports that have come together.
  void begin_batch() { sink_.begin_batch(); }
  void end_batch() { sink_.end_batch(); }
  // What comes now was asked for by another round: with other access, or none.
  void of_other_round(bool other) { other_round_ = other; }

  [[nodiscard]] RoundResult& result() { return result_; }
  // The round has come to its end.
  [[nodiscard]] bool complete() const { return complete_; }
  // The sink takes more.
  [[nodiscard]] bool wanted() const { return wanted_; }
  // The module has begun again, or has ended the stream: a status, or kSuccess if it does not say.
  [[nodiscard]] bool broken() const { return broken_; }
  // What the module complained of last in this round; 0 = nothing.
  [[nodiscard]] std::uint16_t complaint() const { return complaint_; }
  // Levels of the pins, as a record told them; once.
  std::optional<std::uint8_t> take_pins() { return std::exchange(pins_, std::nullopt); }
  // As the module told it last in this round.
  [[nodiscard]] std::optional<std::int8_t> temperature_celsius() const { return temperature_; }
  // The module said that a port has no antenna; once.
  bool take_no_antenna() { return std::exchange(no_antenna_, false); }
  // A tag was read since the stream began.
  [[nodiscard]] bool heard() const { return heard_; }
  // Times that the module had no room for its reads.
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }
  // A stream that was still there was stopped: what ended in it is another round.
  void end_stream() { complete_ = false; }
  // The stream was restarted, on a line of so many baud.
  void begin_stream(std::uint32_t baud);

 private:
  void take_tag(const TagRecord& record);
  void take_summary(const RoundSummary& slots);
  void take_fault(std::uint16_t status);
  void end_cycle();
  [[nodiscard]] std::vector<AccessResult> access_of(const TagRecord& record) const;

  const RoundRequest& request_;
  TagSink& sink_;
  StreamState& stream_;
  const AntennaForm form_;
  RoundResult result_;
  bool complete_ = false;
  bool wanted_ = true;
  bool broken_ = false;
  bool other_round_ = false;
  bool no_antenna_ = false;
  bool heard_ = false;
  std::uint64_t summaries_ = 0;
  std::uint16_t complaint_ = 0;
  std::optional<std::int8_t> temperature_;
  std::optional<std::uint8_t> pins_;
  std::uint64_t overflows_ = 0;
};

}  // namespace singulate::radio::mercury
