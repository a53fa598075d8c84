// The one interface a radio module implements. docs/drivers.md explains how.
//
// Threads: everything is called from one thread at a time, except interrupt(),
// which may come from any thread at any moment.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gen2/select.h"
#include "gen2/session.h"
#include "radio/access_op.h"
#include "radio/capabilities.h"
#include "radio/result.h"
#include "radio/tag_read.h"

namespace singulate::radio {

// What stays the same for all rounds of an inventory. Already validated against
// the capabilities.
struct RadioSettings {
  struct Antenna {
    std::uint8_t port = 0;
    std::int32_t transmit_power_cdbm = 0;  // hundredths of a dBm, conducted
  };
  std::string link_profile;  // one of the capabilities' names
  std::vector<Antenna> antennas;
};

inline constexpr std::uint64_t kNoDeadline = std::numeric_limits<std::uint64_t>::max();

// What is sent before the Query of a round.
struct SelectList {
  std::vector<gen2::Select> selects{};
  // From the end of the last Select to the start of the Query; less than T4 means T4.
  std::uint32_t delay_us = 0;
};

struct RoundRequest {
  std::uint8_t antenna = 0;  // port; of no meaning if the module sequences antennas
  std::uint8_t beam = 0;     // of an array antenna, from 1; 0 = the antenna as a whole
  gen2::Session session = gen2::Session::kS0;
  gen2::Target target = gen2::Target::kA;
  gen2::SelectFilter select_filter = gen2::SelectFilter::kAll;  // Sel of the Query
  const SelectList* selects = nullptr;                          // none
  // Done on each tag before it is reported.
  std::span<const AccessOp> access{};
  // Hundredths of a dBm: weaker replies are left alone, as if the tag were not there.
  std::optional<std::int16_t> min_rssi_cdbm{};
  std::uint16_t tag_population = 1;  // expected tags; 0 = unknown
  // True: the carrier was off before this round, so tags have lost their S0 flags.
  // False: the carrier has been on since the last round (same antenna).
  bool fresh_carrier = true;
  // Air clock; the round ends at the first slot that starts at or after it.
  std::uint64_t deadline_ns = kNoDeadline;
};

enum class RoundEnd : std::uint8_t {
  kComplete,        // no tag answers any more
  kDeadline,        // RoundRequest::deadline_ns
  kInterrupted,     // interrupt(), or the sink said so
  kEndOfRecording,  // the module has nothing left to deliver, ever
};

struct RoundResult {
  std::uint64_t empty_slots = 0;
  std::uint64_t single_slots = 0;
  std::uint64_t collided_slots = 0;
  std::uint64_t too_weak = 0;  // replies below RoundRequest::min_rssi_cdbm
  RoundEnd end = RoundEnd::kComplete;
};

class RadioModule {
 public:
  RadioModule() = default;
  RadioModule(const RadioModule&) = delete;
  RadioModule& operator=(const RadioModule&) = delete;
  RadioModule(RadioModule&&) = delete;
  RadioModule& operator=(RadioModule&&) = delete;
  virtual ~RadioModule() = default;

  // Connects to the module. kModule if it does not answer.
  virtual Status open() = 0;
  // Switches the carrier off and lets go of the module. No error if it is not open.
  virtual void close() = 0;
  // Valid after open().
  [[nodiscard]] virtual const Capabilities& capabilities() const = 0;

  // Begins an inventory: applies the settings, forgets an earlier interrupt(). A
  // recording rewinds here.
  virtual Status configure(const RadioSettings& settings) = 0;

  // Runs one inventory round and delivers its reads in the order of their times,
  // none before its time. Returns at the latest a few milliseconds after the
  // deadline or an interrupt().
  virtual Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) = 0;

  // Air clock, nanoseconds since the Unix epoch. Never goes back.
  [[nodiscard]] virtual std::uint64_t now_ns() const = 0;

  // Makes a running round return at once, and every further one, until the next
  // configure(). From any thread.
  virtual void interrupt() = 0;

  // Only with Capabilities::has_temperature. Celsius.
  virtual Result<double> temperature_celsius();
  // Only with Capabilities::has_antenna_sense. True if an antenna is on the port.
  virtual Result<bool> antenna_connected(std::uint8_t port);
};

}  // namespace singulate::radio
