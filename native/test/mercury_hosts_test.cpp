// What hosts of other people send to a module, and the answers they need.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mercury_bytes.h"
#include "module_bench.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/report.h"
#include "radio/mercury/silion.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::radio::mercury;
using radio::mercury::vectors::bytes_of;
using test::ModuleBench;
using test::ModuleReply;
using Bytes = std::vector<std::uint8_t>;

namespace {

// Two antennas, tags with a TID of their own and USER memory.
radio::VirtualOptions rich_field(std::size_t tags = 3) {
  auto field = singulate::test::field_of(tags);
  auto second = field.antennas.front();
  second.port = 2;
  field.antennas.push_back(second);
  for (std::size_t i = 0; i < tags; ++i) {
    auto& tag = field.groups[0].tags[i];
    tag.tid = bytes_of("e2 80 11 60 20 00 60 11 00 00 00 00");
    tag.tid[11] = static_cast<std::uint8_t>(i);
    tag.user = bytes_of("11 22 33 44");
  }
  field.models[0].user_words = 4;
  return field;
}

// Records of the buffer; data are copied, as they end with the answer.
struct Tag {
  TagRecord record;
  Bytes epc;
  Bytes data;
};
std::vector<Tag> buffer_of(ModuleBench& bench, AntennaForm form) {
  std::vector<Tag> tags;
  for (;;) {
    const auto buffer = bench.ask(op::kGetBuffer, "0f ff 00");
    REQUIRE(buffer.status == 0);
    ByteReader reader(buffer.data);
    const std::uint16_t fields = reader.u16();
    reader.u8();
    const unsigned count = reader.u8();
    if (count == 0) return tags;
    for (unsigned i = 0; i < count; ++i) {
      const auto tag = read_tag_record(reader, fields, form);
      REQUIRE(tag);
      tags.push_back(
          {*tag, {tag->epc.begin(), tag->epc.end()}, {tag->data.begin(), tag->data.end()}});
    }
  }
}

// The next frame that is no report of a tag.
ModuleReply next_but_tags(ModuleBench& bench) {
  for (int frames = 0; frames < 20'000; ++frames) {
    auto reply = bench.next();
    const auto report = read_report(
        {.opcode = reply.opcode, .status = reply.status, .data = reply.data}, AntennaForm::kPlain);
    if (reply.opcode != op::kSearch || !std::holds_alternative<TagRecord>(report)) return reply;
  }
  return {};
}

}  // namespace

TEST_CASE("one byte sets the antenna of single commands on an M7e, two do on an M6e") {
  const char* read_tid = "03 e8 88 10 00 c2 02 00 00 00 00 06";
  {
    ModuleBench bench("m7e", rich_field());
    CHECK(bench.ask("ff 01 91 01 4d bc").status == 0);
    CHECK(bench.ask(op::kGetAntennas, "00").data == bytes_of("01 01"));
    CHECK(bench.ask(op::kReadData, read_tid).status == 0);
    // An antenna of its own, whatever is searched.
    CHECK(bench.ask("ff 02 91 82 01 f3 3b").status == 0);
    CHECK(bench.ask(op::kSetAntennas, "02").status == 0);
    const auto read = bench.ask(op::kReadData, read_tid);
    REQUIRE(read.status == 0);
    CHECK(bench.ask(op::kGetAntennas, "02").data == bytes_of("02 01 01"));
    CHECK(bench.ask(op::kSetAntennas, "03").status == 0);
    CHECK(bench.ask(op::kReadData, read_tid).status == status::kNoAntenna);
    CHECK(bench.ask(op::kSetAntennas, "05").status == status::kBadParameter);
  }
  ModuleBench bench("m6e", rich_field());
  CHECK(bench.ask("ff 02 91 01 01 70 3b").status == 0);
  CHECK(bench.ask("ff 01 91 01 4d bc").status == status::kDataCount);
}

