// Measurements of the driver for Mercury modules. Prints one JSON object.
//
//   singulate_module_bench parser RECORDS
//   singulate_module_bench stream BAUD SECONDS
//   singulate_module_bench antennas SECONDS
//
// parser: frames of tag records, as an M7e sends them to this driver, found and read.
// stream: an emulated M7e on a pseudo-terminal whose field is faster than any line, read by the
// driver. BAUD 0: the line takes what the pseudo-terminal does, and the baud rate has no say.
// antennas: four ports of which two are empty (antenna_bench.h).
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <future>
#include <string_view>
#include <thread>
#include <vector>

#include "antenna_bench.h"
#include "emulator/mercury/module.h"
#include "emulator/mercury/pty_port.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/frame_parser.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/mercury/report.h"
#include "radio/mercury/round_search.h"
#include "radio/mercury/search.h"

namespace {

using namespace singulate;
using namespace singulate::radio::mercury;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kTags = 200;
constexpr std::uint32_t kUsualBaud = 115'200;
constexpr std::uint32_t kFastBaud = 921'600;

std::vector<std::uint8_t> epc_of(std::uint32_t number) {
  std::vector<std::uint8_t> epc(12, 0x30);
  for (unsigned byte = 0; byte < 4; ++byte) {
    epc[11 - byte] = static_cast<std::uint8_t>(number >> (8 * byte));
  }
  return epc;
}

// One read of a tag on the wire.
std::vector<std::uint8_t> record_frame(std::uint32_t number) {
  const auto search = search_for({.antenna = 1}, {});
  if (!search.ok()) std::abort();
  const SearchHead head = head_of(search.value());
  const std::vector<std::uint8_t> epc = epc_of(number);
  const TagRecord record{.rssi_dbm = -52,
                         .antenna = 1,
                         .frequency_khz = 915'250,
                         .time_ms = number,
                         .phase_degrees = 90,
                         .pc = 0x3000,
                         .epc = epc,
                         .crc = 0x1234};
  ByteWriter writer;
  write_search_head(writer, head);
  constexpr std::uint8_t kTag = 1;
  writer.u8(kTag);
  write_tag_record(writer, record, head.metadata.value_or(0), AntennaForm::kPlain);
  return encode_reply({.opcode = op::kSearch, .data = writer.view()});
}

int parse(std::uint64_t records) {
  std::vector<std::uint8_t> wire;
  for (std::uint32_t i = 0; i < kTags; ++i) {
    const auto frame = record_frame(i);
    wire.insert(wire.end(), frame.begin(), frame.end());
  }
  FrameParser parser(Kind::kReply);
  std::uint64_t read = 0;
  std::uint64_t sum = 0;
  const auto from = Clock::now();
  for (std::size_t at = 0; read < records;) {
    // As much at a time as a pseudo-terminal gives.
    constexpr std::size_t kMost = 1024;
    const auto room = parser.room();
    const std::size_t count = std::min({room.size(), wire.size() - at, kMost});
    std::copy_n(wire.begin() + static_cast<std::ptrdiff_t>(at), count, room.begin());
    parser.added(count);
    at = (at + count) % wire.size();
    while (const auto frame = parser.next()) {
      const Report report = read_report(*frame, AntennaForm::kPlain);
      const auto* const tag = std::get_if<TagRecord>(&report);
      if (tag == nullptr) return 1;
      sum += tag->epc.back();
      ++read;
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - from).count();
  if (sum == 0 || parser.counters().crc_errors != 0) return 1;
  (void)std::printf("{\"records\":%llu,\"per_second\":%.0f}\n",
                    static_cast<unsigned long long>(read), static_cast<double>(read) / seconds);
  return 0;
}

radio::VirtualOptions field() {
  radio::VirtualOptions options;
  // As fast as the processor goes; the line holds it up.
  options.paced = false;
  options.antennas.push_back({.port = 1, .position = {.z = 1}});
  options.channels_khz = {915'250};
  radio::VirtualGroup group;
  group.waypoints.push_back({});
  for (std::uint32_t i = 0; i < kTags; ++i) {
    radio::VirtualTag tag;
    tag.epc = epc_of(i);
    group.tags.push_back(tag);
  }
  options.groups.push_back(group);
  return options;
}

class Count final : public radio::TagSink {
 public:
  bool on_read(const radio::TagRead& /*read*/) override {
    reads.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::atomic<std::uint64_t> reads{0};
};

double cpu_seconds(std::thread& thread) {
  clockid_t clock{};
  timespec time{};
  if (pthread_getcpuclockid(thread.native_handle(), &clock) != 0) return 0;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Sample {
  Clock::time_point at;
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
  double cpu = 0;
};

Sample look(emulator::mercury::Module& module, const Count& count, std::thread& driver) {
  std::promise<std::uint64_t> bytes;
  module.post(
      [&](emulator::mercury::Module& there) { bytes.set_value(there.line().bytes_sent()); });
  const std::uint64_t sent = bytes.get_future().get();
  return {
      .at = Clock::now(), .reads = count.reads.load(), .bytes = sent, .cpu = cpu_seconds(driver)};
}

// Rounds until the time is over; what was on its way then is still taken.
void read_until(MercuryRadio& radio, std::uint64_t until_ns, Count& count, std::string& fault) {
  while (radio.now_ns() < until_ns) {
    const auto round = radio.run_round({.antenna = 1,
                                        .session = gen2::Session::kS2,
                                        .tag_population = kTags,
                                        .deadline_ns = until_ns,
                                        .both_targets = true},
                                       count);
    if (round.ok()) continue;
    fault = round.error().message;
    return;
  }
}

int read_stream(std::uint32_t baud, double seconds) {
  emulator::mercury::PtyPort port;
  if (const auto opened = port.open(); !opened.ok()) {
    (void)std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  emulator::mercury::Module module(*emulator::mercury::find_profile("m7e"), field(),
                                   port.descriptor(),
                                   {.line_paced = baud != 0, .waits_for_line = true});
  std::thread emulator([&] { module.run(); });
  MercuryRadio radio(
      {.path = port.path(), .baud = kUsualBaud, .work_baud = baud == 0 ? kFastBaud : baud});
  Count count;
  std::string fault;
  if (const auto opened = radio.open(); !opened.ok()) fault = opened.error().message;
  radio::RadioSettings settings{.link_profile = "FM0-640", .antennas = {}};
  settings.antennas.push_back({.port = 1, .transmit_power_cdbm = 2700});
  if (fault.empty()) {
    if (const auto set = radio.configure(settings); !set.ok()) fault = set.error().message;
  }
  constexpr double kWarmUpSeconds = 0.5;
  Sample before;
  Sample after;
  const auto records_before = module.counters().records;
  if (fault.empty()) {
    const double whole = kWarmUpSeconds + seconds + kWarmUpSeconds;
    const std::uint64_t until = radio.now_ns() + static_cast<std::uint64_t>(whole * 1e9);
    std::thread driver([&] { read_until(radio, until, count, fault); });
    std::this_thread::sleep_for(std::chrono::duration<double>(kWarmUpSeconds));
    before = look(module, count, driver);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    after = look(module, count, driver);
    driver.join();
  }
  const auto link = radio.link();
  radio.close();
  module.stop();
  emulator.join();
  if (!fault.empty() || !link) {
    (void)std::fprintf(stderr, "%s\n", fault.c_str());
    return 1;
  }
  const auto counters = module.counters();
  const auto records = counters.records - records_before;
  const double time = std::chrono::duration<double>(after.at - before.at).count();
  const auto reads = static_cast<double>(after.reads - before.reads);
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  (void)std::printf(
      "{\"baud\":%u,\"reads_per_second\":%.1f,\"bytes_per_second\":%.1f,\"frame_bytes\":%zu,"
      "\"cpu_us_per_read\":%.3f,\"records\":%llu,\"reads\":%llu,\"lost_in_module\":%llu,"
      "\"discarded_bytes\":%llu,\"crc_errors\":%llu,\"reconnects\":%llu}\n",
      baud, reads / time, static_cast<double>(after.bytes - before.bytes) / time,
      record_frame(0).size(), (after.cpu - before.cpu) * 1e6 / reads, number(records),
      number(count.reads.load()), number(counters.lost_records), number(link->discarded_bytes),
      number(link->crc_errors), number(link->reconnects));
  return 0;
}

int usage() {
  (void)std::fprintf(stderr,
                     "usage: singulate_module_bench parser RECORDS | stream BAUD SECONDS | "
                     "antennas SECONDS\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "parser" && argc == 3) {
    const std::uint64_t records = std::strtoull(argv[2], nullptr, 10);
    return records == 0 ? usage() : parse(records);
  }
  if (what == "stream" && argc == 4) {
    const double seconds = std::strtod(argv[3], nullptr);
    const unsigned long baud = std::strtoul(argv[2], nullptr, 10);
    if (!(seconds > 0) || baud > 1'000'000) return usage();
    return read_stream(static_cast<std::uint32_t>(baud), seconds);
  }
  if (what == "antennas" && argc == 3) {
    const double seconds = std::strtod(argv[2], nullptr);
    return seconds > 0 ? singulate::bench::antennas(seconds) : usage();
  }
  return usage();
}
