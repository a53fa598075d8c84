#include "radio/virtual/longest_steps.h"

#include <algorithm>
#include <variant>

namespace singulate::radio {

namespace {

constexpr unsigned kQueryBits = 22;
constexpr std::uint16_t kLongestRn16 = 0xFFFF;
// Of a reply to an access command: its header, RN16 and CRC-16, without words read.
constexpr unsigned kReplyBits = 1 + 16 + 16;
constexpr unsigned kBitsPerWord = 16;
// Of a command that carries at most one word.
constexpr unsigned kCommandBits = 100;

gen2::Picoseconds reading(const gen2::LinkTiming& link, std::size_t words, std::size_t bank_words) {
  const std::size_t most = words == 0 ? bank_words : words;
  return link.listen(kReplyBits + static_cast<unsigned>(most) * kBitsPerWord);
}

}  // namespace

gen2::Picoseconds longest_slot(const SlotTimes& times, std::size_t epc_bytes) {
  const gen2::Picoseconds query =
      times.link().command_time(kQueryBits, kQueryBits) + times.link().trcal();
  const gen2::Picoseconds end = times.nak() + times.query_rep() + 2 * times.silence();
  return query + times.rn16() + longest_ack(times, epc_bytes) + end;
}

gen2::Picoseconds longest_selects(const gen2::LinkTiming& link, const SelectList& selects) {
  gen2::Picoseconds sum = selects.delay_us * gen2::kPicosecondsPerUs;
  for (const gen2::Select& select : selects.selects) {
    sum += link.command_time(gen2::encode(select)) + link.t4();
  }
  return sum;
}

gen2::Picoseconds longest_ack(const SlotTimes& times, std::size_t epc_bytes) {
  return times.ack(kLongestRn16) + times.epc(epc_bytes) + times.after_epc(epc_bytes);
}

gen2::Picoseconds longest_exchange(const gen2::LinkTiming& link, const gen2::AnyCommand& command,
                                   std::size_t bank_words) {
  const gen2::Picoseconds sent = link.command_time(gen2::encode(command));
  if (gen2::reply_is_delayed(command)) {
    return sent + link.listen_delayed(kReplyBits, gen2::LinkTiming::kLongestWrite);
  }
  const auto* read = std::get_if<gen2::Read>(&command);
  return sent + (read == nullptr ? link.listen(2 * kReplyBits)
                                 : reading(link, read->word_count, bank_words));
}

gen2::Picoseconds longest_access(const gen2::LinkTiming& link, std::span<const AccessOp> operations,
                                 std::size_t bank_words) {
  const gen2::Picoseconds command = link.command_time(kCommandBits, kCommandBits);
  const gen2::Picoseconds plain = command + link.listen(2 * kReplyBits);
  const gen2::Picoseconds write =
      command + link.listen_delayed(kReplyBits, gen2::LinkTiming::kLongestWrite);
  gen2::Picoseconds sum = plain;  // Req_RN
  for (const AccessOp& operation : operations) {
    if (operation.kind == AccessKind::kRead) {
      sum += command + reading(link, operation.word_count, bank_words);
    } else {
      // A password takes two halves; each of them, and each word, a Req_RN to cover it.
      const auto steps = std::max<gen2::Picoseconds>(2, operation.words.size());
      sum += steps * (plain + write);
    }
  }
  return sum;
}

}  // namespace singulate::radio
