// The reports of a stream as the reads and the end of a round.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "radio/mercury/report.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

// What a stream remembers from round to round.
struct StreamState {
  std::uint64_t cycle_start_ns = 0;
  std::uint32_t last_time_ms = 0;  // of a record, in this cycle
  std::uint64_t last_read_ns = 0;
  std::uint64_t last_report_ns = 0;
  bool summary_in_cycle = false;

  // The module is told to begin: times of its records count from now.
  void begin(std::uint64_t now_ns) {
    cycle_start_ns = now_ns;
    last_report_ns = now_ns;
    last_time_ms = 0;
    summary_in_cycle = false;
  }
};

class RoundReports {
 public:
  RoundReports(const RoundRequest& request, TagSink& sink, StreamState& stream, AntennaForm form)
      : request_(request), sink_(sink), stream_(stream), form_(form) {}

  void take(const Frame& frame);
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
  // Times that the module had no room for its reads.
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }
  // A stream that was still there was stopped: what ended in it is another round.
  void end_stream() { complete_ = false; }
  // The stream was restarted.
  void begin_stream();

 private:
  void take_tag(const TagRecord& record);
  void take_fault(std::uint16_t status);
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
  std::uint16_t complaint_ = 0;
  std::optional<std::int8_t> temperature_;
  std::optional<std::uint8_t> pins_;
  std::uint64_t overflows_ = 0;
};

}  // namespace singulate::radio::mercury
