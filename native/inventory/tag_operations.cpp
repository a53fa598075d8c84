#include "inventory/tag_operations.h"

#include <algorithm>

namespace singulate::inventory {

namespace {

using radio::AccessKind;
using radio::AccessOp;
using radio::AccessResult;
using radio::AccessStatus;

bool has_written(const AccessOp& op, const AccessResult& result) {
  const bool write = op.kind == AccessKind::kWrite || op.kind == AccessKind::kBlockWrite;
  return write && result.words_written > 0;
}

// The EPC of a tag whose bank was written: the next operation must find it by this one.
void write_into(std::vector<std::uint8_t>& epc, const AccessOp& op, std::size_t words) {
  constexpr std::size_t kPcWord = 1;
  constexpr std::size_t kFirstEpcWord = 2;
  constexpr unsigned kLengthShift = 11;
  for (std::size_t i = 0; i < words && i < op.words.size(); ++i) {
    const std::size_t at = op.word_pointer + i;
    const std::uint16_t word = op.words[i];
    if (at == kPcWord) epc.resize(2 * (static_cast<std::size_t>(word) >> kLengthShift));
    if (at < kFirstEpcWord || 2 * (at - kFirstEpcWord) + 1 >= epc.size()) continue;
    epc[2 * (at - kFirstEpcWord)] = static_cast<std::uint8_t>(word >> 8U);
    epc[2 * (at - kFirstEpcWord) + 1] = static_cast<std::uint8_t>(word & 0xFFU);
  }
}

// By what the tag is found.
struct Known {
  std::vector<std::uint8_t> epc;
  std::span<const gen2::Select> also;

  void follow(const AccessOp& op, const AccessResult& result) {
    if (!has_written(op, result)) return;
    if (op.bank == gen2::Bank::kEpc) write_into(epc, op, result.words_written);
    const bool touched = std::any_of(also.begin(), also.end(), [&](const gen2::Select& select) {
      return select.bank == op.bank;
    });
    if (touched) also = {};
  }
};

}  // namespace

radio::Status do_operations(radio::RadioModule& module, const TagOperations& list,
                            std::vector<std::uint8_t> epc,
                            std::vector<radio::AccessResult>& results) {
  const std::size_t done = results.size();
  Known known{.epc = std::move(epc), .also = list.also};
  std::uint32_t password = 0;
  bool answers = true;
  for (std::size_t i = 0; i < done; ++i) {
    answers = answers && results[i].status != AccessStatus::kNoReply;
    known.follow(list.operations[i], results[i]);
  }
  // The password that the round has given holds for what follows.
  if (done > 0 && list.operations.front().kind == AccessKind::kAccess) {
    password = list.operations.front().password;
  }
  // Passwords whose outcome the next operation tells.
  std::vector<std::size_t> open;
  for (std::size_t i = done; i < list.operations.size(); ++i) {
    const AccessOp& op = list.operations[i];
    results.push_back({.status = answers ? AccessStatus::kNoTime : AccessStatus::kSkipped});
    if (!answers) continue;
    if (op.kind == AccessKind::kAccess) {
      password = op.password;
      open.push_back(i);
      continue;
    }
    if (list.watch != nullptr && !list.watch->goes_on()) return {};
    auto result = module.access_tag({.antenna = list.antenna,
                                     .beam = list.beam,
                                     .epc = known.epc,
                                     .password = password,
                                     .op = &op,
                                     .deadline_ns = list.deadline_ns,
                                     .watch = list.watch,
                                     .also = known.also});
    if (!result.ok()) return result.error();
    results[i] = result.value();
    known.follow(op, result.value());
    const AccessStatus status = result.value().status;
    answers = status != AccessStatus::kNoReply;
    for (const std::size_t at : open) {
      results[at].status = status == AccessStatus::kNoReply || status == AccessStatus::kNoTime
                               ? status
                               : AccessStatus::kDone;
    }
    open.clear();
  }
  return {};
}

}  // namespace singulate::inventory
