#include "gen2/lock.h"

#include "gen2/memory.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

namespace {

constexpr LockField kFields[] = {LockField::kKillPassword, LockField::kAccessPassword,
                                 LockField::kEpc, LockField::kTid, LockField::kUser};
constexpr LockState kStates[] = {LockState::kOpen, LockState::kOpenForEver, LockState::kSecured,
                                 LockState::kNever};

}  // namespace

TEST_CASE("the pairs of a lock payload stand in the order kill, access, EPC, TID, USER") {
  CHECK(lock_bits(LockField::kKillPassword, LockState::kNever) == 0b11'00'00'00'00);
  CHECK(lock_bits(LockField::kUser, LockState::kSecured) == 0b00'00'00'00'10);
  // The example of the standard: C0300h permalocks the kill password.
  CHECK(lock_state(0xC0300 & kLockBits, LockField::kKillPassword) == LockState::kNever);
}

TEST_CASE("what is open, secured or never holds for every state") {
  CHECK(allows(LockState::kOpen, false));
  CHECK(allows(LockState::kOpenForEver, false));
  CHECK_FALSE(allows(LockState::kSecured, false));
  CHECK(allows(LockState::kSecured, true));
  CHECK_FALSE(allows(LockState::kNever, true));
}

TEST_CASE("a payload changes the bits of its mask alone") {
  for (const LockField field : kFields) {
    for (const LockState state : kStates) {
      const LockPayload payload{.mask = lock_bits(field, LockState::kNever),
                                .action = lock_bits(field, state)};
      const auto after = apply_lock(0, payload);
      REQUIRE(after.has_value());
      for (const LockField other : kFields) {
        CHECK(lock_state(*after, other) == (other == field ? state : LockState::kOpen));
      }
    }
  }
}

TEST_CASE("a permalocked field refuses every change, and then nothing changes") {
  for (const LockField field : kFields) {
    for (const LockState before : kStates) {
      for (const LockState wanted : kStates) {
        const std::uint16_t bits = lock_bits(field, before);
        const LockField other = field == LockField::kUser ? LockField::kEpc : LockField::kUser;
        const LockPayload payload{
            .mask = static_cast<std::uint16_t>(lock_bits(field, LockState::kNever) |
                                               lock_bits(other, LockState::kNever)),
            .action = static_cast<std::uint16_t>(lock_bits(field, wanted) |
                                                 lock_bits(other, LockState::kSecured))};
        const bool permanent = before == LockState::kOpenForEver || before == LockState::kNever;
        CHECK(apply_lock(bits, payload).has_value() == (!permanent || before == wanted));
      }
    }
  }
}

TEST_CASE("XI is the OR of the high byte of XPC_W1, with T set of all of it") {
  CHECK_FALSE(xi_of(0x3000, 0x0004));
  CHECK(xi_of(0x3000, 0x0100));
  CHECK(xi_of(0x3000 | kPcToggle, 0x0004));
  CHECK_FALSE(xi_of(0x3000 | kPcToggle, 0));
}

TEST_CASE("without XI the low byte of XPC_W1 takes the place of that of the PC") {
  CHECK(packet_pc(0x30AB, 0x000C) == 0x300C);
  // With XI the PC is sent as it is, and XPC_W1 follows.
  CHECK(packet_pc(0x30AB, 0x010C) == (0x30AB | kPcXi));
  // With T the low byte is an AFI and stays.
  CHECK(packet_pc(0x31AB, 0x0000) == 0x31AB);
  CHECK(packet_pc(0x31AB, 0x000C) == (0x31AB | kPcXi));
}
