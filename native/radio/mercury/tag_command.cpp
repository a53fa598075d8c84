#include "radio/mercury/tag_command.h"

#include "radio/mercury/access_command.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/round_search.h"
#include "radio/tag_select.h"

namespace singulate::radio::mercury {

namespace {

// Without these fields in front of the data hosts reject the reply of a read.
constexpr std::uint16_t kReadFields = metadata::kProtocol | metadata::kData;

SelectPart part_for(const TagAccess& access, bool multi) {
  SelectPart part{.multi = multi};
  if (access.password != 0) part.access_password = access.password;
  if (!multi) {
    // The plain form compares the EPC from its first bit, with one select.
    SelectSpec spec{.kind = SelectKind::kEpc};
    spec.mask.assign(access.epc.begin(), access.epc.end());
    spec.bit_length = static_cast<std::uint16_t>(access.epc.size() * 8);
    part.selects.push_back(std::move(spec));
    return part;
  }
  for (const gen2::Select& select : selects_for_tag(access.epc, access.also, kMostSelects)) {
    if (auto spec = spec_of(select)) part.selects.push_back(*std::move(spec));
  }
  return part;
}

// The data after the head of a read's reply.
std::span<const std::uint8_t> read_data(std::span<const std::uint8_t> reply) {
  ByteReader bytes(reply);
  std::uint8_t option = bytes.u8();
  if (option == option::kMultiSelect) option = bytes.u8();
  if ((option & option::kMetadata) != 0) {
    const std::uint16_t fields = bytes.u16();
    if ((fields & metadata::kRssi) != 0) bytes.u8();
    if ((fields & metadata::kProtocol) != 0) bytes.u8();
    if ((fields & metadata::kData) != 0) bytes.u16();
  }
  if (!bytes.ok()) return {};
  return bytes.take(bytes.left());
}

}  // namespace

Result<TagCommand> tag_command(const TagAccess& access, std::uint16_t timeout_ms, bool multi) {
  const AccessOp& op = *access.op;
  const SelectPart part = part_for(access, multi);
  const auto bank = static_cast<std::uint8_t>(op.bank);
  switch (op.kind) {
    case AccessKind::kRead:
      return TagCommand{.opcode = op::kReadData,
                        .data = encode(ReadCommand{.timeout_ms = timeout_ms,
                                                   .metadata = kReadFields,
                                                   .bank = bank,
                                                   .word_address = op.word_pointer,
                                                   .words = op.word_count,
                                                   .select = part})};
    case AccessKind::kWrite:
      return TagCommand{.opcode = op::kWriteData,
                        .data = encode(WriteCommand{.timeout_ms = timeout_ms,
                                                    .word_address = op.word_pointer,
                                                    .bank = bank,
                                                    .select = part,
                                                    .data = bytes_of_words(op.words)})};
    case AccessKind::kLock: {
      LockCommand lock{.timeout_ms = timeout_ms,
                       .access_password = access.password,
                       .mask = op.lock.mask,
                       .action = op.lock.action,
                       .select = part};
      lock.select.access_password.reset();
      return TagCommand{.opcode = op::kLock, .data = encode(lock)};
    }
    case AccessKind::kKill: {
      KillCommand kill{.timeout_ms = timeout_ms, .kill_password = op.password, .select = part};
      kill.select.access_password.reset();
      return TagCommand{.opcode = op::kKill, .data = encode(kill)};
    }
    case AccessKind::kBlockWrite:
      return TagCommand{.opcode = op::kTagSpecific,
                        .data = encode(BlockWriteCommand{.timeout_ms = timeout_ms,
                                                         .bank = bank,
                                                         .word_address = op.word_pointer,
                                                         .select = part,
                                                         .data = bytes_of_words(op.words)})};
    case AccessKind::kAccess:
      break;
  }
  return Error{.code = ErrorCode::kNotSupported,
               .message = "an access password with no operation after it"};
}

AccessResult tag_command_result(const TagAccess& access, std::uint16_t status,
                                std::span<const std::uint8_t> data) {
  const bool read = access.op->kind == AccessKind::kRead;
  return access_result(*access.op, status,
                       read ? read_data(data) : std::span<const std::uint8_t>{});
}

}  // namespace singulate::radio::mercury
