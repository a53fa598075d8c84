#include "inventory/seen_tags.h"

#include <array>

#include "third_party/doctest/doctest.h"

using singulate::inventory::SeenTags;

namespace {

std::array<std::uint8_t, 12> epc(std::uint32_t number) {
  std::array<std::uint8_t, 12> bytes{0x30};
  for (unsigned i = 0; i < 4; ++i) {
    bytes.at(8 + i) = static_cast<std::uint8_t>(number >> (8 * (3 - i)));
  }
  return bytes;
}

}  // namespace

TEST_CASE("a tag is new once") {
  SeenTags seen;
  for (std::uint32_t i = 0; i < 100'000; ++i) CHECK(seen.add(epc(i)));
  for (std::uint32_t i = 0; i < 100'000; ++i) CHECK_FALSE(seen.add(epc(i)));
  CHECK(seen.count() == 100'000);
  seen.clear();
  CHECK(seen.count() == 0);
  CHECK(seen.add(epc(1)));
}

TEST_CASE("EPCs of different lengths are different tags") {
  SeenTags seen;
  const std::array<std::uint8_t, 4> zeros{};
  for (std::size_t bytes = 0; bytes <= 4; bytes += 2) {
    CHECK(seen.add(std::span(zeros).first(bytes)));
  }
  CHECK_FALSE(seen.add(std::span(zeros).first(2)));
}

TEST_CASE("past its bound the tags of long ago are forgotten, the last ones are not") {
  SeenTags seen;
  constexpr std::uint32_t kTags = 1'600'000;
  for (std::uint32_t i = 0; i < kTags; ++i) (void)seen.add(epc(i));
  CHECK(seen.count() == kTags);
  CHECK_FALSE(seen.add(epc(kTags - 1)));
  CHECK_FALSE(seen.add(epc(kTags - 500'000)));
  CHECK(seen.add(epc(0)));
}
