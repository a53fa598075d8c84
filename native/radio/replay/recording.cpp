#include "radio/replay/recording.h"

namespace singulate::radio {

namespace {

// A wrong file is wrong in every line: nobody reads a million faults.
constexpr std::size_t kMostRecordingFaults = 20;
constexpr std::uint64_t kLongestNs = 1'000'000'000ULL * 86'400 * 366 * 10;

}  // namespace

std::vector<OptionsFault> check_replay_options(const ReplayOptions& options) {
  std::vector<OptionsFault> faults;
  if (options.reads.empty()) faults.push_back({"records", "none given; allowed: at least one"});
  for (std::size_t i = 0; i < options.reads.size() && faults.size() < kMostRecordingFaults; ++i) {
    const RecordedRead& read = options.reads[i];
    const std::string field = "records[" + std::to_string(i) + "]";
    if (read.antenna == 0) {
      faults.push_back({field + ".antenna", "0 given; allowed: 1..255"});
    }
    if (read.epc_bytes > 62 || read.epc_bytes % 2 != 0) {
      faults.push_back({field + ".epc_bytes",
                        std::to_string(read.epc_bytes) + " given; allowed: an even number, 0..62"});
    }
    if (read.phase_cdeg > 35999) {
      faults.push_back(
          {field + ".phase_cdeg", std::to_string(read.phase_cdeg) + " given; allowed: 0..35999"});
    }
    if (read.time_ns > kLongestNs) {
      faults.push_back(
          {field + ".time_ns",
           std::to_string(read.time_ns) + " given; allowed: up to ten years after the start"});
    }
  }
  return faults;
}

}  // namespace singulate::radio
