#include <set>
#include <string>
#include <vector>

#include "mercury_bytes.h"
#include "mercury_vectors.h"
#include "radio/mercury/access_command.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/frame_parser.h"
#include "radio/mercury/report.h"
#include "radio/mercury/search.h"
#include "radio/mercury/silion.h"
#include "third_party/doctest/doctest.h"

using namespace singulate::radio::mercury;
using vectors::bytes_of;
using vectors::kVectors;
using Bytes = std::vector<std::uint8_t>;

namespace {

// Data of a frame, without head and CRC.
Bytes data_of(std::string_view text, Kind kind) {
  const Bytes bytes = bytes_of(text);
  return {bytes.begin() + (kind == Kind::kReply ? 5 : 3), bytes.end() - 2};
}

Report report_of(std::string_view text, AntennaForm form = AntennaForm::kPlain) {
  // A record points into its bytes.
  static std::vector<Bytes> kept;
  kept.push_back(bytes_of(text));
  const Bytes& bytes = kept.back();
  const auto status = static_cast<std::uint16_t>(bytes[3] << 8U | bytes[4]);
  return read_report(
      {.opcode = bytes[2], .status = status, .data = std::span(bytes).subspan(5, bytes.size() - 7)},
      form);
}

Bytes copy(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// What a command says is read and written again; nothing: it cannot be read.
std::optional<Bytes> again(std::uint8_t opcode, std::span<const std::uint8_t> data) {
  const auto same = [](const auto& command) -> std::optional<Bytes> {
    if (!command) return std::nullopt;
    return encode(*command);
  };
  switch (opcode) {
    case op::kReadData:
      return same(decode_read(data));
    case op::kWriteData:
      return same(decode_write(data));
    case op::kWriteEpc:
      return same(decode_write_epc(data));
    case op::kLock:
      return same(decode_lock(data));
    case op::kKill:
      return same(decode_kill(data));
    case op::kTagSpecific:
      return same(decode_block_write(data));
    case op::kBlockErase:
      return same(decode_block_erase(data));
    case op::kSearch: {
      const auto search = decode_search(data);
      if (!search) return std::nullopt;
      return encode_search(*search);
    }
    case op::kContinuous: {
      const auto request = decode_continuous(data);
      if (!request) return std::nullopt;
      if (request->search) return encode_stream_start(*request->search);
      if (request->action == ContinuousRequest::Action::kCommand) {
        return encode_within_stream(request->opcode, request->command_data);
      }
      return copy(kStreamStop);
    }
    default:
      return copy(data);
  }
}

}  // namespace

TEST_CASE("every command of real hosts is understood, and written again to the same bytes") {
  // Forms of old hosts that leave out what others send; they are read, but never written.
  const std::set<std::string_view> short_forms{"ff 04 22 00 01 03 e8 3f 8e",
                                               "ff 02 22 01 f4 e7 76"};
  for (const auto& vector : kVectors) {
    if (vector.from != '>') continue;
    CAPTURE(vector.frame);
    const Bytes data = data_of(vector.frame, Kind::kCommand);
    const auto written = again(bytes_of(vector.frame)[2], data);
    REQUIRE(written);
    if (!short_forms.contains(vector.frame)) CHECK(*written == data);
  }
}

TEST_CASE("searches say what they ask for") {
  SUBCASE("with three selects") {
    const auto search = decode_search(data_of(
        "ff 2a 22 88 14 00 13 01 2c 2f ff 00 00 00 00 00 00 00 20 10 e2 80 04 00 02 00 00 00 08 10 "
        "11 60 04 01 0b 00 00 00 00 0c ab c0 02 05 00 54 60",
        Kind::kCommand));
    REQUIRE(search);
    CHECK(search->flags == 0x0013);
    CHECK(search->timeout_ms == 300);
    CHECK(search->metadata == 0x2FFF);
    REQUIRE(search->select.selects.size() == 3);
    const auto& first = search->select.selects[0];
    const auto& second = search->select.selects[1];
    const auto& third = search->select.selects[2];
    CHECK(first.kind == SelectKind::kEpcBank);
    CHECK(first.bit_pointer == 0x20);
    CHECK(first.bit_length == 16);
    CHECK(first.mask == Bytes{0xE2, 0x80});
    CHECK(first.target == 4);
    CHECK(second.kind == SelectKind::kTid);
    CHECK(second.action == 1);
    CHECK(third.kind == SelectKind::kUser);
    CHECK(third.invert);
    CHECK(third.target == 2);
    CHECK(third.action == 5);
  }
  SUBCASE("with an embedded read of the TID") {
    const auto search = decode_search(
        data_of("ff 14 22 88 10 00 17 01 2c 2f ff 01 09 28 07 d0 00 02 00 00 00 00 04 d4 e3",
                Kind::kCommand));
    REQUIRE(search);
    REQUIRE(search->embedded);
    CHECK(search->embedded->opcode == op::kReadData);
  }
  SUBCASE("the shortest is a time alone") {
    const auto search = decode_search(data_of("ff 02 22 01 f4 e7 76", Kind::kCommand));
    REQUIRE(search);
    CHECK(search->timeout_ms == 500);
    CHECK_FALSE(search->metadata);
  }
}

TEST_CASE("a streamed tag of a real module is read") {
  const auto report = report_of(
      "ff 28 22 00 00 10 00 1b 01 ff 01 01 c4 11 0e 16 40 00 00 01 27 00 00 05 00 00 0f 00 80 30 "
      "00 "
      "00 00 00 00 00 00 00 00 00 00 15 45 e9 4a 56 1d",
      AntennaForm::kNibbles);
  const auto* const tag = std::get_if<TagRecord>(&report);
  REQUIRE(tag != nullptr);
  CHECK(tag->read_count == 1);
  CHECK(tag->rssi_dbm == -60);
  CHECK(tag->antenna == 1);
  CHECK(tag->frequency_khz == 923'200);
  CHECK(tag->time_ms == 295);
  CHECK(tag->phase_degrees == 0);
  CHECK(tag->protocol == kGen2);
  CHECK(tag->gpio == 0x0F);
  CHECK(tag->pc == 0x3000);
  CHECK(tag->epc.size() == 12);
  CHECK(tag->epc[10] == 0x15);
  CHECK(tag->epc[11] == 0x45);
  CHECK(tag->crc == 0xE94A);
}

TEST_CASE("a streamed tag of an M7e is read, with and without data of its embedded access") {
  const auto plain = report_of(
      "ff 2c 22 00 00 88 10 04 1b 0f ff 01 01 d7 01 0d e9 86 00 00 00 00 00 90 05 00 00 00 04 00 "
      "00 "
      "00 80 30 00 e2 80 11 60 60 00 02 00 00 00 00 01 8e 83 d1 0e");
  REQUIRE(std::holds_alternative<TagRecord>(plain));
  CHECK(std::get<TagRecord>(plain).rssi_dbm == -41);
  CHECK(std::get<TagRecord>(plain).phase_degrees == 0x90);
  CHECK(std::get<TagRecord>(plain).crc == 0x8E83);
  const auto with_tid = report_of(
      "ff 34 22 00 00 88 14 04 1f 0f ff 01 01 c2 01 0d c8 52 00 00 00 00 00 14 05 00 40 e2 80 11 "
      "60 "
      "20 00 60 11 00 04 00 00 00 80 30 00 e2 80 11 60 60 00 02 00 00 00 00 03 ae c1 62 b4");
  REQUIRE(std::holds_alternative<TagRecord>(with_tid));
  CHECK(copy(std::get<TagRecord>(with_tid).data) == bytes_of("e2 80 11 60 20 00 60 11"));
  CHECK(std::get<TagRecord>(with_tid).data_fault == 0);
  const auto locked = report_of(
      "ff 2e 22 00 00 88 14 04 1f 0f ff 01 01 cb 01 0d f7 32 00 00 00 3c 00 50 05 80 00 04 24 00 "
      "04 "
      "00 00 00 80 30 00 e2 80 11 60 60 00 02 00 00 00 00 00 9e a2 ef a9");
  REQUIRE(std::holds_alternative<TagRecord>(locked));
  CHECK(std::get<TagRecord>(locked).data.empty());
  CHECK(std::get<TagRecord>(locked).data_fault == status::kLocked);
}

TEST_CASE("a reply that is shorter than its own flags say is not read") {
  const auto report = report_of(
      "ff 1c 22 00 00 10 00 1b 01 ff 01 01 d9 22 0d c6 5e 00 00 00 14 00 b1 05 00 00 00 00 20 02 "
      "18 "
      "17 ab 13 36");
  CHECK(std::holds_alternative<Unreadable>(report));
}

TEST_CASE("a tag record is written to the bytes it was read from") {
  for (const auto& vector : kVectors) {
    const Bytes bytes = bytes_of(vector.frame);
    if (vector.from != '<' || bytes[2] != op::kSearch || bytes[3] != 0) continue;
    const auto report = report_of(vector.frame, AntennaForm::kPlain);
    const auto* const tag = std::get_if<TagRecord>(&report);
    if (tag == nullptr) continue;
    CAPTURE(vector.frame);
    const Bytes data = data_of(vector.frame, Kind::kReply);
    ByteReader reader(data);
    const auto head = read_search_head(reader);
    ByteWriter writer;
    write_search_head(writer, head);
    writer.u8(1);
    write_tag_record(writer, *tag, head.metadata.value_or(0), AntennaForm::kPlain);
    CHECK(copy(writer.view()) == data);
  }
}

TEST_CASE("temperatures, slot counts and ends of cycles are read") {
  for (const auto* text : {"ff 0a 22 00 00 00 03 1b 02 82 00 82 00 01 1d b7 71",
                           "ff 0b 22 00 00 88 00 15 1b 02 82 00 82 00 01 1d eb f5"}) {
    const auto report = report_of(text);
    REQUIRE(std::holds_alternative<Statistics>(report));
    CHECK(std::get<Statistics>(report).temperature_celsius == 29);
  }
  const auto summary = report_of("ff 0d 22 00 00 88 00 15 1b 03 00 10 00 09 00 04 00 03 58 29");
  REQUIRE(std::holds_alternative<RoundSummary>(summary));
  CHECK(std::get<RoundSummary>(summary).slots == 16);
  CHECK(std::get<RoundSummary>(summary).empty == 9);
  CHECK(std::get<RoundSummary>(summary).single == 4);
  CHECK(std::get<RoundSummary>(summary).collided == 3);
  const auto end = report_of("ff 0b 22 04 00 88 10 15 1b 00 10 01 00 00 00 64 a3 c1");
  REQUIRE(std::holds_alternative<CycleEnd>(end));
  CHECK(std::get<CycleEnd>(end).elapsed_ms == 100);
  const auto old = report_of("ff 00 22 04 00 84 e0");
  REQUIRE(std::holds_alternative<CycleEnd>(old));
  CHECK_FALSE(std::get<CycleEnd>(old).elapsed_ms);
  const auto hot = report_of("ff 00 22 05 04 85 e4");
  REQUIRE(std::holds_alternative<Fault>(hot));
  CHECK(std::get<Fault>(hot).status == status::kOverTemperature);
  CHECK(status_text(status::kOverTemperature) == "too hot");
}

TEST_CASE("a search is answered with the number of its new records") {
  const auto request =
      decode_search(data_of("ff 08 22 88 10 00 13 01 f4 2f ff 85 a8", Kind::kCommand));
  REQUIRE(request);
  const Bytes data = data_of("ff 08 22 00 00 88 10 00 13 00 00 00 04 68 26", Kind::kReply);
  CHECK(encode_search_reply(*request, {.new_records = 4}) == data);
  const auto reply = decode_search_reply(data);
  REQUIRE(reply);
  CHECK(reply->new_records == 4);
}

TEST_CASE("cut and senseless commands are refused") {
  for (const auto& vector : kVectors) {
    const Bytes bytes = bytes_of(vector.frame);
    if (vector.from != '>') continue;
    const Bytes data = data_of(vector.frame, Kind::kCommand);
    CAPTURE(vector.frame);
    for (std::size_t length = 0; length < data.size(); ++length) {
      // It may mean something else, but it is never read beyond its end.
      const Bytes cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length));
      const auto written = again(bytes[2], cut);
      if (written) CHECK(written->size() <= 250);
    }
  }
  CHECK_FALSE(decode_search(bytes_of("88 14 00 13 01 2c 2f ff 00 00 00 00 00 00 00 20 ff e2")));
  CHECK_FALSE(decode_continuous(bytes_of("00 00 09")));
  CHECK_FALSE(decode_lock(bytes_of("03 e8 88 00 11 22 33 44 03 00 02")));
}

