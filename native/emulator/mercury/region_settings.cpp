#include "emulator/mercury/region_settings.h"

#include <algorithm>
#include <array>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

// Regions of the products: North America, Europe, ... and open.
constexpr std::array<std::uint8_t, 14> kRegions{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08,
                                                0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0xFF};
constexpr std::size_t kMostHops = 62;

}  // namespace

RegionSettings::RegionSettings(std::vector<std::uint32_t> channels_khz)
    : hop_table_khz_(std::move(channels_khz)) {
  if (hop_table_khz_.size() > kMostHops) hop_table_khz_.resize(kMostHops);
}

std::optional<Answer> RegionSettings::handle(const radio::mercury::Frame& command) {
  const auto data = command.data;
  switch (command.opcode) {
    case op::kSetRegion:
      return set_region(data);
    case op::kGetRegion:
      return data.empty() ? answer_of({region_}) : bad_count();
    case op::kSetHopTable:
      return set_hop_table(data);
    case op::kGetHopTable:
      return get_hop_table(data);
    case op::kRegions:
      if (!data.empty()) return bad_count();
      return Answer{.data = {kRegions.begin(), kRegions.end()}};
    default:
      return std::nullopt;
  }
}

Answer RegionSettings::set_region(std::span<const std::uint8_t> data) {
  if (data.empty()) return bad_count();
  // With an option: settings of listen before talk come after the region.
  const bool with_option = data.size() > 1;
  if (with_option && data[0] != 1) return bad_parameter();
  const std::uint8_t region = with_option ? data[1] : data[0];
  if (std::find(kRegions.begin(), kRegions.end(), region) == kRegions.end()) {
    return fault(status::kRegion);
  }
  region_ = region;
  return {};
}

Answer RegionSettings::set_hop_table(std::span<const std::uint8_t> data) {
  if (data.size() == 5 && data[0] == 1) {
    hop_time_ms_ = value_of(data.subspan(1));
    return {};
  }
  if (data.empty() || data.size() % 4 != 0 || data.size() / 4 > kMostHops) return bad_count();
  std::vector<std::uint32_t> table;
  for (ByteReader reader(data); !reader.at_end();) {
    table.push_back(reader.u32());
    constexpr std::uint32_t kLowest = 840'000;
    constexpr std::uint32_t kHighest = 960'000;
    if (table.back() < kLowest || table.back() > kHighest) return fault(status::kBadFrequency);
  }
  hop_table_khz_ = std::move(table);
  return {};
}

Answer RegionSettings::get_hop_table(std::span<const std::uint8_t> data) const {
  ByteWriter writer;
  if (data.empty()) {
    for (const std::uint32_t channel : hop_table_khz_) writer.u32(channel);
  } else if (data.size() == 1 && data[0] == 1) {
    writer.u8(1).u32(hop_time_ms_);
  } else {
    return data.size() == 1 ? bad_parameter() : bad_count();
  }
  return {.data = writer.take()};
}

}  // namespace singulate::emulator::mercury