TEST_CASE("statistics are told, per port too, and begin again from zero") {
  ModuleBench bench("nano", rich_field());
  CHECK(bench.ask("ff 03 6c 01 9f 41 89 7b").data.empty());
  CHECK(bench.ask(op::kSearch, "00 00 03 00 c8").status == 0);
  // Time with RF on: port and milliseconds.
  const auto rf_on = bench.ask("ff 02 6c 02 0b 4d 83");
  REQUIRE(rf_on.status == 0);
  REQUIRE(rf_on.data.size() == 4 + 4 * 5);
  CHECK(Bytes(rf_on.data.begin(), rf_on.data.begin() + 4) == bytes_of("02 01 01 14"));
  ByteReader rows(std::span(rf_on.data).subspan(4));
  CHECK(rows.u8() == 1);
  const std::uint32_t on_ms = rows.u32();
  CHECK(on_ms >= 150);
  CHECK(on_ms <= 200);
  CHECK(bench.ask("ff 02 6c 02 00 4d 88").data == bytes_of("02 00"));
  const auto all = bench.ask("ff 03 6c 02 9f 41 b9 18");
  CHECK(all.status == 0);
  // Frequency, temperature, antenna, protocol, connected antennas.
  const std::string_view rest =
      "81 00 03 0d f7 32 82 00 01 1d 84 00 02 01 01 88 00 01 05 90 00 08 01 01 02 01 03 00 04 00";
  const Bytes tail = bytes_of(rest);
  REQUIRE(all.data.size() > tail.size());
  CHECK(Bytes(all.data.end() - static_cast<std::ptrdiff_t>(tail.size()), all.data.end()) == tail);
  CHECK(bench.ask("ff 03 6c 01 9f 41 89 7b").status == 0);
  const auto none = bench.ask("ff 02 6c 02 0b 4d 83");
  CHECK(none.data ==
        bytes_of("02 01 01 14 01 00 00 00 00 02 00 00 00 00 03 00 00 00 00 04 00 00 00 00"));
  // An M7e tells its temperature only.
  ModuleBench m7e("m7e");
  CHECK(m7e.ask("ff 03 6c 02 9f 41 b9 18").data == bytes_of("02 82 00 82 00 01 1d"));
  CHECK(m7e.ask(op::kGetStatistics, "07 01").status == status::kBadParameter);
  CHECK(m7e.ask(op::kGetStatistics, "02").status == status::kDataCount);
}

TEST_CASE("a bank byte that asks for whole banks is answered bank by bank") {
  ModuleBench bench("m6e", rich_field(1));
  const auto search =
      bench.ask("ff 13 22 10 00 17 01 2c 0f ff 01 09 28 07 d0 00 12 00 00 00 00 00 29 06");
  REQUIRE(search.status == 0);
  const auto tags = buffer_of(bench, AntennaForm::kNibbles);
  REQUIRE(tags.size() == 1);
  CHECK(tags[0].data == bytes_of("20 06 e2 80 11 60 20 00 60 11 00 00 00 00"));
  // Alone: all four banks, beginning with the one that the low bits name.
  const auto read = bench.ask(
      op::kReadData,
      "03 e8 11 00 c0 3f 00 00 00 00 00 00 00 00 00 60 30 00 00 00 00 00 00 00 00 00 00 00");
  REQUIRE(read.status == 0);
  ByteReader reader(read.data);
  CHECK(reader.take(6).size() == 6);
  std::vector<unsigned> banks;
  while (!reader.at_end()) {
    const std::uint8_t head = reader.u8();
    CHECK((head & 0x0FU) == 0);
    banks.push_back(head >> 4U);
    const std::uint8_t words = reader.u8();
    const auto data = reader.take(std::size_t{words} * 2);
    CHECK(words > 0);
    if (head >> 4U == 3) CHECK(Bytes(data.begin(), data.begin() + 4) == bytes_of("11 22 33 44"));
  }
  CHECK(reader.ok());
  CHECK(banks == std::vector<unsigned>{3, 0, 1, 2});
}

TEST_CASE("a bank that a tag does not have is an error among the others") {
  auto field = rich_field(1);
  field.groups[0].tags[0].user.clear();
  field.models[0].user_words = 0;
  ModuleBench bench("m6e", field);
  const auto read = bench.ask(op::kReadData, "03 e8 10 00 c0 32 00 00 00 00 00");
  REQUIRE(read.status == 0);
  // TID, then USER with a code and without words.
  const Bytes tail(read.data.end() - 2, read.data.end());
  CHECK((tail[0] & 0xF0U) == 0x30);
  CHECK((tail[0] & 0xFU) != 0);
  CHECK(tail[1] == 0);
  // Alone it is the status of the whole.
  CHECK(bench.ask(op::kReadData, "03 e8 10 00 c0 23 00 00 00 00 00").status != 0);
}