TEST_CASE("commands of Silion modules are written as their maker has them, and read again") {
  CHECK(encode_silion(SilionCommand::kStop) ==
        data_of("ff 0e aa 4d 6f 64 75 6c 65 74 65 63 68 aa 49 f3 bb 03 91", Kind::kCommand));
  SearchRequest search;
  search.flags = search_flag::kHeartbeat;
  search.metadata = metadata::kRssi | metadata::kAntenna;
  search.select.multi = false;
  search.select.access_password = 0x12345678;
  search.select.selects = {{.kind = SelectKind::kEpcBank,
                            .bit_pointer = 0x20,
                            .bit_length = 16,
                            .mask = bytes_of("e2 80")}};
  search.embedded =
      EmbeddedOp{.opcode = op::kReadData, .data = bytes_of("00 00 00 02 00 00 00 00 04")};
  const Bytes start = encode_silion_start(search);
  const auto message = decode_silion(start);
  REQUIRE(message);
  CHECK(message->command == SilionCommand::kStart);
  const auto again = decode_silion_start(message->data);
  REQUIRE(again);
  CHECK(encode_silion_start(*again) == start);
  CHECK(again->select.access_password == 0x12345678U);
  CHECK(again->embedded->data == search.embedded->data);
}

TEST_CASE("damaged commands and reports of Silion modules are none") {
  Bytes stop = encode_silion(SilionCommand::kStop);
  for (std::size_t i = 0; i < stop.size(); ++i) {
    Bytes damaged = stop;
    damaged[i] = static_cast<std::uint8_t>(damaged[i] + 1);
    CHECK_FALSE(decode_silion(damaged));
  }
  const Bytes beat = encode_heartbeat(search_flag::kHeartbeat);
  CHECK(std::holds_alternative<CycleEnd>(
      read_silion_report({.opcode = op::kSilion, .status = 0, .data = beat})));
  CHECK(std::holds_alternative<Unreadable>(
      read_silion_report({.opcode = op::kSilion, .status = 0, .data = stop})));
  const Bytes cut = bytes_of("00 02 c4 00");
  CHECK(std::holds_alternative<Unreadable>(
      read_silion_report({.opcode = op::kSilion, .status = 0, .data = cut})));
  CHECK(std::holds_alternative<Fault>(
      read_silion_report({.opcode = op::kSilion, .status = 0x0504, .data = {}})));
}
