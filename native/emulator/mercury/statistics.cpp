#include "emulator/mercury/statistics.h"

#include "gen2/units.h"
#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
namespace statistic = radio::mercury::statistic;

constexpr std::uint8_t kGet = 0;
constexpr std::uint8_t kReset = 1;
constexpr std::uint8_t kGetPerPort = 2;

}  // namespace

void Statistics::count_rf_on(std::uint8_t port, std::uint64_t nanoseconds) {
  if (port >= 1 && port <= kPorts) rf_on_ns_.at(port - 1U) += nanoseconds;
}

Answer Statistics::answer(const Profile& profile, std::span<const std::uint8_t> data,
                          const Present& present) {
  ByteReader reader(data);
  const std::uint8_t option = reader.u8();
  const std::uint32_t asked = reader.ebv();
  if (!reader.ok() || !reader.at_end()) return bad_count();
  if (option > kGetPerPort) return bad_parameter();
  if (option == kReset) {
    if ((asked & statistic::kRfOnTime) != 0) rf_on_ns_ = {};
    return {};
  }
  const std::uint32_t told = asked & profile.statistics;
  ByteWriter writer;
  writer.u8(option).ebv(told);
  const auto add = [&](std::uint16_t flag, const ByteWriter& value) {
    if ((told & flag) == 0) return;
    writer.ebv(flag).u8(static_cast<std::uint32_t>(value.view().size())).bytes(value.view());
  };
  ByteWriter rf_on;
  ByteWriter connected;
  for (std::size_t i = 0; i < kPorts; ++i) {
    const auto port = static_cast<std::uint32_t>(i + 1);
    rf_on.u8(port).u32(static_cast<std::uint32_t>(rf_on_ns_.at(i) / kNsPerMs));
    connected.u8(port).u8(present.connected.at(i) ? 1 : 0);
  }
  add(statistic::kRfOnTime, rf_on);
  add(statistic::kFrequency, ByteWriter().integer(present.frequency_khz, 3));
  add(statistic::kTemperature,
      ByteWriter().u8(static_cast<std::uint8_t>(present.temperature_celsius)));
  add(statistic::kAntenna, ByteWriter().u8(present.antenna).u8(present.antenna));
  add(statistic::kProtocol, ByteWriter().u8(radio::mercury::kGen2));
  add(statistic::kConnected, connected);
  return {.data = writer.take()};
}

}  // namespace singulate::emulator::mercury