TEST_CASE("a stream without room for its records ends with 0601, and another start is taken") {
  ModuleBench bench("m7e", singulate::test::field_of(20),
                    {.line_paced = false, .waits_for_line = true});
  const char* start = "ff 13 2f 00 00 01 22 00 00 05 0a 22 88 10 04 1b 00 fa 00 00 0f ff 29 0c";
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    bench.send(start);
    CHECK(bench.next().opcode == op::kContinuous);
    REQUIRE(bench.module().inject("buffer-overflow"));
    ModuleReply reply;
    do {
      reply = next_but_tags(bench);
    } while (reply.status == status::kNoTags);
    CHECK(reply.opcode == op::kSearch);
    CHECK(reply.status == status::kBufferFull);
    CHECK(reply.data.empty());
    // It is over: other commands are taken, with or without a stop.
    CHECK(bench.ask("ff 02 91 82 01 f3 3b").status == 0);
    if (i == 1) CHECK(bench.ask("ff 03 2f 00 00 02 5e 86").data == Bytes{2});
  }
  CHECK(bench.module().counters().lost_records == 3);
}

TEST_CASE("powers per port have rows of five, of seven, or of one kind") {
  ModuleBench bench("m6e");
  CHECK(bench.ask(op::kSetAntennas, "03 01 07 d0 0b b8").status == 0);
  CHECK(bench.ask(op::kGetAntennas, "03").data ==
        bytes_of("03 01 07 d0 0b b8 02 0c 4e 0c 4e 03 0c 4e 0c 4e 04 0c 4e 0c 4e"));
  CHECK(bench.ask("ff 01 61 04 bd b9").data ==
        bytes_of(
            "04 01 07 d0 0b b8 00 00 02 0c 4e 0c 4e 00 00 03 0c 4e 0c 4e 00 00 04 0c 4e 0c 4e 00 "
            "00"));
  // All of four ports, as a host sets what it got.
  CHECK(bench
            .ask(op::kSetAntennas,
                 "04 01 07 d0 0c 4e 00 64 02 08 00 0c 4e 00 00 03 07 d0 0c 4e 00 00 04 07 d0 0c 4e "
                 "00 00")
            .status == 0);
  CHECK(bench.ask(op::kSetAntennas, "04 01 07 d0 0c 4e 01 2c").status == 0);
  CHECK(bench.ask(op::kGetAntennas, "04 01").data ==
        bytes_of("04 01 01 07 d0 02 08 00 03 07 d0 04 07 d0"));
  CHECK(bench.ask(op::kGetAntennas, "04 02").data ==
        bytes_of("04 02 01 0c 4e 02 0c 4e 03 0c 4e 04 0c 4e"));
  CHECK(bench.ask(op::kGetAntennas, "04 03").data ==
        bytes_of("04 03 01 01 2c 02 00 00 03 00 00 04 00 00"));
  CHECK(bench.ask("ff 08 91 04 01 01 0b b8 02 09 c4 4f 97").status == 0);
  CHECK(bench.ask(op::kGetAntennas, "04 01").data ==
        bytes_of("04 01 01 0b b8 02 09 c4 03 07 d0 04 07 d0"));
  CHECK(bench.ask(op::kSetAntennas, "04 03 02 00 c8").status == 0);
  CHECK(bench.ask(op::kGetAntennas, "04 03").data ==
        bytes_of("04 03 01 01 2c 02 00 c8 03 00 00 04 00 00"));
  CHECK(bench.ask(op::kGetAntennas, "04 04").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetAntennas, "04 01 7f ff 0c 4e 00 00").status == status::kPowerTooHigh);
}

TEST_CASE("an on-cycle that was started in the old form ends with an empty frame") {
  const auto end_of = [](std::string_view start, const char* profile) {
    ModuleBench bench(profile, singulate::test::field_of(3),
                      {.line_paced = false, .waits_for_line = true});
    bench.send(start);
    CHECK(bench.next().status == 0);
    return next_but_tags(bench);
  };
  const auto old = end_of("ff 10 2f 00 00 01 22 00 00 05 07 22 10 00 1b 03 e8 01 ff dd 2b", "nano");
  CHECK(old.opcode == op::kSearch);
  CHECK(old.status == status::kNoTags);
  CHECK(old.data.empty());
  const auto now =
      end_of("ff 13 2f 00 00 01 22 00 00 05 0a 22 88 10 04 1b 00 fa 00 00 0f ff 29 0c", "m7e");
  CHECK(now.status == status::kNoTags);
  CHECK(now.data.size() == 11);
}

