// A recording: reads that were taken elsewhere, in memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radio/options_fault.h"

namespace singulate::radio {

struct RecordedRead {
  std::uint64_t time_ns = 0;  // since the start of the recording
  std::uint32_t frequency_khz = 0;
  std::int16_t rssi_cdbm = 0;
  std::uint16_t phase_cdeg = 0;  // 0..35999
  std::uint16_t pc = 0;          // 0 = computed from the length of the EPC
  std::uint16_t crc = 0;         // 0 = computed from PC and EPC
  std::uint8_t antenna = 0;      // 1..255
  std::uint8_t epc_bytes = 0;    // even, 0..62
  std::array<std::uint8_t, 62> epc{};
};

struct ReplayOptions {
  bool paced = true;                      // with its own timing; false: as fast as it can
  std::optional<std::uint64_t> start_ns;  // time of the first start; none: the wall clock
  std::string model;                      // text for people
  std::vector<RecordedRead> reads;        // in any order; played by time
};

// Every fault of the options, the first few of the reads only.
std::vector<OptionsFault> check_replay_options(const ReplayOptions& options);

}  // namespace singulate::radio
