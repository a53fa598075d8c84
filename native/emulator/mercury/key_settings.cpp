#include "emulator/mercury/key_settings.h"

#include "radio/mercury/link_modes.h"

namespace singulate::emulator::mercury {

namespace {

namespace op = radio::mercury::op;

constexpr std::uint8_t kGen2Parameter = 0x05;

// Reader keys that are more than a remembered value.
constexpr std::uint8_t kTransportKey = 0x0E;
constexpr std::uint8_t kSendCrcKey = 0x1B;
constexpr std::uint8_t kReadFilterKey = 0x0C;
constexpr std::uint8_t kProductGroupKey = 0x12;
constexpr std::uint8_t kProductIdKey = 0x13;

constexpr std::uint8_t kFilterTimeoutKey = 0x0D;

// Gen2 parameters of the link; those of the M7e family follow its RF mode.
constexpr std::uint8_t kMillerKey = 0x02;
constexpr std::uint8_t kBlfKey = 0x10;
constexpr std::uint8_t kTariKey = 0x11;
constexpr std::uint8_t kQKey = 0x12;
constexpr std::uint8_t kRfModeKey = 0x18;

using Bytes = std::vector<std::uint8_t>;

// Values of Gen2 parameters when the module starts; their lengths are those of all values.
const std::map<std::uint8_t, Bytes>& gen2_defaults() {
  static const std::map<std::uint8_t, Bytes> kDefaults{
      {0x00, {0}},
      {0x01, {0x01, 0x00}},
      {kMillerKey, {2}},
      {kBlfKey, {0}},
      {kTariKey, {0}},
      {kQKey, {0}},
      {0x15, {0x00, 0x00, 0x01, 0x00}},
      {0x16, {0, 0}},
      {0x17, {0}},
      {kRfModeKey, {0x00, 0xF4}},
      {0x19, {0}},
      {0x1A, {0}},
      // Least and greatest Q, cycles, queries since the last EPC.
      {0x1B, {0, 15, 0, 0}},
      // No early end; microseconds: the longest that the standard allows a tag for a write.
      {0x3F, {0, 0x4E, 0x20}},
  };
  return kDefaults;
}

// Q alone has two lengths: it is static, with its value, or it is not.
std::size_t length_of(std::uint8_t key, std::span<const std::uint8_t> value) {
  if (key == kQKey) return !value.empty() && value[0] == 1 ? 2 : 1;
  return gen2_defaults().at(key).size();
}

bool gen2_value_allowed(std::uint8_t key, std::uint32_t value) {
  constexpr std::uint32_t kShortestT4Us = 64;
  constexpr std::uint32_t kLongestT4Us = 1'000'000;
  switch (key) {
    case 0x00:
    case kMillerKey:
      return value <= 3;
    case 0x01:
      return value == 0x0100 || value == 0x0101 || value == 0x0000 || value == 0x0001;
    case kBlfKey:
      return value == 0 || value == 2 || value == 4;
    case kTariKey:
      return value <= 2;
    case kQKey:
      return value == 0 || (value >= 0x0100 && value <= 0x010F);
    case 0x15:
      return value >= kShortestT4Us && value <= kLongestT4Us;
    case 0x16:
      return (value & 0xFFU) <= 15 && value >> 8U <= 1;
    case kRfModeKey:
      return radio::mercury::find_rf_mode(static_cast<std::uint16_t>(value)).has_value();
    default:
      return true;
  }
}

bool is_of_link(std::uint8_t key) { return key == kMillerKey || key == kBlfKey || key == kTariKey; }

}  // namespace

KeySettings::KeySettings(const Profile& profile) : profile_(&profile), gen2_keys_(gen2_defaults()) {
  if (!profile_->rf_modes) gen2_keys_.erase(kRfModeKey);
}

std::optional<Answer> KeySettings::handle(const radio::mercury::Frame& command) {
  const auto data = command.data;
  switch (command.opcode) {
    case op::kSetReaderKey:
      return set_reader_key(data);
    case op::kGetReaderKey:
      return get_reader_key(data);
    case op::kSetProtocolKey:
      return set_gen2_key(data);
    case op::kGetProtocolKey:
      return get_gen2_key(data);
    default:
      return std::nullopt;
  }
}

Answer KeySettings::set_reader_key(std::span<const std::uint8_t> data) {
  if (data.size() < 3) return bad_count();
  if (data[0] != 1 || data[1] == kTransportKey) return bad_parameter();
  reader_keys_[data[1]] = {data.begin() + 2, data.end()};
  if (data[1] == kSendCrcKey) sends_crc_ = data[2] != 0;
  return {};
}

Answer KeySettings::get_reader_key(std::span<const std::uint8_t> data) const {
  if (data.size() != 2) return bad_count();
  if (data[0] != 1) return bad_parameter();
  Answer answer{.data = {data.begin(), data.end()}};
  const auto found = reader_keys_.find(data[1]);
  if (found != reader_keys_.end()) {
    answer.data.insert(answer.data.end(), found->second.begin(), found->second.end());
  } else if (data[1] == kProductGroupKey || data[1] == kProductIdKey) {
    answer.data.insert(answer.data.end(), {0, 0});
  } else if (data[1] == kFilterTimeoutKey) {
    answer.data.insert(answer.data.end(), {0, 0, 0, 0});
  } else {
    answer.data.push_back(data[1] == kSendCrcKey || data[1] == kReadFilterKey ? 1 : 0);
  }
  return answer;
}

std::optional<Bytes> KeySettings::gen2_value(std::uint8_t key) const {
  if (profile_->rf_modes && is_of_link(key)) {
    for (const auto& values : radio::mercury::link_values()) {
      if (values.profile != link_profile()) continue;
      return Bytes{key == kMillerKey ? values.miller : key == kBlfKey ? values.blf : values.tari};
    }
    // It has no number for them.
    return std::nullopt;
  }
  const auto found = gen2_keys_.find(key);
  if (found == gen2_keys_.end()) return std::nullopt;
  return found->second;
}

Answer KeySettings::set_gen2_key(std::span<const std::uint8_t> data) {
  if (data.size() < 3) return bad_count();
  if (data[0] != kGen2Parameter) return bad_parameter();
  const std::uint8_t key = data[1];
  const auto present = gen2_value(key);
  if (!present) return bad_parameter();
  const Bytes value(data.begin() + 2, data.end());
  if (value.size() != length_of(key, value)) return bad_count();
  // What follows from the RF mode can be said again, so that a saved configuration loads.
  if (profile_->rf_modes && is_of_link(key)) return value == *present ? Answer{} : bad_parameter();
  if (!gen2_value_allowed(key, value_of(value))) return bad_parameter();
  gen2_keys_[key] = value;
  return {};
}

Answer KeySettings::get_gen2_key(std::span<const std::uint8_t> data) const {
  if (data.size() != 2) return bad_count();
  if (data[0] != kGen2Parameter) return bad_parameter();
  const auto value = gen2_value(data[1]);
  if (!value) return bad_parameter();
  Answer answer{.data = {data.begin(), data.end()}};
  answer.data.insert(answer.data.end(), value->begin(), value->end());
  return answer;
}

std::uint32_t KeySettings::gen2(std::uint8_t key) const {
  const auto found = gen2_keys_.find(key);
  return found == gen2_keys_.end() ? 0 : value_of(found->second);
}

std::uint32_t KeySettings::reader(std::uint8_t key) const {
  const auto found = reader_keys_.find(key);
  return found == reader_keys_.end() ? 0 : value_of(found->second);
}

std::string_view KeySettings::link_profile() const {
  if (profile_->rf_modes) {
    return radio::mercury::find_rf_mode(static_cast<std::uint16_t>(gen2(kRfModeKey)))
        .value_or(radio::mercury::kDefaultLinkProfile);
  }
  return radio::mercury::link_profile_of(static_cast<std::uint8_t>(gen2(kMillerKey)),
                                         static_cast<std::uint8_t>(gen2(kBlfKey)));
}

}  // namespace singulate::emulator::mercury
