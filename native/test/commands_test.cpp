#include "gen2/commands.h"

#include "gen2/replies.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::gen2;

TEST_CASE("a bit frame keeps what was appended, most significant bit first") {
  BitFrame frame;
  frame.append(0b101, 3);
  frame.append(0xABCD, 16);
  CHECK(frame.size() == 19);
  CHECK(frame.read(0, 3) == 0b101);
  CHECK(frame.read(3, 16) == 0xABCD);
  CHECK(frame.ones() == 2 + 10);
  CHECK(frame.read(17, 8) == 0b01'000000);  // zeros past the end
}

TEST_CASE("a bit frame holds the longest command and no more") {
  BitFrame frame;
  for (std::size_t i = 0; i < BitFrame::kCapacity / 32; ++i) frame.append(0xFFFFFFFF, 32);
  CHECK(frame.size() == BitFrame::kCapacity);
  frame.append(1, 1);
  CHECK(frame.size() == BitFrame::kCapacity);
}

TEST_CASE("Query is encoded as the vectors have it") {
  const Query query{.divide_ratio = DivideRatio::k8,
                    .coding = Coding::kMiller2,
                    .extended_preamble = true,
                    .select = SelectFilter::kNotSelected,
                    .session = Session::kS1,
                    .target = Target::kA,
                    .q = 3};
  const BitFrame frame = encode(query);
  CHECK(frame.size() == 22);
  CHECK(frame.read(0, 22) == 0b1000'0'01'1'10'01'0'0011'01000);
}

TEST_CASE("commands survive encoding and decoding") {
  for (unsigned session = 0; session < kSessions; ++session) {
    const auto s = static_cast<Session>(session);
    for (unsigned q = 0; q <= kMaxQ; ++q) {
      const Query query{.session = s, .target = Target::kB, .q = static_cast<std::uint8_t>(q)};
      CHECK(decode_query(encode(query)) == query);
    }
    CHECK(decode_query_rep(encode(QueryRep{s})) == QueryRep{s});
    for (const QChange change : {QChange::kSame, QChange::kUp, QChange::kDown}) {
      const QueryAdjust adjust{.session = s, .change = change};
      CHECK(decode_query_adjust(encode(adjust)) == adjust);
    }
  }
  CHECK(decode_ack(encode(Ack{0xBEEF})) == Ack{0xBEEF});
  CHECK(encode(Ack{0xBEEF}).size() == 18);
  CHECK(encode(QueryRep{Session::kS2}).read(0, 4) == 0b0010);
  CHECK(encode(QueryAdjust{Session::kS1, QChange::kUp}).read(0, 9) == 0b1001'01'110);
}

TEST_CASE("one flipped bit makes a Query invalid") {
  const BitFrame good = encode(Query{.q = 5});
  for (unsigned flipped = 0; flipped < 22; ++flipped) {
    BitFrame bad;
    bad.append(good.read(0, 22) ^ (1U << flipped), 22);
    CHECK_FALSE(decode_query(bad).has_value());
  }
}

TEST_CASE("decoders refuse frames of other lengths, codes and values") {
  BitFrame empty;
  CHECK_FALSE(decode_query(empty).has_value());
  CHECK_FALSE(decode_ack(encode(QueryRep{})).has_value());
  CHECK_FALSE(decode_query_rep(encode(Ack{})).has_value());
  CHECK_FALSE(decode_query_adjust(encode(Query{})).has_value());
  BitFrame reserved;
  reserved.append(0b1001'00'101, 9);
  CHECK_FALSE(decode_query_adjust(reserved).has_value());
}

TEST_CASE("an EPC reply carries PC, EPC and its CRC") {
  const std::array<std::uint8_t, 12> epc{0x30, 0x66, 0xC4, 0x40, 0x90, 0x47,
                                         0xE1, 0x40, 0x07, 0x5B, 0xCD, 0x15};
  const std::uint16_t pc = pc_for_epc_bytes(epc.size());
  CHECK(pc == 0x3000);
  const BitFrame frame = encode_epc_reply(pc, epc);
  CHECK(frame.size() == 128);
  CHECK(frame.size() == epc_reply_bits(epc.size()));
  const auto reply = decode_epc_reply(frame);
  REQUIRE(reply.has_value());
  CHECK(reply->pc == pc);
  CHECK(reply->epc_bytes == 12);
  CHECK(std::equal(epc.begin(), epc.end(), reply->epc.begin()));
  CHECK(reply->crc == frame.read(112, 16));
}

TEST_CASE("EPC replies of every length survive, broken ones do not") {
  std::array<std::uint8_t, kMaxEpcBytes> epc{};
  for (std::size_t i = 0; i < epc.size(); ++i) epc[i] = static_cast<std::uint8_t>(i * 7);
  for (std::size_t bytes = 0; bytes <= kMaxEpcBytes; bytes += 2) {
    const std::uint16_t pc = pc_for_epc_bytes(bytes);
    const auto reply = decode_epc_reply(encode_epc_reply(pc, {epc.data(), bytes}));
    REQUIRE(reply.has_value());
    CHECK(reply->epc_bytes == bytes);
  }
  // Right CRC, but the PC announces another length.
  CHECK_FALSE(decode_epc_reply(encode_epc_reply(0x3000, {epc.data(), 4})).has_value());
  const BitFrame good = encode_epc_reply(0x1000, {epc.data(), 4});
  BitFrame bad;
  bad.append(good.read(0, 32), 32);
  bad.append(good.read(32, 32) ^ 0x10000U, 32);
  CHECK_FALSE(decode_epc_reply(bad).has_value());
}
