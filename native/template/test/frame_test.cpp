// Frames and messages over bytes alone.
#include "../frame.h"

#include "third_party/doctest/doctest.h"

namespace {

mymodule::Bytes joined(const mymodule::Bytes& a, const mymodule::Bytes& b) {
  mymodule::Bytes all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

TEST_CASE("frames of MyModule are found in bytes that are cut anywhere") {
  const mymodule::Bytes data{1, 2, 0xA5};
  const auto frame = mymodule::encode_frame(0x41, data);
  mymodule::FrameParser parser;
  for (int times = 0; times < 2; ++times) {
    for (std::size_t i = 0; i + 1 < frame.size(); ++i) {
      parser.add(std::span(frame).subspan(i, 1));
      REQUIRE_FALSE(parser.next());
    }
    parser.add(std::span(frame).last(1));
    const auto found = parser.next();
    REQUIRE(found);
    CHECK(found->code == 0x41);
    CHECK(found->data == data);
  }
  CHECK(parser.discarded_bytes() == 0);
}

TEST_CASE("what is no frame of MyModule is counted, and hides none") {
  const auto frame = mymodule::encode_frame(0x42, mymodule::Bytes{7});
  auto damaged = frame;
  damaged[3] ^= 1U;
  mymodule::FrameParser parser;
  parser.add(joined(joined({0, 0xA5, 0xFF}, damaged), frame));
  const auto found = parser.next();
  REQUIRE(found);
  CHECK(found->data == mymodule::Bytes{7});
  CHECK(parser.crc_errors() == 1);
  CHECK(parser.discarded_bytes() == 3 + damaged.size());
  CHECK_FALSE(parser.next());
  // A false start holds a frame back only until the line falls silent.
  parser.add(joined({0xA5, 90}, frame));
  CHECK_FALSE(parser.next());
  parser.give_up();
  CHECK(parser.next());
}

TEST_CASE("messages of MyModule that are cut short are none") {
  const mymodule::Start start{.antenna = 2, .session = 3, .target = 1, .q = 4, .ms = 300};
  const auto bytes = mymodule::encode(start);
  const auto back = mymodule::decode_start(bytes);
  REQUIRE(back);
  CHECK(back->ms == 300);
  CHECK(back->session == 3);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_FALSE(mymodule::decode_start(std::span(bytes).first(length)));
  }
  const mymodule::Bytes epc(12, 1);
  const auto tag = mymodule::encode(mymodule::Tag{.antenna = 1, .pc = 6U << 11U, .epc = epc});
  CHECK(mymodule::decode_tag(tag));
  for (std::size_t length = 0; length < tag.size(); ++length) {
    CHECK_FALSE(mymodule::decode_tag(std::span(tag).first(length)));
  }
  CHECK_FALSE(mymodule::decode_version(mymodule::Bytes{0, 0, 0, 0, 1}));
  CHECK_FALSE(mymodule::decode_end(mymodule::Bytes{3, 0, 0, 0, 0, 0, 0}));
}
