#include "inventory/seen_tags.h"

#include <utility>

namespace singulate::inventory {

namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kMostTags = 500'000;

// FNV-1a, and a final mix so that the low bits depend on all bytes.
std::uint64_t fingerprint(std::span<const std::uint8_t> epc) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const std::uint8_t byte : epc) hash = (hash ^ byte) * 0x100000001B3U;
  hash = (hash ^ (hash >> 32U)) * 0xD6E8FEB86659FD93U;
  hash ^= hash >> 32U;
  return hash == 0 ? 1 : hash;
}

}  // namespace

bool SeenTags::Table::has(std::uint64_t print) const {
  if (slots.empty()) return false;
  const std::size_t mask = slots.size() - 1;
  for (std::size_t at = static_cast<std::size_t>(print) & mask; slots[at] != 0;
       at = (at + 1) & mask) {
    if (slots[at] == print) return true;
  }
  return false;
}

void SeenTags::Table::put(std::uint64_t print) {
  if ((used + 1) * 2 > slots.size()) {
    std::vector<std::uint64_t> before(slots.empty() ? kFirstSlots : slots.size() * 2);
    std::swap(before, slots);
    used = 0;
    for (const std::uint64_t one : before) {
      if (one != 0) put(one);
    }
  }
  const std::size_t mask = slots.size() - 1;
  std::size_t at = static_cast<std::size_t>(print) & mask;
  while (slots[at] != 0) at = (at + 1) & mask;
  slots[at] = print;
  ++used;
}

bool SeenTags::add(std::span<const std::uint8_t> epc) {
  const std::uint64_t print = fingerprint(epc);
  if (young_.has(print)) return false;
  const bool known = old_.has(print);
  if (young_.used >= kMostTags) old_ = std::exchange(young_, {});
  young_.put(print);
  if (!known) ++count_;
  return !known;
}

bool SeenTags::has(std::span<const std::uint8_t> epc) const {
  const std::uint64_t print = fingerprint(epc);
  return young_.has(print) || old_.has(print);
}

void SeenTags::clear() {
  young_ = {};
  old_ = {};
  count_ = 0;
}

}  // namespace singulate::inventory