TEST_CASE("a stream that shall return after some tags does, and waits for its stop") {
  ModuleBench bench("m7e", singulate::test::field_of(20),
                    {.line_paced = false, .waits_for_line = true});
  bench.send(
      "ff 1b 2f 00 00 01 22 00 40 00 00 00 05 05 0e 22 88 10 04 5b 00 fa 00 00 2f ff 00 00 00 05 "
      "33 "
      "0c");
  CHECK(bench.next().data == bytes_of("01 22"));
  for (int i = 0; i < 5; ++i) CHECK(bench.next().data.size() > 7);
  const auto last = bench.next();
  CHECK(last.opcode == op::kSearch);
  CHECK(last.status == 0);
  CHECK(last.data == bytes_of("88 10 04 5b 0b ff 00"));
  CHECK(bench.ask("ff 03 2f 00 00 02 5e 86").data == Bytes{2});
}

TEST_CASE("what hosts get has the size that they take it for") {
  ModuleBench bench("m7e");
  // Filter timeout; initial Q, limits of Q, reply timeout of writes.
  CHECK(bench.ask(op::kGetReaderKey, "01 0d").data == bytes_of("01 0d 00 00 00 00"));
  CHECK(bench.ask(op::kGetProtocolKey, "05 16").data == bytes_of("05 16 00 00"));
  CHECK(bench.ask(op::kGetProtocolKey, "05 1b").data.size() == 2 + 4);
  CHECK(bench.ask(op::kGetProtocolKey, "05 3f").data.size() >= 2 + 2);
  CHECK(bench.ask(op::kGetProtocolKey, "05 15").data.size() == 2 + 4);
}

TEST_CASE("an M7e tells the link values of its RF mode, and takes them back") {
  ModuleBench bench("m7e");
  const auto all = [&] {
    Bytes values;
    for (const char* key : {"05 02", "05 10", "05 11"}) {
      const auto got = bench.ask(op::kGetProtocolKey, key);
      REQUIRE(got.data.size() == 3);
      values.push_back(got.data[2]);
    }
    return values;
  };
  CHECK(all() == bytes_of("02 00 00"));  // M4, 250 kHz, 25 us
  CHECK(bench.ask(op::kSetProtocolKey, "05 02 02").status == 0);
  CHECK(bench.ask(op::kSetProtocolKey, "05 10 00").status == 0);
  CHECK(bench.ask(op::kSetProtocolKey, "05 02 00").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetProtocolKey, "05 18 01 2e").status == 0);  // 302: FM0, 640 kHz
  CHECK(all() == bytes_of("00 04 02"));
  CHECK(bench.ask(op::kSetProtocolKey, "05 02 02").status == status::kBadParameter);
  // What has no number among them is not told.
  CHECK(bench.ask(op::kSetProtocolKey, "05 18 01 1d").status == 0);  // 285: M8, 160 kHz
  CHECK(bench.ask(op::kGetProtocolKey, "05 02").status == status::kBadParameter);
  ModuleBench m6e("m6e");
  CHECK(m6e.ask(op::kGetProtocolKey, "05 18").status == status::kBadParameter);
}

TEST_CASE("pins tell their direction, regions their settings, and a test signal is taken") {
  ModuleBench bench("m6e");
  CHECK(bench.ask("ff 01 96 01 4a bc").data == bytes_of("01 00"));
  CHECK(bench.ask(op::kSetOutputs, "01 01 01 00").status == 0);
  CHECK(bench.ask("ff 01 96 01 4a bc").data == bytes_of("01 01"));
  CHECK(bench.ask(op::kSetOutputs, "05").status == status::kBadParameter);
  CHECK(bench.ask("ff 02 67 01 40 ff a3").data == bytes_of("01 01 40 00"));
  CHECK(bench.ask(op::kSetRegion, "01 ff 40 01").status == 0);
  CHECK(bench.ask(op::kSetRegion, "01 ff 43 01 90").status == 0);
  CHECK(bench.ask("ff 02 67 01 40 ff a3").data == bytes_of("01 ff 40 01"));
  CHECK(bench.ask(op::kGetRegion, "01 41").data == bytes_of("01 ff 41 b8"));
  CHECK(bench.ask(op::kGetRegion, "01 43").data == bytes_of("01 ff 43 01 90"));
  CHECK(bench.ask(op::kGetRegion, "01 44").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetRegion, "01 ff 43 01").status == status::kDataCount);
  CHECK(bench.ask(op::kSetHopTable, "02 00 00 00 64").status == 0);
  CHECK(bench.ask(op::kGetHopTable, "02").data == bytes_of("02 00 00 00 64"));
  CHECK(bench.ask(op::kGetHopTable, "03").data.size() == 5);
  CHECK(bench.ask(op::kGetHopTable, "04").status == status::kBadParameter);
  CHECK(bench.ask("ff 01 61 00 bd bd").data == bytes_of("01 01"));
  CHECK(bench.ask(op::kTestSignal, "01 00 00 00 64 00 64").status == 0);
  CHECK(bench.ask(op::kTestSignal, "00").status == 0);
  CHECK(bench.ask(op::kTestSignal, "07").status == status::kBadParameter);
}

