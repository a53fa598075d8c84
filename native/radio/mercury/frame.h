// Frames of the Mercury serial protocol: host to module FF LEN OP DATA CRC, module to host
// FF LEN OP STATUS DATA CRC. Integers are big-endian; LEN counts DATA alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace singulate::radio::mercury {

inline constexpr std::uint8_t kStartByte = 0xFF;
// Most bytes of DATA.
inline constexpr std::size_t kMostCommandData = 250;
inline constexpr std::size_t kMostReplyData = 248;

// A command, or with a status a reply. Its data lives as long as the bytes it was read from.
struct Frame {
  std::uint8_t opcode = 0;
  std::uint16_t status = 0;  // of a reply; 0 = success
  std::span<const std::uint8_t> data{};
};

enum class Kind : std::uint8_t { kCommand, kReply };

// The bytes of a frame. data must not be longer than kMostCommandData or kMostReplyData.
std::vector<std::uint8_t> encode_command(std::uint8_t opcode, std::span<const std::uint8_t> data);
// with_crc: a module on USB may have been told to leave the CRC out.
std::vector<std::uint8_t> encode_reply(const Frame& frame, bool with_crc = true);

}  // namespace singulate::radio::mercury
