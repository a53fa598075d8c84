#include "gen2/access.h"

#include <array>
#include <vector>

#include "gen2/any_command.h"
#include "gen2/replies.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

namespace {

constexpr std::uint16_t kHandle = 0x0BF8;

std::uint32_t last16(const BitFrame& frame) { return frame.read(frame.size() - 16, 16); }

WordList words(unsigned count) {
  WordList list{.count = static_cast<std::uint8_t>(count)};
  for (unsigned i = 0; i < count; ++i) list.words[i] = static_cast<std::uint16_t>(i * 0x1111);
  return list;
}

// Every access command with every kind of field filled.
std::vector<AnyCommand> some_commands() {
  return {
      ReqRn{.handle = 1},
      Read{.bank = Bank::kUser, .word_pointer = 300, .word_count = 255, .handle = 2},
      Write{.bank = Bank::kEpc, .word_pointer = 1, .covered_data = 0xFFFF, .handle = 3},
      Kill{.covered_half = 0x1234, .rfu = 5, .handle = 4},
      Lock{.payload = {.mask = 0x3FF, .action = 0x155}, .handle = 5},
      Access{.covered_half = 0xABCD, .handle = 6},
      BlockWrite{.word_pointer = 128, .data = words(255), .handle = 7},
      BlockWrite{.data = words(0), .handle = 7},
      BlockErase{.word_pointer = 2, .word_count = 4, .handle = 8},
      BlockPermalock{.block_pointer = 1, .block_range = 2, .handle = 9},
      BlockPermalock{.lock = true, .block_range = 3, .mask = words(3), .handle = 9},
      FileOpen{.file = 1023, .handle = 10},
      Untraceable{.untraceable = true,
                  .hide_epc = true,
                  .epc_length = 31,
                  .tid = TidVisibility::kHideAll,
                  .hide_user = true,
                  .range = RangeChange::kReduced,
                  .handle = 11},
      Nak{},
  };
}

}  // namespace

TEST_CASE("access commands are encoded as the vectors have them") {
  CHECK(last16(encode(ReqRn{.handle = 0x05FC})) == 0xF3C2);
  CHECK(last16(encode(ReqRn{.handle = kHandle})) == 0x9049);
  CHECK(last16(encode(Read{.bank = Bank::kReserved, .word_count = 2, .handle = kHandle})) ==
        0xAB8F);
  CHECK(last16(encode(Lock{.payload = {.mask = 0x300, .action = 0x300}, .handle = kHandle})) ==
        0x43D5);
  CHECK(last16(encode(Kill{.covered_half = 0xC4A7, .handle = kHandle})) == 0x6AAD);
  CHECK(last16(encode(Kill{.covered_half = 0x292C, .handle = kHandle})) == 0xECF6);
}

TEST_CASE("access commands have the lengths of the table") {
  CHECK(encode(Nak{}).size() == 8);
  CHECK(encode(ReqRn{}).size() == 40);
  CHECK(encode(Read{}).size() == 58);
  CHECK(encode(Read{.word_pointer = 128}).size() == 66);
  CHECK(encode(Write{}).size() == 66);
  CHECK(encode(Kill{}).size() == 59);
  CHECK(encode(Lock{}).size() == 60);
  CHECK(encode(Access{}).size() == 56);
  CHECK(encode(BlockWrite{.data = words(3)}).size() == 58 + 16 * 3);
  CHECK(encode(BlockErase{}).size() == 58);
  CHECK(encode(BlockPermalock{}).size() == 67);
  CHECK(encode(BlockPermalock{.lock = true, .block_range = 2, .mask = words(2)}).size() == 67 + 32);
  CHECK(encode(FileOpen{}).size() == 52);
  CHECK(encode(Untraceable{}).size() == 62);
}

TEST_CASE("every access command survives encoding and decoding") {
  for (const AnyCommand& command : some_commands()) {
    const auto decoded = decode_command(encode(command));
    REQUIRE(decoded.has_value());
    CHECK(*decoded == command);
  }
}

TEST_CASE("an access command with a flipped bit, a bit more or a bit less is none") {
  for (const AnyCommand& command : some_commands()) {
    const BitFrame good = encode(command);
    if (good.size() == 8) continue;  // NAK has no CRC
    for (unsigned flipped = 0; flipped < good.size(); flipped += 3) {
      BitFrame bad;
      for (unsigned i = 0; i < good.size(); ++i) bad.append(good.bit(i) != (i == flipped), 1);
      CHECK_FALSE(decode_command(bad).has_value());
    }
    BitFrame longer = good;
    longer.append(0, 1);
    CHECK_FALSE(decode_command(longer).has_value());
    BitFrame shorter;
    for (unsigned i = 0; i + 1 < good.size(); ++i) shorter.append(good.bit(i), 1);
    CHECK_FALSE(decode_command(shorter).has_value());
  }
}

TEST_CASE("cover coding is its own inverse") {
  CHECK(cover(cover(0x1234, 0xBEEF), 0xBEEF) == 0x1234);
  CHECK(cover(0x0000, 0xBEEF) == 0xBEEF);
}

TEST_CASE("replies have the lengths of the table and survive encoding and decoding") {
  CHECK(encode_rn16(7).size() == 16);
  CHECK(encode_handle_reply(7).size() == 32);
  CHECK(decode_handle_reply(encode_handle_reply(0xBEEF)) == 0xBEEF);
  CHECK(encode_done_reply(7).size() == 33);
  CHECK(encode_error_reply(TagError::kMemoryLocked, 7).size() == 41);

  const WordList list = words(6);
  const BitFrame read = encode_done_reply(kHandle, {list.words.data(), list.count});
  CHECK(read.size() == 33 + 16 * 6);
  const auto reply = decode_access_reply(read);
  REQUIRE(reply.has_value());
  CHECK_FALSE(reply->error.has_value());
  CHECK(reply->handle == kHandle);
  CHECK(reply->word_count == 6);
  CHECK(reply->words[5] == list.words[5]);

  const auto error = decode_access_reply(encode_error_reply(TagError::kMemoryOverrun, kHandle));
  REQUIRE(error.has_value());
  CHECK(error->error == TagError::kMemoryOverrun);
  CHECK(error->handle == kHandle);
}

TEST_CASE("the reply to ACK carries XPC_W1 when XI says so") {
  const std::array<std::uint8_t, 4> epc{0xDE, 0xAD, 0xBE, 0xEF};
  const std::array<std::uint16_t, 1> xpc{0x0104};
  const auto pc = static_cast<std::uint16_t>(pc_for_epc_bytes(4) | kPcXi);
  const BitFrame frame = encode_epc_reply(pc, epc, xpc);
  CHECK(frame.size() == 16 + 16 + 32 + 16);
  const auto reply = decode_epc_reply(frame);
  REQUIRE(reply.has_value());
  CHECK(reply->xpc_words == 1);
  CHECK(reply->xpc[0] == 0x0104);
  CHECK(reply->epc_bytes == 4);
  CHECK(reply->epc[3] == 0xEF);
}

TEST_CASE("a truncated reply is 00000, the rest of the EPC and the stored CRC") {
  const std::array<std::uint8_t, 4> epc{0xDE, 0xAD, 0xBE, 0xEF};
  const BitFrame frame = encode_truncated_reply(epc, 20, 0x1234);
  CHECK(frame.size() == 5 + 12 + 16);
  CHECK(frame.read(0, 5) == 0);
  CHECK(frame.read(5, 12) == 0xEEF);
  CHECK(last16(frame) == 0x1234);
  CHECK(encode_truncated_reply(epc, 32, 0x1234).size() == 5 + 16);
}
