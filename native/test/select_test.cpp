#include "gen2/select.h"

#include "gen2/ebv.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

namespace {

SelectMask mask_of(const char* bits) {
  SelectMask mask;
  for (const char* bit = bits; *bit != 0; ++bit) mask.append(*bit == '1');
  return mask;
}

}  // namespace

TEST_CASE("an EBV has 7 bits of data a block") {
  struct Vector {
    std::uint32_t value;
    unsigned bits;
    std::uint32_t encoded;
  };
  for (const Vector& v : {Vector{0, 8, 0x00}, Vector{127, 8, 0x7F}, Vector{128, 16, 0x8100},
                          Vector{16384, 24, 0x818000}}) {
    BitFrame frame;
    append_ebv(frame, v.value);
    CHECK(frame.size() == v.bits);
    CHECK(frame.read(0, v.bits) == v.encoded);
    std::size_t position = 0;
    CHECK(read_ebv(frame, position) == v.value);
    CHECK(position == v.bits);
  }
}

TEST_CASE("an EBV of 32 bits survives, a longer or broken one is none") {
  BitFrame frame;
  append_ebv(frame, 0xFFFFFFFF);
  CHECK(frame.size() == 40);
  std::size_t position = 0;
  CHECK(read_ebv(frame, position) == 0xFFFFFFFF);
  BitFrame too_large;
  for (int i = 0; i < 4; ++i) too_large.append(0xFF, 8);
  too_large.append(0x7F, 8);
  position = 0;
  CHECK_FALSE(read_ebv(too_large, position));
  BitFrame endless;
  endless.append(0x81, 8);
  position = 0;
  CHECK_FALSE(read_ebv(endless, position));
}

TEST_CASE("Select is encoded as the vector has it") {
  const Select select{.target = SelectTarget::kSl,
                      .action = 0b100,
                      .bank = Bank::kEpc,
                      .pointer = 0b00011011,
                      .mask = mask_of("01110001110"),
                      .truncate = true};
  const BitFrame frame = encode(select);
  CHECK(frame.size() == 56);
  CHECK(frame.read(0, 32) == 0b1010'100'100'01'00011011'00001011'0111);
  CHECK(frame.read(32, 24) == (0b0001110'1U << 16U | 0xBB01U));
  CHECK(decode_select(frame) == select);
}

TEST_CASE("a Select of any mask length and pointer survives encoding and decoding") {
  for (const std::uint32_t pointer : {0U, 32U, 127U, 128U, 5000U, 70000U}) {
    for (unsigned length = 0; length < 256; length += 17) {
      Select select{.target = SelectTarget::kS2, .action = 7, .bank = Bank::kUser};
      select.pointer = pointer;
      for (unsigned i = 0; i < length; ++i) select.mask.append(i % 3 == 0);
      const BitFrame frame = encode(select);
      CHECK(frame.size() == 45 + length + 8 * (ebv_blocks(pointer) - 1));
      CHECK(decode_select(frame) == select);
    }
  }
}

TEST_CASE("one flipped bit makes a Select invalid") {
  const Select select{.pointer = 32, .mask = mask_of("1010")};
  const BitFrame good = encode(select);
  for (unsigned flipped = 0; flipped < good.size(); ++flipped) {
    BitFrame bad;
    for (unsigned i = 0; i < good.size(); ++i) bad.append(good.bit(i) != (i == flipped), 1);
    CHECK_FALSE(decode_select(bad));
  }
}

TEST_CASE("a Select of a reserved target is none") {
  for (unsigned target = 0; target < 8; ++target) {
    BitFrame frame = encode(Select{.target = static_cast<SelectTarget>(target)});
    CHECK(decode_select(frame).has_value() == (target < kSelectTargets));
  }
}

TEST_CASE("the eight actions of Select are those of the table") {
  using enum FlagChange;
  constexpr FlagChange kTable[8][2] = {
      {kAssertOrA, kDeassertOrB}, {kAssertOrA, kNone},   {kNone, kDeassertOrB}, {kNegate, kNone},
      {kDeassertOrB, kAssertOrA}, {kDeassertOrB, kNone}, {kNone, kAssertOrA},   {kNone, kNegate}};
  for (unsigned action = 0; action < 8; ++action) {
    CHECK(flag_change(action, true) == kTable[action][0]);
    CHECK(flag_change(action, false) == kTable[action][1]);
  }
}
