// Any command of the air: what a tag makes of a frame.
#pragma once

#include <optional>
#include <variant>

#include "gen2/access.h"
#include "gen2/commands.h"
#include "gen2/select.h"

namespace singulate::gen2 {

using AnyCommand =
    std::variant<Query, QueryRep, QueryAdjust, Ack, Nak, Select, ReqRn, Read, Write, Kill, Lock,
                 Access, BlockWrite, BlockErase, BlockPermalock, FileOpen, Untraceable>;

// Nothing for a frame that a tag ignores: unknown code, wrong length, wrong CRC.
std::optional<AnyCommand> decode_command(const BitFrame& frame);

// True for the write class: the reply may come up to 20 ms late (reference section 4). Of Kill
// that is the second half.
bool reply_is_delayed(const AnyCommand& command);

inline BitFrame encode(const AnyCommand& command) {
  return std::visit([](const auto& one) { return encode(one); }, command);
}

}  // namespace singulate::gen2
