// Arbitrary bytes in pieces through the frame parsers, and arbitrary data through all decoders of
// the Mercury protocol: nothing is read beyond its end, and no byte is lost from the accounts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "radio/mercury/access_command.h"
#include "radio/mercury/frame_parser.h"
#include "radio/mercury/report.h"
#include "radio/mercury/search.h"

namespace {

using namespace singulate::radio::mercury;
using Bytes = std::span<const std::uint8_t>;

void expect(bool truth) {
  if (!truth) std::abort();
}

// What decodes must decode to the same once it is encoded again.
template <typename Command>
void same_again(const std::optional<Command>& command, std::optional<Command> (*decode)(Bytes)) {
  if (!command) return;
  const auto bytes = encode(*command);
  const auto again = decode(bytes);
  expect(again.has_value());
  expect(encode(*again) == bytes);
}

void decode_all(Bytes data) {
  same_again(decode_read(data), &decode_read);
  same_again(decode_write(data), &decode_write);
  same_again(decode_write_epc(data), &decode_write_epc);
  same_again(decode_lock(data), &decode_lock);
  same_again(decode_kill(data), &decode_kill);
  same_again(decode_block_write(data), &decode_block_write);
  same_again(decode_block_erase(data), &decode_block_erase);
  (void)decode_search(data);
  (void)decode_continuous(data);
  (void)decode_search_reply(data);
}

void parse(Kind kind, Bytes data, std::size_t piece) {
  FrameParser parser(kind);
  std::uint64_t in_frames = 0;
  const auto take = [&] {
    while (const auto frame = parser.next()) {
      in_frames += frame->data.size() + (kind == Kind::kReply ? 7 : 5);
      decode_all(frame->data);
      for (const AntennaForm form : {AntennaForm::kNibbles, AntennaForm::kPlain}) {
        (void)read_report(*frame, form);
      }
    }
  };
  for (std::size_t at = 0; at < data.size(); at += piece) {
    const auto part = data.subspan(at, std::min(piece, data.size() - at));
    const auto room = parser.room();
    expect(room.size() >= part.size());
    std::copy(part.begin(), part.end(), room.begin());
    parser.added(part.size());
    take();
  }
  while (parser.give_up()) take();
  expect(in_frames + parser.counters().discarded_bytes == data.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t piece = 1 + data[0] % 200U;
  const Bytes rest{data + 1, size - 1};
  parse(Kind::kReply, rest, piece);
  parse(Kind::kCommand, rest, piece);
  decode_all(rest);
  // As the data of a frame that is right: chance seldom finds a CRC.
  const auto frame = encode_reply({.opcode = 0x22,
                                   .status = static_cast<std::uint16_t>((data[0] & 1U) * 0x0400),
                                   .data = rest.first(std::min(rest.size(), kMostReplyData))});
  parse(Kind::kReply, frame, piece);
  return 0;
}
