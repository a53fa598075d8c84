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

// Bytes of the value of a Gen2 parameter; nothing: there is no such parameter.
std::optional<std::size_t> gen2_value_bytes(std::uint8_t key, std::span<const std::uint8_t> value) {
  switch (key) {
    case 0x00:
    case 0x02:
    case 0x10:
    case 0x11:
    case 0x17:
    case 0x19:
    case 0x1A:
      return 1;
    case 0x01:
    case 0x16:
    case 0x18:
      return 2;
    case 0x12:
      return !value.empty() && value[0] == 1 ? 2 : 1;
    case 0x15:
      return 4;
    case 0x1B:
    case 0x3F:
      return value.size();
    default:
      return std::nullopt;
  }
}

bool gen2_value_allowed(std::uint8_t key, std::uint32_t value, bool rf_modes) {
  constexpr std::uint32_t kShortestT4Us = 64;
  constexpr std::uint32_t kLongestT4Us = 1'000'000;
  switch (key) {
    case 0x00:
      return value <= 3;
    case 0x01:
      return value == 0x0100 || value == 0x0101 || value == 0x0000 || value == 0x0001;
    case 0x02:
      return !rf_modes && value <= 3;
    case 0x10:
      return !rf_modes && (value == 0 || value == 2 || value == 4);
    case 0x11:
      return !rf_modes && value <= 2;
    case 0x12:
      return value == 0 || (value >= 0x0100 && value <= 0x010F);
    case 0x15:
      return value >= kShortestT4Us && value <= kLongestT4Us;
    case 0x16:
      return (value & 0xFFU) <= 15 && value >> 8U <= 1;
    case 0x18:
      return rf_modes && radio::mercury::find_rf_mode(static_cast<std::uint16_t>(value));
    default:
      return true;
  }
}

}  // namespace

KeySettings::KeySettings(const Profile& profile) : profile_(&profile) {
  gen2_keys_[0x00] = {0};
  gen2_keys_[0x01] = {0x01, 0x00};
  gen2_keys_[0x12] = {0};
  if (profile_->rf_modes) {
    gen2_keys_[0x18] = {0x00, 0xF4};
  } else {
    gen2_keys_[0x02] = {2};
    gen2_keys_[0x10] = {0};
    gen2_keys_[0x11] = {0};
  }
  gen2_keys_[0x15] = {0x00, 0x00, 0x01, 0x00};
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
  } else {
    answer.data.push_back(data[1] == kSendCrcKey || data[1] == kReadFilterKey ? 1 : 0);
  }
  return answer;
}

Answer KeySettings::set_gen2_key(std::span<const std::uint8_t> data) {
  if (data.size() < 3) return bad_count();
  if (data[0] != kGen2Parameter) return bad_parameter();
  const std::uint8_t key = data[1];
  const auto value = data.subspan(2);
  const auto length = gen2_value_bytes(key, value);
  if (!length) return bad_parameter();
  if (value.size() != *length) return bad_count();
  if (!gen2_value_allowed(key, value_of(value), profile_->rf_modes)) return bad_parameter();
  gen2_keys_[key] = {value.begin(), value.end()};
  return {};
}

Answer KeySettings::get_gen2_key(std::span<const std::uint8_t> data) const {
  if (data.size() != 2) return bad_count();
  if (data[0] != kGen2Parameter || !gen2_value_bytes(data[1], {})) return bad_parameter();
  Answer answer{.data = {data.begin(), data.end()}};
  const auto found = gen2_keys_.find(data[1]);
  if (found == gen2_keys_.end()) {
    answer.data.push_back(0);
  } else {
    answer.data.insert(answer.data.end(), found->second.begin(), found->second.end());
  }
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
    return radio::mercury::find_rf_mode(static_cast<std::uint16_t>(gen2(0x18)))
        .value_or(radio::mercury::kDefaultLinkProfile);
  }
  return radio::mercury::link_profile_of(static_cast<std::uint8_t>(gen2(0x02)),
                                         static_cast<std::uint8_t>(gen2(0x10)));
}

}  // namespace singulate::emulator::mercury
