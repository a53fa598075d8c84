// Access to the memory of a singulated tag: what to do, and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gen2/lock.h"
#include "gen2/memory.h"
#include "gen2/replies.h"

namespace singulate::radio {

enum class AccessKind : std::uint8_t {
  kRead = 0,
  kWrite = 1,   // word by word
  kAccess = 2,  // gives the access password: the tag goes to secured
  kLock = 3,
  kKill = 4,
  kBlockWrite = 5,
};

// Done on each singulated tag, in the order of the list, before it is reported.
struct AccessOp {
  AccessKind kind = AccessKind::kRead;
  gen2::Bank bank = gen2::Bank::kTid;
  std::uint32_t word_pointer = 0;
  std::uint8_t word_count = 0;         // read: words, 0 = to the end of the bank
  std::vector<std::uint16_t> words{};  // write and block write: 1..255 of them
  std::uint32_t password = 0;          // access and kill
  gen2::LockPayload lock{};

  friend bool operator==(const AccessOp&, const AccessOp&) = default;
};

enum class AccessStatus : std::uint8_t {
  kDone = 0,
  kTagError = 1,  // the tag refused: AccessResult::error says why
  kNoReply = 2,   // the tag has left, did not understand, or fell silent over a wrong password
  kSkipped = 3,   // not tried: the tag did not answer before
  kNoTime = 4,    // not done, or cut short: the time on the antenna or on the channel was over
};

// Of one operation, in the order of the list.
struct AccessResult {
  AccessStatus status = AccessStatus::kSkipped;
  gen2::TagError error = gen2::TagError::kOther;  // with kTagError
  std::uint8_t words_written = 0;                 // of a write that failed midway: what is there
  std::vector<std::uint16_t> words{};             // what was read

  friend bool operator==(const AccessResult&, const AccessResult&) = default;
};

}  // namespace singulate::radio
