#include "antenna_bench.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "emulator/mercury/module.h"
#include "emulator/mercury/pty_port.h"
#include "inventory/inventory.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/connection.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/mercury/report.h"
#include "radio/mercury/search.h"

namespace singulate::bench {

namespace {

using namespace singulate::radio::mercury;
using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kUsualBaud = 115'200;
constexpr std::uint32_t kFastBaud = 921'600;
constexpr std::uint16_t kTags = 200;
constexpr std::int16_t kPowerCdbm = 2700;
constexpr std::uint16_t kDwellMs = 250;
constexpr double kWarmUpSeconds = 2;

std::chrono::milliseconds ms_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

// Tags below antennas 1 and 3 of four ports.
radio::VirtualOptions field() {
  radio::VirtualOptions options;
  options.paced = true;
  for (const std::uint8_t port : {1, 3}) {
    options.antennas.push_back({.port = port, .position = {.z = 1}});
  }
  options.channels_khz = {915'250};
  radio::VirtualGroup group;
  group.waypoints.push_back({});
  for (std::uint32_t i = 0; i < kTags; ++i) {
    radio::VirtualTag tag;
    tag.epc.assign(12, 0x30);
    tag.epc[11] = static_cast<std::uint8_t>(i);
    group.tags.push_back(tag);
  }
  options.groups.push_back(group);
  return options;
}

// An emulated module on a line of its own.
class Emulated {
 public:
  Emulated()
      : opened_(port_.open()),
        module_(*emulator::mercury::find_profile("m7e"), field(), port_.descriptor(),
                {.line_paced = true}),
        thread_([this] { module_.run(); }) {}
  Emulated(const Emulated&) = delete;
  Emulated& operator=(const Emulated&) = delete;
  Emulated(Emulated&&) = delete;
  Emulated& operator=(Emulated&&) = delete;
  ~Emulated() {
    module_.stop();
    thread_.join();
  }
  [[nodiscard]] const radio::Status& opened() const { return opened_; }
  [[nodiscard]] const std::string& path() const { return port_.path(); }

 private:
  emulator::mercury::PtyPort port_;
  radio::Status opened_;
  emulator::mercury::Module module_;
  std::thread thread_;
};

// A host that leaves all to the module.
class Bare {
 public:
  radio::Status start(const std::string& path) {
    if (auto opened = connection_.port().open(path, kUsualBaud); !opened.ok()) return opened;
    tell(op::kSetBaudRate, ByteWriter().u32(kFastBaud));
    if (failed_.ok()) failed_ = connection_.port().set_baud(kFastBaud);
    tell(op::kSetProtocol, ByteWriter().u16(kGen2));
    tell(op::kSetReaderKey, ByteWriter().u8(1).u8(0x0C).u8(0));
    tell(op::kSetProtocolKey, ByteWriter().u8(kGen2).u8(0x18).u16(302));
    tell(op::kSetProtocolKey, ByteWriter().u8(kGen2).u8(0x00).u8(2));
    tell(op::kSetProtocolKey, ByteWriter().u8(kGen2).u8(0x01).u16(0));
    tell(op::kSetProtocolKey, ByteWriter().u8(kGen2).u8(0x16).u8(1).u8(8));
    tell(op::kSetReadPower, ByteWriter().u16(kPowerCdbm));
    tell(op::kSetAntennas, ByteWriter().u8(0x82).u8(1).u8(3));
    tell(op::kSetAntennas, ByteWriter().u8(0x87).u8(1).u16(kDwellMs).u8(3).u16(kDwellMs));
    SearchRequest search{.flags = search_flag::kConfiguredAntennas | search_flag::kLargeCount,
                         .timeout_ms = 2 * kDwellMs,
                         .metadata = metadata::kRssi | metadata::kAntenna | metadata::kFrequency |
                                     metadata::kTime | metadata::kPhase};
    tell(op::kContinuous, ByteWriter().bytes(encode_stream_start(search)));
    return failed_;
  }
  // Tag records until then.
  std::uint64_t count_until(Clock::time_point until) {
    std::uint64_t records = 0;
    constexpr std::chrono::milliseconds kLook{20};
    constexpr std::chrono::milliseconds kGather{4};
    while (Clock::now() < until) {
      (void)connection_.listen(
          kLook,
          [&](const Frame& frame) {
            if (frame.opcode != op::kSearch) return;
            const Report report = read_report(frame, AntennaForm::kPlain);
            if (std::holds_alternative<TagRecord>(report)) ++records;
          },
          kGather);
    }
    return records;
  }
  void stop() { tell(op::kContinuous, ByteWriter().bytes(kStreamStop)); }

 private:
  void tell(std::uint8_t opcode, const ByteWriter& data) {
    constexpr std::chrono::seconds kAnswer{1};
    if (!failed_.ok()) return;
    const auto done = Connection::well("command", connection_.ask(opcode, data.view(), kAnswer));
    if (!done.ok()) failed_ = done.error();
  }

  Connection connection_;
  radio::Status failed_;
};

radio::Result<double> by_itself(double seconds) {
  Emulated emulated;
  if (!emulated.opened().ok()) return emulated.opened().error();
  Bare host;
  if (auto started = host.start(emulated.path()); !started.ok()) return started.error();
  (void)host.count_until(Clock::now() + ms_of(kWarmUpSeconds));
  const auto from = Clock::now();
  const auto reads = static_cast<double>(host.count_until(from + ms_of(seconds)));
  const double time = std::chrono::duration<double>(Clock::now() - from).count();
  host.stop();
  return reads / time;
}

inventory::InventoryPlan plan() {
  inventory::InventoryPlan plan;
  plan.link_profile = "FM0-640";
  for (const std::int64_t port : {1, 2, 3, 4}) {
    plan.antennas.push_back({.port = port,
                             .transmit_power_cdbm = kPowerCdbm,
                             .query = {.session = 2,
                                       .target = inventory::InventoryPlan::Query::kBothTargets,
                                       .tag_population = kTags}});
  }
  return plan;
}

struct Driven {
  double reads_per_second = 0;
  std::string complaint;
};

radio::Result<Driven> by_the_loop(double seconds) {
  Emulated emulated;
  if (!emulated.opened().ok()) return emulated.opened().error();
  MercuryRadio radio({.path = emulated.path(), .baud = kUsualBaud, .work_baud = kFastBaud});
  if (auto opened = radio.open(); !opened.ok()) return opened.error();
  constexpr std::size_t kRecords = 1000;
  stream::ReadQueue queue(kRecords, stream::WhenFull::kDrop);
  const inventory::Inputs inputs;
  inventory::Inventory inventory(radio, queue, inputs, plan(), [] {});
  if (auto begun = inventory.begin(); !begun.ok()) return begun.error();
  std::thread loop([&] { inventory.run(); });
  std::this_thread::sleep_for(ms_of(kWarmUpSeconds));
  const auto from = Clock::now();
  const std::uint64_t before = inventory.counters().reads.get();
  std::this_thread::sleep_for(ms_of(seconds));
  const double time = std::chrono::duration<double>(Clock::now() - from).count();
  const auto reads = static_cast<double>(inventory.counters().reads.get() - before);
  const std::string complaint = radio.link()->complaint;
  inventory.request_stop();
  loop.join();
  radio.close();
  return Driven{.reads_per_second = reads / time, .complaint = complaint};
}

}  // namespace

int antennas(double seconds) {
  const auto driven = by_the_loop(seconds);
  const auto alone = by_itself(seconds);
  if (!driven.ok() || !alone.ok()) {
    const radio::Error& error = driven.ok() ? alone.error() : driven.error();
    (void)std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  (void)std::printf("{\"reads_per_second\":%.1f,\"alone_per_second\":%.1f,\"complaint\":\"%s\"}\n",
                    driven.value().reads_per_second, alone.value(),
                    driven.value().complaint.c_str());
  return 0;
}

}  // namespace singulate::bench
