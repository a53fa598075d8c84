// Arbitrary frames through the decoders: what decodes must encode to the same frame again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "gen2/commands.h"
#include "gen2/replies.h"

namespace {

using namespace singulate::gen2;

void expect(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  BitFrame frame;
  // The first byte decides how many bits of the last one belong to the frame.
  for (std::size_t i = 1; i + 1 < size; ++i) frame.append(data[i], 8);
  if (size > 1) frame.append(data[size - 1], data[0] % 9U);

  if (const auto query = decode_query(frame)) expect(encode(*query) == frame);
  if (const auto rep = decode_query_rep(frame)) expect(encode(*rep) == frame);
  if (const auto adjust = decode_query_adjust(frame)) expect(encode(*adjust) == frame);
  if (const auto ack = decode_ack(frame)) expect(encode(*ack) == frame);
  if (const auto reply = decode_epc_reply(frame)) {
    expect(encode_epc_reply(reply->pc, {reply->epc.data(), reply->epc_bytes}) == frame);
  }
  return 0;
}