TEST_CASE("a select may cut replies short, and may be by the length of the EPC alone") {
  auto field = singulate::test::field_of(4);
  field.groups[0].tags[3].epc.resize(8);
  ModuleBench bench("m7e", field);
  // From the first bit of the EPC.
  const auto cut =
      bench.ask(op::kSearch, "88 17 00 13 01 2c 0f ff 00 00 00 00 00 00 00 20 10 30 00 04 00 00");
  REQUIRE(cut.status == 0);
  CHECK(cut.data.back() == 4);
  for (const Tag& tag : buffer_of(bench, AntennaForm::kPlain)) CHECK(tag.epc.size() <= 10);
  // 64 bits; without a password before it.
  const auto by_length = bench.ask(op::kSearch, "88 16 00 13 01 2c 0f ff 00 40 04 00 00");
  REQUIRE(by_length.status == 0);
  CHECK(by_length.data.back() == 1);
  const auto tags = buffer_of(bench, AntennaForm::kPlain);
  REQUIRE(tags.size() == 1);
  CHECK(tags[0].epc.size() == 8);
}

TEST_CASE("the serial number stands after its length, which is the fourth byte") {
  for (const char* profile : {"m7e", "m6e", "nano"}) {
    CAPTURE(profile);
    ModuleBench bench(profile);
    const auto number = bench.ask("ff 02 10 00 40 f0 d3");
    REQUIRE(number.status == 0);
    REQUIRE(number.data.size() > 4);
    CHECK(number.data[3] == number.data.size() - 4);
    CHECK(std::string(number.data.begin() + 4, number.data.end()) == "EMULATED0001");
  }
}

TEST_CASE("a Silion tells year and number in both programs, and its antenna pair") {
  ModuleBench bench("silion");
  CHECK(bench.ask("ff 02 10 00 00 f0 93").data.size() == 12);
  CHECK(bench.ask("ff 00 04 1d 0b").status == 0);
  CHECK(bench.ask("ff 02 10 00 00 f0 93").data.size() == 12);
  CHECK(bench.ask("ff 01 61 00 bd bd").data == bytes_of("01 01"));
}

TEST_CASE("a Silion reports the length of a tag's reply in bytes; in bits it is understood too") {
  ModuleBench bench("silion", rich_field(1));
  bench.ask("ff 00 04 1d 0b");
  SearchRequest search;
  search.metadata = metadata::kReadCount | metadata::kRssi | metadata::kAntenna;
  search.select.multi = false;
  bench.send(encode_command(op::kSilion, encode_silion_start(search)));
  bench.next();
  const auto reply = bench.next();
  REQUIRE(reply.opcode == op::kSilion);
  // Fields, count, RSSI, antenna; then 2 + 12 + 2 bytes.
  REQUIRE(reply.data.size() == 2 + 3 + 1 + 16);
  CHECK(reply.data[5] == 16);
  const auto tag_of = [](const Bytes& data) {
    return read_silion_report({.opcode = op::kSilion, .status = 0, .data = data});
  };
  const auto in_bytes = tag_of(reply.data);
  REQUIRE(std::holds_alternative<TagRecord>(in_bytes));
  // As the vendor's document has it: two bytes, in bits.
  Bytes other(reply.data.begin(), reply.data.begin() + 5);
  other.insert(other.end(), {0x00, 0x80});
  other.insert(other.end(), reply.data.begin() + 6, reply.data.end());
  const auto in_bits = tag_of(other);
  REQUIRE(std::holds_alternative<TagRecord>(in_bits));
  CHECK(std::ranges::equal(std::get<TagRecord>(in_bits).epc, std::get<TagRecord>(in_bytes).epc));
  CHECK(std::get<TagRecord>(in_bits).crc == std::get<TagRecord>(in_bytes).crc);
  // One that fits neither is no tag.
  other.push_back(0);
  CHECK(std::holds_alternative<Unreadable>(tag_of(other)));
}
