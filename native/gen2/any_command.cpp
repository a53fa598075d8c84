#include "gen2/any_command.h"

namespace singulate::gen2 {

namespace {

// The codes are prefix-free: at most one decoder can accept a frame.
template <typename... Decoders>
std::optional<AnyCommand> first_of(const BitFrame& frame, Decoders... decoders) {
  std::optional<AnyCommand> found;
  const auto attempt = [&](auto decode) {
    if (auto command = decode(frame)) found = std::move(*command);
    return found.has_value();
  };
  (void)(attempt(decoders) || ...);
  return found;
}

}  // namespace

std::optional<AnyCommand> decode_command(const BitFrame& frame) {
  // The first two bits tell the commands of the inventory from those that follow them.
  if (frame.read(0, 2) != 0b11) {
    return first_of(frame, decode_query_rep, decode_ack, decode_query, decode_query_adjust,
                    decode_select);
  }
  return first_of(frame, decode_nak, decode_req_rn, decode_read, decode_write, decode_kill,
                  decode_lock, decode_access, decode_block_write, decode_block_erase,
                  decode_block_permalock, decode_file_open, decode_untraceable);
}

bool reply_is_delayed(const AnyCommand& command) {
  if (const auto* permalock = std::get_if<BlockPermalock>(&command)) return permalock->lock;
  return std::holds_alternative<Write>(command) || std::holds_alternative<Kill>(command) ||
         std::holds_alternative<Lock>(command) || std::holds_alternative<BlockWrite>(command) ||
         std::holds_alternative<BlockErase>(command) ||
         std::holds_alternative<Untraceable>(command);
}

}  // namespace singulate::gen2
