#include "gen2/replies.h"

namespace singulate::gen2 {

namespace {

constexpr unsigned kHandleReplyBits = 32;
constexpr unsigned kDoneReplyBits = 33;
constexpr unsigned kErrorReplyBits = 41;
constexpr unsigned kTruncatedPrefixBits = 5;

}  // namespace

BitFrame encode_rn16(std::uint16_t rn16) {
  BitFrame frame;
  frame.append(rn16, kRn16Bits);
  return frame;
}

BitFrame encode_epc_reply(std::uint16_t pc, std::span<const std::uint8_t> epc,
                          std::span<const std::uint16_t> xpc) {
  BitFrame frame;
  frame.append(pc, 16);
  for (const std::uint16_t word : xpc) frame.append(word, 16);
  for (const std::uint8_t byte : epc) frame.append(byte, 8);
  append_crc16(frame);
  return frame;
}

std::optional<EpcReply> decode_epc_reply(const BitFrame& frame) {
  if (frame.size() < epc_reply_bits(0) || !has_valid_crc16(frame)) return std::nullopt;
  EpcReply reply;
  reply.pc = static_cast<std::uint16_t>(frame.read(0, 16));
  if ((reply.pc & kPcXi) != 0) {
    reply.xpc[0] = static_cast<std::uint16_t>(frame.read(16, 16));
    reply.xpc_words = 1;
    if ((reply.xpc[0] & kXpcXeb) != 0) {
      reply.xpc[1] = static_cast<std::uint16_t>(frame.read(32, 16));
      reply.xpc_words = 2;
    }
  }
  const std::size_t bytes = epc_bytes_of_pc(reply.pc);
  if (frame.size() != epc_reply_bits(bytes, reply.xpc_words)) return std::nullopt;
  reply.epc_bytes = static_cast<std::uint8_t>(bytes);
  const std::size_t first = 16 + 16 * std::size_t{reply.xpc_words};
  for (std::size_t i = 0; i < bytes; ++i) {
    reply.epc[i] = static_cast<std::uint8_t>(frame.read(first + 8 * i, 8));
  }
  reply.crc = static_cast<std::uint16_t>(frame.read(first + 8 * bytes, 16));
  return reply;
}

BitFrame encode_truncated_reply(std::span<const std::uint8_t> epc, unsigned first_bit,
                                std::uint16_t stored_crc) {
  BitFrame frame;
  frame.append(0, kTruncatedPrefixBits);
  for (std::size_t bit = first_bit; bit < epc.size() * 8; ++bit) {
    frame.append(static_cast<unsigned>(epc[bit / 8]) >> (7U - bit % 8U) & 1U, 1);
  }
  frame.append(stored_crc, 16);
  return frame;
}

BitFrame encode_handle_reply(std::uint16_t handle) {
  BitFrame frame;
  frame.append(handle, 16);
  append_crc16(frame);
  return frame;
}

std::optional<std::uint16_t> decode_handle_reply(const BitFrame& frame) {
  if (frame.size() != kHandleReplyBits || !has_valid_crc16(frame)) return std::nullopt;
  return static_cast<std::uint16_t>(frame.read(0, 16));
}

BitFrame encode_done_reply(std::uint16_t handle, std::span<const std::uint16_t> words) {
  BitFrame frame;
  frame.append(0, 1);
  for (const std::uint16_t word : words) frame.append(word, 16);
  frame.append(handle, 16);
  append_crc16(frame);
  return frame;
}

BitFrame encode_error_reply(TagError error, std::uint16_t handle) {
  BitFrame frame;
  frame.append(1, 1);
  frame.append(static_cast<std::uint32_t>(error), 8);
  frame.append(handle, 16);
  append_crc16(frame);
  return frame;
}

std::optional<AccessReply> decode_access_reply(const BitFrame& frame) {
  if (frame.size() < kDoneReplyBits || !has_valid_crc16(frame)) return std::nullopt;
  AccessReply reply;
  if (frame.bit(0)) {
    if (frame.size() != kErrorReplyBits) return std::nullopt;
    reply.error = static_cast<TagError>(frame.read(1, 8));
    reply.handle = static_cast<std::uint16_t>(frame.read(9, 16));
    return reply;
  }
  const std::size_t words = (frame.size() - kDoneReplyBits) / 16;
  if (frame.size() != kDoneReplyBits + words * 16 || words > reply.words.size()) {
    return std::nullopt;
  }
  reply.word_count = static_cast<std::uint8_t>(words);
  for (std::size_t i = 0; i < words; ++i) {
    reply.words[i] = static_cast<std::uint16_t>(frame.read(1 + 16 * i, 16));
  }
  reply.handle = static_cast<std::uint16_t>(frame.read(1 + 16 * words, 16));
  return reply;
}

}  // namespace singulate::gen2
