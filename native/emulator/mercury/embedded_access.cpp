#include "emulator/mercury/embedded_access.h"

#include "emulator/mercury/access_status.h"
#include "emulator/mercury/bank_reads.h"
#include "emulator/mercury/words.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::AccessKind;
namespace op = radio::mercury::op;

std::optional<EmbeddedAccess> EmbeddedAccess::of(const radio::mercury::EmbeddedOp& embedded,
                                                 const radio::mercury::SelectPart& select) {
  EmbeddedAccess access;
  const std::uint32_t password = select.access_password.value_or(0);
  access.with_password_ = password != 0;
  auto& operations = access.operations_;
  if (password != 0) operations.push_back({.kind = AccessKind::kAccess, .password = password});
  switch (embedded.opcode) {
    case op::kReadData: {
      access.read_ = radio::mercury::decode_read(embedded.data);
      if (!access.read_) return std::nullopt;
      const auto reads = reads_of(*access.read_);
      operations.insert(operations.end(), reads.begin(), reads.end());
      return access;
    }
    case op::kWriteData: {
      const auto command = radio::mercury::decode_write(embedded.data);
      if (!command || command->data.empty()) return std::nullopt;
      operations.push_back({.kind = AccessKind::kWrite,
                            .bank = static_cast<gen2::Bank>(command->bank & 3U),
                            .word_pointer = command->word_address,
                            .words = words_of(command->data)});
      return access;
    }
    default:
      return std::nullopt;
  }
}

EmbeddedAccess::Outcome EmbeddedAccess::outcome(
    std::span<const radio::AccessResult> results) const {
  const std::uint16_t whole = access_status(results);
  if (!read_) return {.status = whole};
  BankData read = data_of_reads(*read_, results.subspan(with_password_ ? 1 : 0));
  // Where nothing was read the first failure counts, which may be that of the password.
  if (read.status != radio::mercury::status::kSuccess) return {.status = whole};
  return {.data = std::move(read.data)};
}

}  // namespace singulate::emulator::mercury
