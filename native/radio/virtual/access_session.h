// The access operations of an interrogator on one tag: Req_RN, passwords, covered words,
// retries. It speaks through `Exchange`, so that air time and losses are the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gen2/any_command.h"
#include "gen2/bit_frame.h"
#include "radio/access_op.h"

namespace singulate::radio {

class AccessSession {
 public:
  // Sends a command and gives the tag's reply, or nothing if none was understood.
  using Exchange = std::function<std::optional<gen2::BitFrame>(const gen2::AnyCommand&)>;

  explicit AccessSession(Exchange exchange) : exchange_(std::move(exchange)) {}

  // The tag has just been acknowledged under `rn16`. One result an operation, in their order.
  std::vector<AccessResult> run(std::uint16_t rn16, std::span<const AccessOp> operations);

 private:
  AccessResult perform(const AccessOp& operation);
  AccessResult read(const AccessOp& operation);
  AccessResult write(const AccessOp& operation);
  // The two halves of a password. `half` makes the command for one.
  template <typename MakeHalf>
  AccessResult password(std::uint32_t password, bool done_at_end, MakeHalf half);
  // Sends a command until it is answered, a few times. Only for commands that may be repeated.
  std::optional<gen2::BitFrame> insist(const gen2::AnyCommand& command);
  // A new RN16 to cover a word with.
  std::optional<std::uint16_t> cover();
  // What the reply of an access command says; nothing: no reply, or not from this tag.
  [[nodiscard]] AccessResult outcome(const std::optional<gen2::BitFrame>& reply) const;

  Exchange exchange_;
  std::uint16_t handle_ = 0;
};

}  // namespace singulate::radio
