#include "radio/mercury/access_command.h"

namespace singulate::radio::mercury {

namespace {

// Tag-specific commands say which kind of tag: any of Gen2.
constexpr std::uint8_t kAnyTag = 0x00;
constexpr std::uint8_t kWithSelects = 0x40;
constexpr std::uint16_t kBlockWrite = 0x00C7;
constexpr std::uint8_t kBlockErase = 0x00;

std::uint8_t selects_option(const SelectPart& part) {
  return static_cast<std::uint8_t>(kWithSelects | option_of(part));
}

// [88] option; true if the option was of the 88 form.
struct Option {
  bool multi = false;
  std::uint8_t bits = 0;
};

void write_option(ByteWriter& bytes, const SelectPart& part, std::uint8_t more = 0) {
  if (part.multi) bytes.u8(option::kMultiSelect);
  bytes.u8(static_cast<std::uint32_t>(option_of(part) | more));
}

Option read_option(ByteReader& bytes) {
  Option found{.bits = bytes.u8()};
  found.multi = found.bits == option::kMultiSelect;
  if (found.multi) found.bits = bytes.u8();
  return found;
}

template <typename Command>
std::optional<Command> whole(const ByteReader& bytes, Command command) {
  if (!bytes.ok() || !bytes.at_end()) return std::nullopt;
  return command;
}

std::vector<std::uint8_t> copy(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// The head of tag-specific commands: kind of tag, [88], option.
std::optional<Option> read_specific_head(ByteReader& bytes) {
  if (bytes.u8() != kAnyTag) return std::nullopt;
  Option found = read_option(bytes);
  if ((found.bits & kWithSelects) == 0) return std::nullopt;
  found.bits = static_cast<std::uint8_t>(found.bits & ~static_cast<unsigned>(kWithSelects));
  return found;
}

}  // namespace

std::vector<std::uint8_t> encode(const ReadCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms);
  write_option(bytes, command.select, command.metadata ? option::kMetadata : std::uint8_t{0});
  if (command.metadata) bytes.u16(*command.metadata);
  bytes.u8(command.bank).u32(command.word_address).u8(command.words);
  write_selects(bytes, command.select);
  return bytes.take();
}

std::optional<ReadCommand> decode_read(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  ReadCommand command{.timeout_ms = bytes.u16()};
  const Option found = read_option(bytes);
  if ((found.bits & option::kMetadata) != 0) command.metadata = bytes.u16();
  command.bank = bytes.u8();
  command.word_address = bytes.u32();
  command.words = bytes.u8();
  command.select = read_selects(bytes, found.multi, found.bits);
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const WriteCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms);
  write_option(bytes, command.select);
  bytes.u32(command.word_address).u8(command.bank);
  write_selects(bytes, command.select);
  return bytes.bytes(command.data).take();
}

std::optional<WriteCommand> decode_write(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  WriteCommand command{.timeout_ms = bytes.u16()};
  const Option found = read_option(bytes);
  command.word_address = bytes.u32();
  command.bank = bytes.u8();
  command.select = read_selects(bytes, found.multi, found.bits);
  command.data = copy(bytes.rest());
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const WriteEpcCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms);
  write_option(bytes, command.select);
  // Without a select a reserved byte stands in its place.
  if (command.select.selects.empty() && !command.select.access_password) bytes.u8(0);
  write_selects(bytes, command.select);
  return bytes.bytes(command.epc).take();
}

std::optional<WriteEpcCommand> decode_write_epc(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  WriteEpcCommand command{.timeout_ms = bytes.u16()};
  const Option found = read_option(bytes);
  if ((found.bits & option::kKind) == 0) bytes.u8();
  command.select = read_selects(bytes, found.multi, found.bits);
  command.epc = copy(bytes.rest());
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const LockCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms);
  write_option(bytes, command.select);
  bytes.u32(command.access_password).u16(command.mask).u16(command.action);
  write_selects(bytes, command.select, false);
  return bytes.take();
}

std::optional<LockCommand> decode_lock(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  LockCommand command{.timeout_ms = bytes.u16()};
  const Option found = read_option(bytes);
  command.access_password = bytes.u32();
  command.mask = bytes.u16();
  command.action = bytes.u16();
  command.select = read_selects(bytes, found.multi, found.bits, false);
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const KillCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms);
  write_option(bytes, command.select);
  bytes.u32(command.kill_password).u8(0);
  write_selects(bytes, command.select, false);
  return bytes.take();
}

std::optional<KillCommand> decode_kill(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  KillCommand command{.timeout_ms = bytes.u16()};
  const Option found = read_option(bytes);
  command.kill_password = bytes.u32();
  bytes.u8();
  command.select = read_selects(bytes, found.multi, found.bits, false);
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const BlockWriteCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms).u8(kAnyTag);
  if (command.select.multi) bytes.u8(option::kMultiSelect);
  bytes.u8(selects_option(command.select)).u16(kBlockWrite);
  write_selects(bytes, command.select);
  bytes.u8(0).u8(command.bank).u32(command.word_address);
  return bytes.u8(static_cast<std::uint32_t>(command.data.size() / 2)).bytes(command.data).take();
}

std::optional<BlockWriteCommand> decode_block_write(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  BlockWriteCommand command{.timeout_ms = bytes.u16()};
  const auto found = read_specific_head(bytes);
  if (!found || bytes.u16() != kBlockWrite) return std::nullopt;
  command.select = read_selects(bytes, found->multi, found->bits);
  bytes.u8();
  command.bank = bytes.u8();
  command.word_address = bytes.u32();
  const std::size_t words = bytes.u8();
  command.data = copy(bytes.take(words * 2));
  return whole(bytes, std::move(command));
}

std::vector<std::uint8_t> encode(const BlockEraseCommand& command) {
  ByteWriter bytes;
  bytes.u16(command.timeout_ms).u8(kAnyTag);
  if (command.select.multi) bytes.u8(option::kMultiSelect);
  bytes.u8(selects_option(command.select)).u8(kBlockErase);
  write_selects(bytes, command.select);
  return bytes.u32(command.word_address).u8(command.bank).u8(command.words).take();
}

std::optional<BlockEraseCommand> decode_block_erase(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  BlockEraseCommand command{.timeout_ms = bytes.u16()};
  const auto found = read_specific_head(bytes);
  if (!found || bytes.u8() != kBlockErase) return std::nullopt;
  command.select = read_selects(bytes, found->multi, found->bits);
  command.word_address = bytes.u32();
  command.bank = bytes.u8();
  command.words = bytes.u8();
  return whole(bytes, std::move(command));
}

}  // namespace singulate::radio::mercury
