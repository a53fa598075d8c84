// Commands that work on the memory of one tag, alone or embedded in a search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radio/mercury/frame.h"
#include "radio/mercury/select_spec.h"
#include "radio/mercury/tag_record.h"

namespace singulate::radio::mercury {

// A module looks for the tag of a command for so long at most.
inline constexpr std::uint16_t kAccessTimeoutMs = 1000;

// Bank numbers of Gen2; higher bits of a read's bank byte ask for whole banks beside it.
struct ReadCommand {
  std::uint16_t timeout_ms = 0;
  std::optional<std::uint16_t> metadata{};
  std::uint8_t bank = 0;
  std::uint32_t word_address = 0;
  std::uint8_t words = 0;  // 0 = to the end of the bank
  SelectPart select{};
};

struct WriteCommand {
  std::uint16_t timeout_ms = 0;
  std::uint32_t word_address = 0;
  std::uint8_t bank = 0;
  SelectPart select{};
  std::vector<std::uint8_t> data{};
};

struct WriteEpcCommand {
  std::uint16_t timeout_ms = 0;
  SelectPart select{};
  std::vector<std::uint8_t> epc{};
};

// Mask and action are the ten-bit pairs of Gen2's Lock.
struct LockCommand {
  std::uint16_t timeout_ms = 0;
  std::uint32_t access_password = 0;
  std::uint16_t mask = 0;
  std::uint16_t action = 0;
  SelectPart select{};
};

struct KillCommand {
  std::uint16_t timeout_ms = 0;
  std::uint32_t kill_password = 0;
  SelectPart select{};
};

struct BlockWriteCommand {
  std::uint16_t timeout_ms = 0;
  std::uint8_t bank = 0;
  std::uint32_t word_address = 0;
  SelectPart select{};
  std::vector<std::uint8_t> data{};
};

struct BlockEraseCommand {
  std::uint16_t timeout_ms = 0;
  std::uint8_t bank = 0;
  std::uint32_t word_address = 0;
  std::uint8_t words = 0;
  SelectPart select{};
};

// Data of op 28, 24, 23, 25, 26, 2D, 2E.
std::vector<std::uint8_t> encode(const ReadCommand& command);
std::vector<std::uint8_t> encode(const WriteCommand& command);
std::vector<std::uint8_t> encode(const WriteEpcCommand& command);
std::vector<std::uint8_t> encode(const LockCommand& command);
std::vector<std::uint8_t> encode(const KillCommand& command);
std::vector<std::uint8_t> encode(const BlockWriteCommand& command);
std::vector<std::uint8_t> encode(const BlockEraseCommand& command);

// Nothing if the data cannot be such a command.
std::optional<ReadCommand> decode_read(std::span<const std::uint8_t> data);
std::optional<WriteCommand> decode_write(std::span<const std::uint8_t> data);
std::optional<WriteEpcCommand> decode_write_epc(std::span<const std::uint8_t> data);
std::optional<LockCommand> decode_lock(std::span<const std::uint8_t> data);
std::optional<KillCommand> decode_kill(std::span<const std::uint8_t> data);
std::optional<BlockWriteCommand> decode_block_write(std::span<const std::uint8_t> data);
std::optional<BlockEraseCommand> decode_block_erase(std::span<const std::uint8_t> data);

}  // namespace singulate::radio::mercury
