#include <algorithm>
#include <random>
#include <vector>

#include "mercury_bytes.h"
#include "mercury_vectors.h"
#include "radio/mercury/frame_parser.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::radio::mercury;
using vectors::bytes_of;
using vectors::kVectors;
using Bytes = std::vector<std::uint8_t>;

namespace {

struct Kept {
  std::uint8_t opcode;
  std::uint16_t status;
  Bytes data;
};

// Feeds a parser in pieces of at most so many bytes.
std::vector<Kept> parse(FrameParser& parser, const Bytes& bytes, std::size_t piece) {
  std::vector<Kept> found;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::size_t count = std::min(piece, bytes.size() - at);
    const auto room = parser.room();
    REQUIRE(room.size() >= count);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, room.begin());
    parser.added(count);
    while (const auto frame = parser.next()) {
      found.push_back({frame->opcode, frame->status, {frame->data.begin(), frame->data.end()}});
    }
  }
  return found;
}

Kind kind_of(const vectors::Vector& vector) {
  return vector.from == '>' ? Kind::kCommand : Kind::kReply;
}

Bytes encode_kept(Kind kind, const Kept& kept) {
  return kind == Kind::kCommand
             ? encode_command(kept.opcode, kept.data)
             : encode_reply({.opcode = kept.opcode, .status = kept.status, .data = kept.data});
}

}  // namespace

TEST_CASE("every known frame is found, and made again to the same bytes") {
  for (const auto& vector : kVectors) {
    CAPTURE(vector.frame);
    const Bytes bytes = bytes_of(vector.frame);
    FrameParser parser(kind_of(vector));
    const auto found = parse(parser, bytes, bytes.size());
    REQUIRE(found.size() == 1);
    CHECK(encode_kept(kind_of(vector), found[0]) == bytes);
    CHECK(parser.counters().discarded_bytes == 0);
    CHECK(parser.counters().crc_errors == 0);
  }
}

TEST_CASE("frames are found however the bytes are cut, with anything between them") {
  std::mt19937 random(7);
  for (const Kind kind : {Kind::kCommand, Kind::kReply}) {
    for (const std::size_t piece : {1U, 2U, 7U, 64U, 200U}) {
      Bytes stream;
      std::vector<Bytes> sent;
      std::uint64_t garbage = 0;
      for (const auto& vector : kVectors) {
        if (kind_of(vector) != kind) continue;
        // Without FF: what looks like a start may hold a frame back until the line is quiet.
        for (auto n = random() % 9; n > 0; --n, ++garbage) {
          stream.push_back(static_cast<std::uint8_t>(random() % 255));
        }
        for (auto n = random() % 5; n > 0; --n, ++garbage) stream.push_back(kStartByte);
        sent.push_back(bytes_of(vector.frame));
        stream.insert(stream.end(), sent.back().begin(), sent.back().end());
      }
      FrameParser parser(kind);
      const auto found = parse(parser, stream, piece);
      REQUIRE(found.size() == sent.size());
      for (std::size_t i = 0; i < sent.size(); ++i) CHECK(encode_kept(kind, found[i]) == sent[i]);
      CHECK(parser.counters().frames == sent.size());
      CHECK(parser.counters().discarded_bytes == garbage);
    }
  }
}

TEST_CASE("a frame with a wrong bit is left out and counted, and the next one is found") {
  const Bytes good = bytes_of("ff 01 22 00 00 02 46 ba");
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    CAPTURE(bit);
    Bytes stream = good;
    stream[bit / 8] = static_cast<std::uint8_t>(stream[bit / 8] ^ (1U << (bit % 8)));
    stream.insert(stream.end(), good.begin(), good.end());
    FrameParser parser(Kind::kReply);
    auto found = parse(parser, stream, stream.size());
    // A wrong length holds the rest back until the line is quiet.
    while (parser.give_up()) {
      while (const auto frame = parser.next()) {
        found.push_back({frame->opcode, frame->status, {frame->data.begin(), frame->data.end()}});
      }
    }
    REQUIRE(found.size() == 1);
    CHECK(encode_kept(Kind::kReply, found[0]) == good);
    CHECK(parser.counters().discarded_bytes == good.size());
  }
}

TEST_CASE("a start without its frame is given up once the line is quiet") {
  FrameParser parser(Kind::kReply);
  CHECK_FALSE(parser.give_up());
  // The length says 30h: the whole frame after it is held back.
  CHECK(parse(parser, bytes_of("ff 30 22 ff 01 22 00 00 02 46 ba"), 3).empty());
  REQUIRE(parser.give_up());
  const auto frame = parser.next();
  REQUIRE(frame);
  CHECK(frame->opcode == 0x22);
  CHECK(parser.counters().discarded_bytes == 3);
}

TEST_CASE("without a CRC the length alone makes a frame") {
  FrameParser parser(Kind::kReply);
  parser.expect_crc(false);
  const auto found = parse(parser, bytes_of("ff 01 22 00 00 02 ff 00 63 00 00"), 4);
  REQUIRE(found.size() == 2);
  CHECK(found[0].data == Bytes{2});
  CHECK(found[1].opcode == 0x63);
}

TEST_CASE("bytes that nobody takes are bounded, and those that go are counted") {
  FrameParser parser(Kind::kReply);
  std::uint64_t added = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto room = parser.room();
    REQUIRE(room.size() >= 255);
    std::fill_n(room.begin(), 100, std::uint8_t{0x55});
    parser.added(100);
    added += 100;
  }
  CHECK_FALSE(parser.next());
  CHECK(parser.counters().discarded_bytes == added);
}
