// The replies of a tag as bits (reference section 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gen2/bit_frame.h"
#include "gen2/memory.h"

namespace singulate::gen2 {

inline constexpr std::size_t kMaxEpcBytes = std::size_t{kMaxEpcWords} * 2;
inline constexpr unsigned kRn16Bits = 16;

// The PC word of an EPC of that many bytes (even, 0..62): its length in words, all else 0.
constexpr std::uint16_t pc_for_epc_bytes(std::size_t bytes) {
  return static_cast<std::uint16_t>((bytes / 2) << 11U);
}
// The bytes of EPC that a PC word announces.
constexpr std::size_t epc_bytes_of_pc(std::uint16_t pc) { return std::size_t{pc_words(pc)} * 2; }
// Bits of the reply to ACK: PC, XPC words, EPC, CRC-16.
constexpr unsigned epc_reply_bits(std::size_t epc_bytes, unsigned xpc_words = 0) {
  return 16U + xpc_words * 16U + static_cast<unsigned>(epc_bytes) * 8U + 16U;
}

// To Query, QueryRep and QueryAdjust. No CRC.
BitFrame encode_rn16(std::uint16_t rn16);

// To ACK. `epc` is what L announces; the XPC words are there with XI = 1 only.
struct EpcReply {
  std::uint16_t pc = 0;   // as backscattered
  std::uint16_t crc = 0;  // packet CRC
  std::uint8_t xpc_words = 0;
  std::array<std::uint16_t, 2> xpc{};
  std::uint8_t epc_bytes = 0;
  std::array<std::uint8_t, kMaxEpcBytes> epc{};
};
// `epc` must be as long as the PC announces.
BitFrame encode_epc_reply(std::uint16_t pc, std::span<const std::uint8_t> epc,
                          std::span<const std::uint16_t> xpc = {});
// Nothing if the CRC is wrong or the words announce another length.
std::optional<EpcReply> decode_epc_reply(const BitFrame& frame);

// To ACK if the tag was told to truncate: 00000, the EPC from `first_bit` on, and the stored CRC.
BitFrame encode_truncated_reply(std::span<const std::uint8_t> epc, unsigned first_bit,
                                std::uint16_t stored_crc);

// To Req_RN (a new RN16, or the handle) and to Access (the handle). 32 bits.
BitFrame encode_handle_reply(std::uint16_t handle);
std::optional<std::uint16_t> decode_handle_reply(const BitFrame& frame);

// Error codes that a tag answers with.
enum class TagError : std::uint8_t {
  kOther = 0x00,
  kNotSupported = 0x01,
  kInsufficientPrivileges = 0x02,
  kMemoryOverrun = 0x03,
  kMemoryLocked = 0x04,
  kCryptoSuite = 0x05,
  kNotEncapsulated = 0x06,
  kResponseBufferOverflow = 0x07,
  kSecurityTimeout = 0x08,
  kInsufficientPower = 0x0B,
  kNonSpecific = 0x0F,
};

// To an access command: done, with words if any were asked for (33 bits + 16 a word), or an
// error (41 bits).
BitFrame encode_done_reply(std::uint16_t handle, std::span<const std::uint16_t> words = {});
BitFrame encode_error_reply(TagError error, std::uint16_t handle);

struct AccessReply {
  std::optional<TagError> error{};  // then no words
  std::uint16_t handle = 0;
  std::uint8_t word_count = 0;
  std::array<std::uint16_t, 255> words{};
};
// Nothing if the CRC is wrong or the length is not that of such a reply.
std::optional<AccessReply> decode_access_reply(const BitFrame& frame);

}  // namespace singulate::gen2
