// Which tags were read before, by a fingerprint of their EPC: 64 bits, so that among a million
// tags two are taken for one with a probability of about 1 : 37,000,000.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace singulate::inventory {

// Remembers the last 500,000 to 1,000,000 tags, in at most 32 MB.
class SeenTags {
 public:
  // True: this tag was not read before, as far as is remembered.
  bool add(std::span<const std::uint8_t> epc);
  [[nodiscard]] bool has(std::span<const std::uint8_t> epc) const;
  // Different tags since the start or clear(); one that was forgotten counts again.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  void clear();

 private:
  // Open addressing; 0 = free.
  struct Table {
    std::vector<std::uint64_t> slots{};
    std::size_t used = 0;
    [[nodiscard]] bool has(std::uint64_t print) const;
    void put(std::uint64_t print);
  };

  // Two generations: when the younger is full the older is forgotten.
  Table young_;
  Table old_;
  std::uint64_t count_ = 0;
};

}  // namespace singulate::inventory
