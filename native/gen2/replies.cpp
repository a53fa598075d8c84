#include "gen2/replies.h"

namespace singulate::gen2 {

BitFrame encode_rn16(std::uint16_t rn16) {
  BitFrame frame;
  frame.append(rn16, kRn16Bits);
  return frame;
}

BitFrame encode_epc_reply(std::uint16_t pc, std::span<const std::uint8_t> epc) {
  BitFrame frame;
  frame.append(pc, 16);
  for (const std::uint8_t byte : epc) frame.append(byte, 8);
  append_crc16(frame);
  return frame;
}

std::optional<EpcReply> decode_epc_reply(const BitFrame& frame) {
  if (frame.size() < epc_reply_bits(0) || !has_valid_crc16(frame)) return std::nullopt;
  EpcReply reply;
  reply.pc = static_cast<std::uint16_t>(frame.read(0, 16));
  const std::size_t bytes = epc_bytes_of_pc(reply.pc);
  if (frame.size() != epc_reply_bits(bytes)) return std::nullopt;
  reply.epc_bytes = static_cast<std::uint8_t>(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    reply.epc[i] = static_cast<std::uint8_t>(frame.read(16 + 8 * i, 8));
  }
  reply.crc = static_cast<std::uint16_t>(frame.read(16 + 8 * bytes, 16));
  return reply;
}

}  // namespace singulate::gen2
