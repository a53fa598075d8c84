#include "radio/virtual/access_session.h"

#include <utility>

namespace singulate::radio {

namespace {

// Times a command is sent before the tag counts as gone.
constexpr int kAttempts = 3;

bool gone(const AccessResult& result) { return result.status == AccessStatus::kNoReply; }

}  // namespace

std::vector<AccessResult> AccessSession::run(std::uint16_t rn16,
                                             std::span<const AccessOp> operations) {
  std::vector<AccessResult> results(operations.size());
  if (operations.empty()) return results;
  // Not repeated: once the tag has answered, its old RN16 means nothing to it any more.
  const auto reply = exchange_(gen2::ReqRn{rn16});
  const auto handle = reply ? gen2::decode_handle_reply(*reply) : std::nullopt;
  if (!handle) {
    results.front().status = AccessStatus::kNoReply;
    return results;
  }
  handle_ = *handle;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    results[i] = perform(operations[i]);
    if (gone(results[i])) break;
  }
  return results;
}

AccessResult AccessSession::perform(const AccessOp& operation) {
  switch (operation.kind) {
    case AccessKind::kRead:
      return read(operation);
    case AccessKind::kWrite:
      return write(operation);
    case AccessKind::kAccess:
      return password(operation.password, false, [this](std::uint16_t half) {
        return gen2::AnyCommand(gen2::Access{.covered_half = half, .handle = handle_});
      });
    case AccessKind::kKill:
      return password(operation.password, true, [this](std::uint16_t half) {
        return gen2::AnyCommand(gen2::Kill{.covered_half = half, .handle = handle_});
      });
    case AccessKind::kLock:
      return outcome(insist(gen2::Lock{.payload = operation.lock, .handle = handle_}));
    default: {
      gen2::BlockWrite command{
          .bank = operation.bank, .word_pointer = operation.word_pointer, .handle = handle_};
      for (const std::uint16_t word : operation.words) {
        command.data.words[command.data.count++] = word;
      }
      AccessResult result = outcome(insist(command));
      if (result.status == AccessStatus::kDone) result.words_written = command.data.count;
      return result;
    }
  }
}

std::optional<gen2::BitFrame> AccessSession::insist(const gen2::AnyCommand& command) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (auto reply = exchange_(command)) return reply;
  }
  return std::nullopt;
}

std::optional<std::uint16_t> AccessSession::cover() {
  const auto reply = insist(gen2::ReqRn{handle_});
  return reply ? gen2::decode_handle_reply(*reply) : std::nullopt;
}

AccessResult AccessSession::outcome(const std::optional<gen2::BitFrame>& reply) const {
  AccessResult result{.status = AccessStatus::kNoReply};
  if (!reply) return result;
  const auto decoded = gen2::decode_access_reply(*reply);
  if (!decoded || decoded->handle != handle_) return result;
  if (decoded->error) {
    result.status = AccessStatus::kTagError;
    result.error = *decoded->error;
    return result;
  }
  result.status = AccessStatus::kDone;
  result.words.assign(decoded->words.begin(), decoded->words.begin() + decoded->word_count);
  return result;
}

AccessResult AccessSession::read(const AccessOp& operation) {
  return outcome(insist(gen2::Read{.bank = operation.bank,
                                   .word_pointer = operation.word_pointer,
                                   .word_count = operation.word_count,
                                   .handle = handle_}));
}

AccessResult AccessSession::write(const AccessOp& operation) {
  AccessResult result{.status = AccessStatus::kDone};
  for (const std::uint16_t word : operation.words) {
    // Each attempt needs a new cover: an RN16 serves for one command.
    AccessResult one{.status = AccessStatus::kNoReply};
    for (int attempt = 0; attempt < kAttempts && gone(one); ++attempt) {
      const auto rn16 = cover();
      if (!rn16) break;
      one = outcome(
          exchange_(gen2::Write{.bank = operation.bank,
                                .word_pointer = operation.word_pointer + result.words_written,
                                .covered_data = gen2::cover(word, *rn16),
                                .handle = handle_}));
    }
    if (one.status != AccessStatus::kDone) {
      one.words_written = result.words_written;
      return one;
    }
    ++result.words_written;
  }
  return result;
}

template <typename MakeHalf>
AccessResult AccessSession::password(std::uint32_t password, bool done_at_end, MakeHalf half) {
  for (const bool second : {false, true}) {
    const auto word = static_cast<std::uint16_t>(second ? password & 0xFFFFU : password >> 16U);
    const auto rn16 = cover();
    if (!rn16) break;
    // Not repeated: the tag may have taken the half, and would take the next one for the other.
    const auto reply = exchange_(half(gen2::cover(word, *rn16)));
    if (!reply) break;
    // The last reply to Kill is that of a write.
    if (second && done_at_end) return outcome(reply);
    if (gen2::decode_handle_reply(*reply) != handle_) return outcome(reply);
    if (second) return {.status = AccessStatus::kDone};
  }
  return {.status = AccessStatus::kNoReply};
}

}  // namespace singulate::radio
