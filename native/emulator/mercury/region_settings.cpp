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
constexpr std::uint32_t kLowestKhz = 840'000;
constexpr std::uint32_t kHighestKhz = 960'000;

// The option of op 97 and 67 with a setting of listen before talk.
constexpr std::uint8_t kWithSetting = 1;
// Options of op 95 and 65: milliseconds on a channel, the grid of channels, the lowest of them.
constexpr std::uint8_t kHopTime = 1;
constexpr std::uint8_t kStep = 2;
constexpr std::uint8_t kLowest = 3;

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
      return get_region(data);
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
  // With an option: a setting of listen before talk comes after the region.
  const bool with_option = data.size() > 1;
  if (with_option && data[0] != kWithSetting) return bad_parameter();
  const std::uint8_t region = with_option ? data[1] : data[0];
  if (std::find(kRegions.begin(), kRegions.end(), region) == kRegions.end()) {
    return fault(status::kRegion);
  }
  if (data.size() > 2) {
    const auto found = listening_.find(data[2]);
    if (found == listening_.end()) return bad_parameter();
    const auto value = data.subspan(3);
    if (value.size() != found->second.size()) return bad_count();
    found->second.assign(value.begin(), value.end());
  }
  region_ = region;
  return {};
}

Answer RegionSettings::get_region(std::span<const std::uint8_t> data) const {
  if (data.empty()) return answer_of({region_});
  if (data.size() != 2) return bad_count();
  const auto found = listening_.find(data[1]);
  if (data[0] != kWithSetting || found == listening_.end()) return bad_parameter();
  return {.data = ByteWriter().u8(data[0]).u8(region_).u8(data[1]).bytes(found->second).take()};
}

std::uint32_t* RegionSettings::value_of_channels(std::uint8_t option) {
  switch (option) {
    case kHopTime:
      return &hop_time_ms_;
    case kStep:
      return &step_khz_;
    case kLowest:
      return &lowest_khz_;
    default:
      return nullptr;
  }
}

Answer RegionSettings::set_hop_table(std::span<const std::uint8_t> data) {
  if (data.size() == 1 + sizeof(std::uint32_t)) {
    std::uint32_t* const value = value_of_channels(data[0]);
    if (value == nullptr) return bad_parameter();
    *value = value_of(data.subspan(1));
    return {};
  }
  if (data.empty() || data.size() % 4 != 0 || data.size() / 4 > kMostHops) return bad_count();
  std::vector<std::uint32_t> table;
  for (ByteReader reader(data); !reader.at_end();) {
    table.push_back(reader.u32());
    if (table.back() < kLowestKhz || table.back() > kHighestKhz) {
      return fault(status::kBadFrequency);
    }
  }
  hop_table_khz_ = std::move(table);
  return {};
}

Answer RegionSettings::get_hop_table(std::span<const std::uint8_t> data) {
  ByteWriter writer;
  if (data.empty()) {
    for (const std::uint32_t channel : hop_table_khz_) writer.u32(channel);
    return {.data = writer.take()};
  }
  if (data.size() != 1) return bad_count();
  const std::uint32_t* const value = value_of_channels(data[0]);
  if (value == nullptr) return bad_parameter();
  return {.data = writer.u8(data[0]).u32(*value).take()};
}

}  // namespace singulate::emulator::mercury
