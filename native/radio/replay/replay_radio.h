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
  // The recording goes on where it is.
  Status change(const RadioSettings& settings) override;
  // Plays to the end of the recording or to the deadline.
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override;
  [[nodiscard]] std::uint64_t now_ns() const override { return clock_.now_ns(); }
  bool idle_until(std::uint64_t time_ns) override;
  void interrupt() override { clock_.interrupt(); }

 private:
  void hear(const RadioSettings& settings);
  // Until shortly before that time. False: the watch, or an interrupt, ended it.
  bool pass_gap(std::uint64_t due_ns, RoundWatch& watch);
  bool deliver(const RecordedRead& read, TagSink& sink) const;

  Capabilities capabilities_;  // first: made from the reads before they are moved
  std::vector<RecordedRead> reads_;
  AirClock clock_;
  std::bitset<256> heard_;
  std::uint64_t origin_ns_ = 0;
  std::size_t next_ = 0;
};

}  // namespace singulate::radio
