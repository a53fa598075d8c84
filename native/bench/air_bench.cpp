// One measurement of the simulated air: static tags in S0, one round from a fresh carrier until
// the last tag is read, on the virtual clock. Prints one JSON object.
//
//   singulate_air_bench PROFILE TAGS POLICY SEEDS [POPULATION]
//
// POLICY: adaptive, q-algorithm, known-population. POPULATION: what the interrogator is told to
// expect; 0 (unknown) if left out. Times are those of the reference's section 10.3: hops and the
// end of the round are left out.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "gen2/ceiling.h"
#include "radio/virtual/slot_times.h"
#include "radio/virtual/virtual_radio.h"

namespace {

using namespace singulate;

constexpr std::uint64_t kStart = 1'700'000'000'000'000'000;
constexpr std::uint64_t kCarrierOnNs = 2'500'000;

// Marks of the way to the last tag, as shares of the tags.
constexpr double kMarks[] = {0.5, 0.9, 0.99, 1.0};

radio::VirtualOptions field(std::size_t tags, radio::FramePolicyKind policy) {
  radio::VirtualOptions options;
  options.paced = false;
  options.start_ns = kStart;
  options.frame_policy = policy;
  options.antennas.push_back({.port = 1, .position = {.z = 2}});
  options.channels_khz = {915'250};
  radio::VirtualGroup group;
  group.waypoints.push_back({});
  for (std::size_t i = 0; i < tags; ++i) {
    radio::VirtualTag tag;
    tag.epc.assign(12, 0x30);
    for (unsigned byte = 0; byte < 3; ++byte) {
      tag.epc[11 - byte] = static_cast<std::uint8_t>(i >> (8 * byte));
    }
    group.tags.push_back(tag);
  }
  options.groups.push_back(group);
  return options;
}

class Marks final : public radio::TagSink {
 public:
  // A read is over when the next command may come: T2 after its last bit, seconds.
  Marks(std::size_t tags, double t2) : tags_(tags), t2_(t2) {}
  bool on_read(const radio::TagRead& read) override {
    ++reads;
    while (next_ < times.size() &&
           static_cast<double>(reads) >= kMarks[next_] * static_cast<double>(tags_)) {
      times[next_++] = static_cast<double>(read.time_ns - kStart - kCarrierOnNs) * 1e-9 + t2_;
    }
    return true;
  }
  std::array<double, 4> times{};
  std::size_t reads = 0;

 private:
  std::size_t tags_;
  double t2_;
  std::size_t next_ = 0;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

bool policy_of(std::string_view name, radio::FramePolicyKind& kind) {
  if (name == "adaptive") {
    kind = radio::FramePolicyKind::kAdaptive;
  } else if (name == "q-algorithm") {
    kind = radio::FramePolicyKind::kQAlgorithm;
  } else if (name == "known-population") {
    kind = radio::FramePolicyKind::kKnownPopulation;
  } else {
    return false;
  }
  return true;
}

int usage() {
  (void)std::fprintf(stderr, "usage: singulate_air_bench PROFILE TAGS POLICY SEEDS [POPULATION]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return usage();
  const gen2::LinkProfile* profile = gen2::find_link_profile(argv[1]);
  const std::size_t tags = std::strtoul(argv[2], nullptr, 10);
  radio::FramePolicyKind policy{};
  const unsigned long seeds = std::strtoul(argv[4], nullptr, 10);
  if (profile == nullptr || tags == 0 || tags > 100'000 || seeds == 0 ||
      !policy_of(argv[3], policy)) {
    return usage();
  }
  radio::RoundRequest request{.antenna = 1, .tag_population = 0};
  if (argc > 5)
    request.tag_population = static_cast<std::uint16_t>(std::strtoul(argv[5], nullptr, 10));
  radio::RadioSettings settings;
  settings.link_profile = profile->name;
  settings.antennas.push_back({.port = 1, .transmit_power_cdbm = 3000});

  radio::VirtualOptions options = field(tags, policy);
  std::array<double, 4> times{};
  const double t2 = static_cast<double>(gen2::LinkTiming(*profile).t2()) * 1e-12;
  double empty = 0;
  double single = 0;
  double collided = 0;
  double air = 0;
  double cpu = 0;
  double bytes = 0;
  for (unsigned long seed = 1; seed <= seeds; ++seed) {
    options.seed = seed;
    const double before = resident_bytes();
    radio::VirtualRadio module(options);
    if (!module.configure(settings).ok()) return 1;
    Marks marks(tags, t2);
    const double cpu_before = cpu_seconds();
    const auto result = module.run_round(request, marks);
    cpu += cpu_seconds() - cpu_before;
    if (seed == 1) bytes = resident_bytes() - before;
    if (!result.ok() || marks.reads != tags) {
      (void)std::fprintf(stderr, "seed %lu: %zu of %zu tags were read\n", seed, marks.reads, tags);
      return 1;
    }
    for (std::size_t i = 0; i < times.size(); ++i) times[i] += marks.times[i];
    empty += static_cast<double>(result.value().empty_slots);
    single += static_cast<double>(result.value().single_slots);
    collided += static_cast<double>(result.value().collided_slots);
    air += static_cast<double>(module.now_ns() - kStart) * 1e-9;
  }
  const radio::SlotTimes slots(*profile, gen2::Session::kS0);
  const auto us = [](gen2::Picoseconds time) { return static_cast<double>(time) / 1e6; };
  const gen2::Ceiling ceiling =
      gen2::ceiling(us(slots.empty_slot()), us(slots.collided_slot()), us(slots.single_slot(12)));
  const auto n = static_cast<double>(seeds);
  const double rate = static_cast<double>(tags) * n / times[3];
  (void)std::printf(
      "{\"profile\":\"%s\",\"tags\":%zu,\"policy\":\"%s\",\"seeds\":%lu,"
      "\"tags_per_second\":%.3f,\"ceiling\":%.3f,\"over_ceiling\":%.5f,"
      "\"empty\":%.2f,\"single\":%.2f,\"collided\":%.2f,\"slot_efficiency\":%.4f,"
      "\"s50\":%.6f,\"s90\":%.6f,\"s99\":%.6f,\"s100\":%.6f,"
      "\"times_real_time\":%.0f,\"singulations_per_cpu_second\":%.0f,\"bytes_per_tag\":%.0f}\n",
      argv[1], tags, argv[3], seeds, rate, ceiling.tags_per_second, rate / ceiling.tags_per_second,
      empty / n, single / n, collided / n, single / (empty + single + collided), times[0] / n,
      times[1] / n, times[2] / n, times[3] / n, air / cpu, single / cpu,
      bytes / static_cast<double>(tags));
  return 0;
}
