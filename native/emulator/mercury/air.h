// The module's radio: searches and access in the simulated field, with the module's settings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/mercury/carrier.h"
#include "emulator/mercury/settings.h"
#include "emulator/mercury/statistics.h"
#include "radio/mercury/access_command.h"
#include "radio/mercury/search.h"
#include "radio/mercury/tag_record.h"
#include "radio/virtual/virtual_radio.h"

namespace singulate::emulator::mercury {

// A record with its own bytes.
struct KeptRecord {
  radio::mercury::TagRecord record;  // without spans
  std::vector<std::uint8_t> epc;
  std::vector<std::uint8_t> data;

  KeptRecord(const radio::mercury::TagRecord& from, std::span<const std::uint8_t> epc_bytes,
             std::span<const std::uint8_t> data_bytes);
  // Valid as long as this is.
  [[nodiscard]] radio::mercury::TagRecord with_spans() const;
};

// What an access command came to.
struct AccessAnswer {
  std::uint16_t status = 0;
  std::vector<radio::AccessResult> results{};      // of the operations, if there was a tag
  std::optional<radio::mercury::TagRecord> tag{};  // without spans
};

class Air {
 public:
  // Called every millisecond of air time or so, while a round runs. False: the round shall end.
  using Watch = std::function<bool()>;
  // False: no further records are wanted.
  using OnTag = std::function<bool(const KeptRecord&)>;

  // ramps: the carrier takes its time to come on (Profile::ramp).
  Air(const Profile& profile, const radio::VirtualOptions& field, bool ramps = false);

  [[nodiscard]] std::vector<std::uint8_t> antennas() const;
  [[nodiscard]] radio::VirtualRadio& radio() { return radio_; }
  // Of the carrier, since the module has its power.
  [[nodiscard]] Statistics& statistics() { return statistics_; }
  // Of the last read; 0 before.
  [[nodiscard]] std::uint32_t frequency_khz() const { return frequency_khz_; }

  // Before the first visit of a search or a stream: the air clock catches up with real time.
  // A status if the radio refuses the settings.
  std::uint16_t begin(const Settings& settings, bool writes = false);
  [[nodiscard]] std::uint64_t now_ns() const { return radio_.now_ns(); }

  // The carrier of a visit that follows: as long as it takes to come on, unless `watch` ends it.
  void switch_on(std::uint8_t port, const Watch& watch);

  // One visit of an antenna until `until_ns` of the air clock. Times of records count from
  // `from_ns`. One whole round, or as many as there is time for.
  struct Visit {
    std::uint8_t port = 0;
    std::uint64_t from_ns = 0;
    std::uint64_t until_ns = 0;
    bool one_round = false;
    bool fresh_carrier = true;
  };
  // A status if the radio refuses, 0 otherwise. Slots of all rounds are added to `slots`.
  std::uint16_t visit(const Settings& settings, const radio::mercury::SearchRequest& request,
                      const Visit& visit, const Watch& watch, const OnTag& on_tag,
                      radio::RoundResult& slots);

  // On the first tag that the selects match, on the antenna of single commands.
  AccessAnswer access(const Settings& settings, const radio::mercury::SelectPart& select,
                      std::uint16_t timeout_ms, const std::vector<radio::AccessOp>& operations,
                      bool writes, const Watch& watch);

 private:
  // What the radio is to be set to, as the module is.
  [[nodiscard]] radio::RadioSettings wanted(const Settings& settings, bool writes) const;
  // Settings of the radio follow those of the module. A status if it cannot.
  std::uint16_t follow(const Settings& settings);
  [[nodiscard]] radio::RoundRequest round_for(const Settings& settings, std::uint8_t port,
                                              const radio::SelectList& selects) const;

  const Profile& profile_;
  radio::VirtualRadio radio_;
  Carrier carrier_;
  Statistics statistics_;
  std::uint32_t frequency_khz_ = 0;
  radio::RadioSettings tuned_;
  // Of a target that asks for A and B in turns.
  bool at_b_ = false;
};

}  // namespace singulate::emulator::mercury
