#include "radio/tag_select.h"

#include <algorithm>

namespace singulate::radio {

namespace {

constexpr std::uint32_t kLengthBit = 0x10;  // the first five bits of the PC
constexpr unsigned kLengthBits = 5;
constexpr std::uint32_t kFirstEpcBit = 0x20;
constexpr std::size_t kMostMaskBytes = 31;
// Gen2's actions: what matches, and what does not.
constexpr std::uint8_t kAssertElseDeassert = 0;
constexpr std::uint8_t kNothingElseDeassert = 2;

}  // namespace

std::vector<gen2::Select> selects_for_epc(std::span<const std::uint8_t> epc) {
  std::vector<gen2::Select> selects;
  gen2::Select length;
  length.target = gen2::SelectTarget::kSl;
  length.action = kAssertElseDeassert;
  length.bank = gen2::Bank::kEpc;
  length.pointer = kLengthBit;
  const auto words = static_cast<unsigned>(epc.size() / 2);
  for (unsigned bit = kLengthBits; bit-- > 0;) length.mask.append((words >> bit & 1U) != 0);
  selects.push_back(length);
  for (std::size_t at = 0; at < epc.size(); at += kMostMaskBytes) {
    gen2::Select part = select_for_begin(epc.subspan(at));
    part.action = kNothingElseDeassert;
    part.pointer += static_cast<std::uint32_t>(at * 8);
    selects.push_back(part);
  }
  return selects;
}

std::vector<gen2::Select> selects_for_tag(std::span<const std::uint8_t> epc,
                                          std::span<const gen2::Select> also, std::size_t most) {
  std::vector<gen2::Select> selects = selects_for_epc(epc);
  for (const gen2::Select& one : also) {
    if (selects.size() < most) selects.push_back(one);
  }
  return selects;
}

gen2::Select select_for_begin(std::span<const std::uint8_t> epc) {
  gen2::Select select;
  select.target = gen2::SelectTarget::kSl;
  select.action = kAssertElseDeassert;
  select.bank = gen2::Bank::kEpc;
  select.pointer = kFirstEpcBit;
  for (const std::uint8_t byte : epc.first(std::min(kMostMaskBytes, epc.size()))) {
    for (unsigned bit = 8; bit-- > 0;) select.mask.append((byte >> bit & 1U) != 0);
  }
  return select;
}

}  // namespace singulate::radio
