#include "emulator/mercury/bank_reads.h"

#include <algorithm>

#include "emulator/mercury/access_status.h"
#include "emulator/mercury/words.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::AccessKind;
using radio::AccessOp;
using radio::AccessResult;
using radio::AccessStatus;
using radio::mercury::ByteWriter;
using radio::mercury::ReadCommand;

namespace {

constexpr unsigned kBank = 0x03;
constexpr unsigned kBanks = 4;
// Of bank 0; those of the others follow.
constexpr unsigned kWholeBank = 0x04;

bool asks_for_banks(const ReadCommand& command) { return command.bank >= kWholeBank; }

// Where the tag did not answer, or was not asked any more: the code of an error of no kind.
std::uint8_t error_of(const AccessResult& result) {
  if (result.status == AccessStatus::kDone) return 0;
  const auto error =
      result.status == AccessStatus::kTagError ? result.error : gen2::TagError::kNonSpecific;
  const auto code = static_cast<std::uint8_t>(error);
  // A code of 0 would say that there is none.
  return code == 0 ? static_cast<std::uint8_t>(gen2::TagError::kNonSpecific) : code;
}

}  // namespace

std::vector<AccessOp> reads_of(const ReadCommand& command) {
  const unsigned first = command.bank & kBank;
  std::vector<AccessOp> reads{{.kind = AccessKind::kRead,
                               .bank = static_cast<gen2::Bank>(first),
                               .word_pointer = command.word_address,
                               .word_count = command.words}};
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    if ((command.bank & kWholeBank << bank) == 0 || bank == first) continue;
    reads.push_back({.kind = AccessKind::kRead, .bank = static_cast<gen2::Bank>(bank)});
  }
  return reads;
}

BankData data_of_reads(const ReadCommand& command, std::span<const AccessResult> results) {
  const auto is_done = [](const AccessResult& one) { return one.status == AccessStatus::kDone; };
  if (std::none_of(results.begin(), results.end(), is_done)) {
    return {.status = access_status(results)};
  }
  if (!asks_for_banks(command)) return {.data = bytes_of(results.front().words)};
  const auto reads = reads_of(command);
  ByteWriter writer;
  for (std::size_t i = 0; i < results.size() && i < reads.size(); ++i) {
    const auto bank = static_cast<unsigned>(reads[i].bank);
    writer.u8(bank << 4U | error_of(results[i]));
    writer.u8(static_cast<std::uint32_t>(results[i].words.size()));
    writer.bytes(bytes_of(results[i].words));
  }
  return {.data = writer.take()};
}

}  // namespace singulate::emulator::mercury
