#include "protocol.h"

namespace mymodule {

namespace {

class Writer {
 public:
  Writer& u8(unsigned value) {
    bytes_.push_back(static_cast<std::uint8_t>(value));
    return *this;
  }
  Writer& u16(unsigned value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }
  Writer& i16(std::int16_t value) { return u16(static_cast<std::uint16_t>(value)); }
  Writer& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }
  template <typename List>
  Writer& all(const List& list) {
    bytes_.insert(bytes_.end(), list.begin(), list.end());
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Beyond the end everything is 0, and ok() false.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}
  std::uint8_t u8() {
    if (data_.empty()) {
      ok_ = false;
      return 0;
    }
    const std::uint8_t value = data_.front();
    data_ = data_.subspan(1);
    return value;
  }
  std::uint16_t u16() {
    const unsigned high = u8();
    return static_cast<std::uint16_t>(high << 8U | u8());
  }
  std::int16_t i16() { return static_cast<std::int16_t>(u16()); }
  std::uint32_t u32() {
    const std::uint32_t high = u16();
    return high << 16U | u16();
  }
  std::span<const std::uint8_t> rest() {
    const auto all = data_;
    data_ = {};
    return all;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && data_.empty(); }

 private:
  std::span<const std::uint8_t> data_;
  bool ok_ = true;
};

}  // namespace

std::string_view text_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "done";
    case Refusal::kUnknownCommand:
      return "unknown command";
    case Refusal::kBadValue:
      return "bad value";
    case Refusal::kBusy:
      return "busy";
    case Refusal::kNoPower:
      return "no power was told";
  }
  return "unknown status";
}

Bytes encode(const Version& version) {
  return Writer()
      .u8(version.antennas)
      .i16(version.min_power_cdbm)
      .i16(version.max_power_cdbm)
      .all(version.firmware)
      .take();
}

Bytes encode(const Power& power) { return Writer().u8(power.antenna).i16(power.cdbm).take(); }

Bytes encode(const Start& start) {
  return Writer()
      .u8(start.antenna)
      .u8(start.session)
      .u8(start.target)
      .u8(start.q)
      .u8(start.carrier_stays ? 1 : 0)
      .u16(start.ms)
      .take();
}

Bytes encode(const Tag& tag) {
  return Writer()
      .u8(tag.antenna)
      .u16(tag.ms)
      .u32(tag.khz)
      .i16(tag.rssi_cdbm)
      .u16(tag.phase_cdeg)
      .u16(tag.pc)
      .u16(tag.crc)
      .all(tag.epc)
      .take();
}

Bytes encode(const End& end) {
  return Writer()
      .u8(static_cast<std::uint8_t>(end.why))
      .u16(end.empty)
      .u16(end.single)
      .u16(end.collided)
      .take();
}

std::optional<Version> decode_version(std::span<const std::uint8_t> data) {
  Reader reader(data);
  Version version{
      .antennas = reader.u8(), .min_power_cdbm = reader.i16(), .max_power_cdbm = reader.i16()};
  const auto text = reader.rest();
  version.firmware.assign(text.begin(), text.end());
  if (!reader.ok() || version.antennas == 0 || version.min_power_cdbm > version.max_power_cdbm) {
    return std::nullopt;
  }
  return version;
}

std::optional<Power> decode_power(std::span<const std::uint8_t> data) {
  Reader reader(data);
  const Power power{.antenna = reader.u8(), .cdbm = reader.i16()};
  if (!reader.at_end()) return std::nullopt;
  return power;
}

std::optional<Start> decode_start(std::span<const std::uint8_t> data) {
  Reader reader(data);
  const Start start{.antenna = reader.u8(),
                    .session = reader.u8(),
                    .target = reader.u8(),
                    .q = reader.u8(),
                    .carrier_stays = reader.u8() != 0,
                    .ms = reader.u16()};
  if (!reader.at_end() || start.session > 3 || start.target > 1) return std::nullopt;
  return start;
}

std::optional<Tag> decode_tag(std::span<const std::uint8_t> data) {
  Reader reader(data);
  Tag tag{.antenna = reader.u8(),
          .ms = reader.u16(),
          .khz = reader.u32(),
          .rssi_cdbm = reader.i16(),
          .phase_cdeg = reader.u16(),
          .pc = reader.u16(),
          .crc = reader.u16()};
  tag.epc = reader.rest();
  constexpr std::uint16_t kTurnCdeg = 36'000;
  if (!reader.ok() || tag.phase_cdeg >= kTurnCdeg ||
      tag.epc.size() != 2 * static_cast<std::size_t>(tag.pc >> 11U)) {
    return std::nullopt;
  }
  return tag;
}

std::optional<End> decode_end(std::span<const std::uint8_t> data) {
  Reader reader(data);
  const End end{.why = static_cast<Why>(reader.u8()),
                .empty = reader.u16(),
                .single = reader.u16(),
                .collided = reader.u16()};
  if (!reader.at_end() || end.why > Why::kStopped) return std::nullopt;
  return end;
}

}  // namespace mymodule
