// Plays a recording as if its reads were taken now.
#pragma once

#include <bitset>
#include <cstdint>

#include "radio/air_clock.h"
#include "radio/radio_module.h"
#include "radio/replay/recording.h"

namespace singulate::radio {

class ReplayRadio final : public RadioModule {
 public:
  // The options must be without fault (check_replay_options).
  explicit ReplayRadio(ReplayOptions options);

  Status open() override { return {}; }
  void close() override {}
  [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
  // Rewinds. Only the ports of the settings are heard; powers and profile are the recording's.
  Status configure(const RadioSettings& settings) override;
  // Plays to the end of the recording or to the deadline.
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override;
  [[nodiscard]] std::uint64_t now_ns() const override { return clock_.now_ns(); }
  void interrupt() override { clock_.interrupt(); }

 private:
  bool deliver(const RecordedRead& read, TagSink& sink) const;

  Capabilities capabilities_;  // first: made from the reads before they are moved
  std::vector<RecordedRead> reads_;
  AirClock clock_;
  std::bitset<256> heard_;
  std::uint64_t origin_ns_ = 0;
  std::size_t next_ = 0;
};

}  // namespace singulate::radio
