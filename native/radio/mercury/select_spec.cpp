#include "radio/mercury/select_spec.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::uint16_t kLongestShortMask = 255;

bool is_long(const SelectSpec& select) {
  return select.kind != SelectKind::kEpcLength && select.bit_length > kLongestShortMask;
}

// A select by length alone comes without the password.
bool has_password(SelectKind first) { return first != SelectKind::kEpcLength; }

std::uint8_t kind_bits(const SelectSpec& select) {
  auto bits = static_cast<unsigned>(select.kind);
  if (select.invert) bits |= option::kInvert;
  if (is_long(select)) bits |= option::kLongMask;
  return static_cast<std::uint8_t>(bits);
}

bool has_pointer(SelectKind kind) {
  return kind == SelectKind::kTid || kind == SelectKind::kUser || kind == SelectKind::kEpcBank ||
         kind == SelectKind::kEpcTruncate;
}

void write_mask(ByteWriter& bytes, const SelectSpec& select) {
  if (select.kind == SelectKind::kPassword) return;
  if (select.kind == SelectKind::kEpcLength) {
    bytes.u16(select.bit_length);
    return;
  }
  if (has_pointer(select.kind)) bytes.u32(select.bit_pointer);
  bytes.integer(select.bit_length, is_long(select) ? 2 : 1);
  bytes.bytes(select.mask);
}

SelectSpec read_mask(ByteReader& bytes, std::uint8_t option) {
  SelectSpec select;
  select.kind = static_cast<SelectKind>(option & option::kKind);
  select.invert = (option & option::kInvert) != 0;
  if (select.kind == SelectKind::kPassword) return select;
  if (select.kind == SelectKind::kNone) bytes.fail();
  if (select.kind == SelectKind::kEpcLength) {
    select.bit_length = bytes.u16();
    return select;
  }
  if (has_pointer(select.kind)) select.bit_pointer = bytes.u32();
  select.bit_length =
      static_cast<std::uint16_t>(bytes.integer((option & option::kLongMask) != 0 ? 2 : 1));
  const auto mask = bytes.take((select.bit_length + 7U) / 8U);
  select.mask.assign(mask.begin(), mask.end());
  return select;
}

}  // namespace

std::uint8_t option_of(const SelectPart& part) {
  if (!part.selects.empty()) return kind_bits(part.selects.front());
  return static_cast<std::uint8_t>(part.access_password ? SelectKind::kPassword
                                                        : SelectKind::kNone);
}

void write_selects(ByteWriter& bytes, const SelectPart& part, bool password_first) {
  const bool only_password = part.selects.empty() && part.access_password.has_value();
  if (part.selects.empty() && (!only_password || !password_first)) return;
  const bool told = only_password || has_password(part.selects.front().kind);
  if (password_first && told) bytes.u32(part.access_password.value_or(0));
  if (only_password) {
    if (part.multi) bytes.u8(SelectSpec{}.target).u8(0).u8(0);
    return;
  }
  for (std::size_t i = 0; i < part.selects.size(); ++i) {
    const SelectSpec& select = part.selects[i];
    if (i > 0) bytes.u8(kind_bits(select));
    write_mask(bytes, select);
    if (!part.multi) return;
    bytes.u8(select.target).u8(select.action);
  }
  bytes.u8(0);
}

SelectPart read_selects(ByteReader& bytes, bool multi, std::uint8_t option, bool password_first) {
  SelectPart part{.multi = multi};
  const auto first = static_cast<SelectKind>(option & option::kKind);
  if (first == SelectKind::kNone) return part;
  if (password_first && has_password(first)) part.access_password = bytes.u32();
  for (std::uint8_t next = option; bytes.ok();) {
    SelectSpec select = read_mask(bytes, next);
    if (multi) {
      select.target = bytes.u8();
      select.action = bytes.u8();
      next = bytes.u8();
    }
    const bool is_password = select.kind == SelectKind::kPassword;
    if (!is_password) part.selects.push_back(std::move(select));
    if (part.selects.size() > kMostSelects) bytes.fail();
    if (!multi || next == 0) break;
  }
  return part;
}

}  // namespace singulate::radio::mercury
