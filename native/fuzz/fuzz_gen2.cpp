// Arbitrary frames through the decoders: what decodes must encode to the same frame again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "gen2/any_command.h"
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
  if (size > 1) frame.append(data[size - 1], (data[0] & 0x0FU) % 9U);
  // A right CRC-16 is seldom hit by chance.
  if ((data[0] & 0x10U) != 0) append_crc16(frame);

  if (const auto command = decode_command(frame)) {
    // An EBV may have had leading zero blocks: then the frame gets shorter, once.
    const BitFrame again = encode(*command);
    expect(again == frame || again.size() < frame.size());
    expect(decode_command(again) == command);
  }
  if (const auto reply = decode_epc_reply(frame)) {
    expect(encode_epc_reply(reply->pc, {reply->epc.data(), reply->epc_bytes},
                            {reply->xpc.data(), reply->xpc_words}) == frame);
  }
  if (const auto handle = decode_handle_reply(frame)) expect(encode_handle_reply(*handle) == frame);
  if (const auto reply = decode_access_reply(frame)) {
    const BitFrame again =
        reply->error ? encode_error_reply(*reply->error, reply->handle)
                     : encode_done_reply(reply->handle, {reply->words.data(), reply->word_count});
    expect(again == frame);
  }
  return 0;
}
