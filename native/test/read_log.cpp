// Prints every read of a few seeded fields, one line a read, all fields of it: two builds that
// print the same lines simulate the same air, bit for bit.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "radio/virtual/virtual_radio.h"

namespace {

using namespace singulate;

constexpr std::uint64_t kStart = 1'700'000'000'000'000'000;
constexpr std::uint64_t kSecond = 1'000'000'000;

radio::VirtualOptions field(std::uint64_t seed) {
  radio::VirtualOptions options;
  options.paced = false;
  options.start_ns = kStart;
  options.seed = seed;
  options.antennas.push_back(
      {.port = 1,
       .position = {.x = -1, .z = 1.5},
       .pattern = {.gain_dbi = 6, .direction = {.x = 1, .z = -0.3}, .width_deg = 70},
       .cable_loss_db = 1.2});
  options.antennas.push_back({.port = 2, .position = {.x = 1.3, .y = 0.4, .z = 1}});
  options.channels_khz = {902'750, 915'250, 927'250, 908'250};
  options.channel_rule = {.dwell_ms = 200};
  options.models[0].user_words = 8;
  options.fading = radio::Fading{.k_db = 6, .hold_ms = 20};
  options.capture_db = 6;
  options.reply_loss = 0.02;
  radio::VirtualGroup shelf;
  shelf.waypoints.push_back({});
  radio::VirtualGroup cart;
  cart.waypoints = {{.seconds = 0, .position = {.y = -3}}, {.seconds = 4, .position = {.y = 3}}};
  cart.period_seconds = 5;
  radio::VirtualGroup table;
  table.waypoints.push_back({.position = {.x = 0.3, .y = 1, .z = 0.7}});
  table.turn_seconds = 3;
  for (int i = 0; i < 300; ++i) {
    radio::VirtualTag tag;
    tag.epc.assign(12, 0x30);
    tag.epc[10] = static_cast<std::uint8_t>(i >> 8);
    tag.epc[11] = static_cast<std::uint8_t>(i & 0xFF);
    tag.tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, tag.epc[10], tag.epc[11]};
    tag.offset = {.x = 0.01 * (i % 30), .y = 0.02 * (i % 7), .z = 0.013 * (i % 11)};
    tag.sensitivity_dbm = -15 - 0.03 * i;
    (i % 3 == 0 ? shelf : i % 3 == 1 ? cart : table).tags.push_back(tag);
  }
  options.groups = {shelf, cart, table};
  return options;
}

class Printer final : public radio::TagSink {
 public:
  bool on_read(const radio::TagRead& read) override {
    (void)std::printf("%llu %u %d %u %04x %04x %u ", static_cast<unsigned long long>(read.time_ns),
                      read.frequency_khz, read.rssi_cdbm, read.phase_cdeg, read.pc, read.crc,
                      read.antenna);
    for (const std::uint8_t byte : read.epc) (void)std::printf("%02x", byte);
    for (const radio::AccessResult& result : read.access) {
      (void)std::printf(" %u:%u", static_cast<unsigned>(result.status),
                        static_cast<unsigned>(result.error));
      for (const std::uint16_t word : result.words) (void)std::printf(" %04x", word);
    }
    (void)std::printf("\n");
    return true;
  }
};

}  // namespace

int main() {
  const std::vector<radio::AccessOp> access{
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kTid},
      {.kind = radio::AccessKind::kWrite, .bank = gen2::Bank::kUser, .words = {1, 2}}};
  std::uint64_t seed = 0;
  for (const gen2::LinkProfile& profile : gen2::link_profiles()) {
    const auto session = static_cast<gen2::Session>(seed % 4);
    radio::VirtualRadio module(field(++seed));
    radio::RadioSettings settings{.link_profile = std::string(profile.name)};
    for (const std::uint8_t port : {std::uint8_t{1}, std::uint8_t{2}}) {
      settings.antennas.push_back({.port = port, .transmit_power_cdbm = 2900});
    }
    if (!module.configure(settings).ok()) return 1;
    Printer printer;
    for (unsigned round = 0; module.now_ns() < kStart + 6 * kSecond; ++round) {
      radio::RoundRequest request{.antenna = static_cast<std::uint8_t>(1 + round % 2)};
      request.session = session;
      request.target = round % 4 < 2 ? gen2::Target::kA : gen2::Target::kB;
      request.tag_population = round % 3 == 0 ? 0 : 50;
      request.deadline_ns = module.now_ns() + kSecond;
      if (round % 5 == 0) request.access = access;
      if (!module.run_round(request, printer).ok()) return 1;
    }
  }
  return 0;
}
