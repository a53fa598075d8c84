// Lock payloads and what they do (reference section 8.3). Ten bits, two for each field in the
// order kill password, access password, EPC, TID, USER: pwd (write, for passwords also read),
// then permalock.
#pragma once

#include <cstdint>
#include <optional>

namespace singulate::gen2 {

enum class LockField : std::uint8_t { kKillPassword, kAccessPassword, kEpc, kTid, kUser };
inline constexpr unsigned kLockFields = 5;

// The two bits of a field.
enum class LockState : std::uint8_t {
  kOpen = 0b00,         // from open and secured
  kOpenForEver = 0b01,  // from open and secured, and that never changes
  kSecured = 0b10,      // only from secured
  kNever = 0b11,        // never, and that never changes
};

inline constexpr std::uint16_t kLockBits = 0x03FF;

constexpr unsigned lock_shift(LockField field) {
  return 2 * (kLockFields - 1 - static_cast<unsigned>(field));
}
constexpr LockState lock_state(std::uint16_t bits, LockField field) {
  return static_cast<LockState>((static_cast<unsigned>(bits) >> lock_shift(field)) & 0b11U);
}
constexpr std::uint16_t lock_bits(LockField field, LockState state) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(state) << lock_shift(field));
}
constexpr bool allows(LockState state, bool secured) {
  return state == LockState::kOpen || state == LockState::kOpenForEver ||
         (state == LockState::kSecured && secured);
}

// The 20 bits of a Lock command: which bits to change, and to what.
struct LockPayload {
  std::uint16_t mask = 0;    // ten bits
  std::uint16_t action = 0;  // ten bits

  friend bool operator==(const LockPayload&, const LockPayload&) = default;
};

// The lock bits after the payload; nothing if it would change a bit of a permalocked field
// (then nothing at all changes).
constexpr std::optional<std::uint16_t> apply_lock(std::uint16_t bits, LockPayload payload) {
  const unsigned mask = payload.mask & kLockBits;
  const unsigned after = (bits & ~mask) | (payload.action & mask);
  for (unsigned field = 0; field < kLockFields; ++field) {
    const unsigned pair = 0b11U << lock_shift(static_cast<LockField>(field));
    const unsigned permalock = 0b01U << lock_shift(static_cast<LockField>(field));
    if ((bits & permalock) != 0 && ((bits ^ after) & pair) != 0) return std::nullopt;
  }
  return static_cast<std::uint16_t>(after);
}

}  // namespace singulate::gen2
