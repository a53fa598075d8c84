#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/mercury/module.h"
#include "mercury_bytes.h"
#include "module_bench.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/report.h"
#include "radio/mercury/search.h"
#include "radio/mercury/silion.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::radio::mercury;
using radio::mercury::vectors::bytes_of;
using Bytes = std::vector<std::uint8_t>;
using test::ModuleReply;
using Bench = test::ModuleBench;

namespace {

Bytes epc_of(const TagRecord& tag) { return {tag.epc.begin(), tag.epc.end()}; }

}  // namespace

TEST_CASE("an M7e answers the conversation of a real host") {
  Bench bench("m7e");
  const auto version = bench.ask("ff 00 03 1d 0c");
  CHECK(version.status == 0);
  REQUIRE(version.data.size() == 20);
  CHECK(Bytes(version.data.begin() + 4, version.data.begin() + 8) == bytes_of("38 00 02 01"));
  CHECK(version.data[19] == 0x10);
  CHECK(bench.ask("ff 00 67 1d 68").data == Bytes{1});
  CHECK(bench.ask("ff 01 62 00 be bd").data == bytes_of("00 0a 8c"));
  CHECK(bench.ask("ff 02 93 00 05 51 7d").status == 0);
  CHECK(bench.ask("ff 01 61 05 bd b8").data == bytes_of("05 01 01 02 00 03 00 04 00"));
  CHECK(bench.ask("ff 02 91 82 01 f3 3b").status == 0);
  const auto search = bench.ask("ff 08 22 88 10 00 13 01 f4 2f ff 85 a8");
  CHECK(search.status == 0);
  CHECK(search.data == bytes_of("88 10 00 13 00 00 00 14"));
  // Tags that were counted before are not new.
  CHECK(bench.ask("ff 08 22 88 10 00 13 01 f4 2f ff 85 a8").data ==
        bytes_of("88 10 00 13 00 00 00 00"));
  std::set<Bytes> epcs;
  for (;;) {
    const auto buffer = bench.ask("ff 03 29 2f ff 00 de af");
    REQUIRE(buffer.status == 0);
    ByteReader reader(buffer.data);
    const std::uint16_t fields = reader.u16();
    CHECK(fields == 0x0BFF);  // what it has, not what was asked for
    reader.u8();
    const unsigned count = reader.u8();
    if (count == 0) break;
    for (unsigned i = 0; i < count; ++i) {
      const auto tag = read_tag_record(reader, fields, AntennaForm::kPlain);
      REQUIRE(tag);
      CHECK(tag->antenna == 1);
      CHECK(tag->frequency_khz == 915'250);
      epcs.insert(epc_of(*tag));
    }
    CHECK(reader.at_end());
  }
  CHECK(epcs.size() == 20);
  CHECK(bench.ask("ff 00 2a 1d 25").status == 0);
  CHECK(bench.counters().discarded_bytes == 0);
}

TEST_CASE("a module that is found in its bootloader boots the application") {
  Bench bench("silion");
  const auto before = bench.ask("ff 00 03 1d 0c");
  REQUIRE(before.data.size() == 20);
  CHECK(before.data[19] == 0);
  CHECK(bench.ask("ff 00 0c 1d 03").data == Bytes{0x11});
  CHECK(bench.ask("ff 00 67 1d 68").status == status::kInvalidOpcode);
  const auto boot = bench.ask("ff 00 04 1d 0b");
  CHECK(boot.status == 0);
  CHECK(boot.data[19] == 0x10);
  CHECK(bench.ask("ff 00 67 1d 68").status == 0);
}

TEST_CASE("a module streams tags, takes a command meanwhile, and stops after its last tag") {
  Bench bench("m7e", singulate::test::field_of(30), {.line_paced = false, .waits_for_line = true});
  // 250 ms, RSSI to EPC, with round summaries and temperature.
  bench.send("ff 15 2f 00 00 01 22 00 00 05 0c 22 88 10 15 1b 00 64 00 32 2f ff 01 00 95 dc");
  CHECK(bench.next().opcode == op::kContinuous);
  std::set<Bytes> epcs;
  unsigned cycles = 0;
  unsigned summaries = 0;
  bool temperature = false;
  for (int frames = 0; cycles < 3 || epcs.size() < 30; ++frames) {
    REQUIRE(frames < 20'000);
    const auto reply = bench.next();
    REQUIRE(reply.opcode == op::kSearch);
    const auto report = read_report(
        {.opcode = reply.opcode, .status = reply.status, .data = reply.data}, AntennaForm::kPlain);
    REQUIRE_FALSE(std::holds_alternative<Unreadable>(report));
    if (const auto* tag = std::get_if<TagRecord>(&report)) epcs.insert(epc_of(*tag));
    if (std::holds_alternative<RoundSummary>(report)) ++summaries;
    if (const auto* one = std::get_if<Statistics>(&report))
      temperature = one->temperature_celsius == 29;
    if (const auto* end = std::get_if<CycleEnd>(&report)) {
      ++cycles;
      CHECK(end->elapsed_ms >= 100);
    }
  }
  CHECK(epcs.size() == 30);
  CHECK(summaries >= cycles);
  CHECK(temperature);
  const auto until = [&](std::uint8_t opcode) {
    for (int frames = 0; frames < 20'000; ++frames) {
      auto reply = bench.next();
      if (reply.opcode == opcode) return reply;
    }
    return ModuleReply{};
  };
  bench.send("ff 07 2f 00 00 04 02 92 07 d0 ef b4");
  CHECK(until(op::kContinuous).data == bytes_of("04 00 92 00 00"));
  bench.send("ff 00 03 1d 0c");
  CHECK(until(op::kVersion).status == status::kInvalidOpcode);
  bench.send("ff 03 2f 00 00 02 5e 86");
  CHECK(until(op::kContinuous).data == Bytes{2});
  // Nothing after it.
  CHECK(bench.ask("ff 00 63 1d 6c").data == bytes_of("00 05"));
  CHECK(bench.counters().discarded_bytes == 0);
}

TEST_CASE("what a round has read comes before the answer to the stop in its middle") {
  auto field = singulate::test::field_of(60);
  field.paced = true;
  field.start_ns.reset();
  Bench bench("m7e", field);
  // Tags of S2 answer once: a read that was dropped would never come again.
  REQUIRE(bench.ask("ff 03 9b 05 00 02 dc ea").status == 0);
  std::set<Bytes> epcs;
  constexpr int kStarts = 150;
  for (int i = 0; i < kStarts && epcs.size() < 60; ++i) {
    bench.send("ff 13 2f 00 00 01 22 00 00 05 0a 22 88 10 04 1b 00 fa 00 00 0f ff 29 0c");
    CHECK(bench.next().opcode == op::kContinuous);
    // As soon as the first has come, if any does.
    bool stopped = false;
    for (;;) {
      const auto reply = bench.next();
      if (reply.opcode == op::kContinuous) break;
      const auto report =
          read_report({.opcode = reply.opcode, .status = reply.status, .data = reply.data},
                      AntennaForm::kPlain);
      if (const auto* tag = std::get_if<TagRecord>(&report)) epcs.insert(epc_of(*tag));
      if (!std::exchange(stopped, true)) bench.send("ff 03 2f 00 00 02 5e 86");
    }
  }
  CHECK(epcs.size() == 60);
}

TEST_CASE("selects, embedded reads and access commands work on the tags of the field") {
  auto field = singulate::test::field_of(3);
  for (std::size_t i = 0; i < 3; ++i) {
    auto& tag = field.groups[0].tags[i];
    tag.tid = bytes_of("e2 80 11 60 20 00 60 11");
    tag.tid[7] = static_cast<std::uint8_t>(i);
  }
  field.models[0].user_words = 8;
  Bench bench("m7e", field);
  // The tag whose EPC ends with 01, by a select on SL.
  const auto search =
      bench.ask(op::kSearch, "88 14 00 13 01 2c 2f ff 00 00 00 00 00 00 00 70 10 00 01 04 00 00");
  CHECK(search.status == 0);
  CHECK(search.data.back() == 1);
  bench.ask("ff 00 2a 1d 25");
  const auto with_tid =
      bench.ask("ff 14 22 88 10 00 17 01 2c 2f ff 01 09 28 07 d0 00 02 00 00 00 00 04 d4 e3");
  CHECK(with_tid.status == 0);
  const auto buffer = bench.ask("ff 03 29 2f ff 00 de af");
  ByteReader reader(buffer.data);
  const std::uint16_t fields = reader.u16();
  reader.u16();
  std::set<Bytes> tids;
  while (!reader.at_end()) {
    const auto tag = read_tag_record(reader, fields, AntennaForm::kPlain);
    REQUIRE(tag);
    tids.insert({tag->data.begin(), tag->data.end()});
  }
  CHECK(tids.size() == 3);
  CHECK(tids.contains(bytes_of("e2 80 11 60 20 00 60 02")));
  // Write to USER of one tag, and read it back.
  CHECK(bench
            .ask(op::kWriteData,
                 "03 e8 88 04 00 00 00 02 03 00 00 00 00 00 00 00 70 10 00 01 04 00 00 de ad be ef")
            .status == 0);
  const auto read =
      bench.ask(op::kReadData,
                "03 e8 88 14 00 c0 03 00 00 00 00 04 00 00 00 00 00 00 00 70 10 00 01 04 00 00");
  CHECK(read.status == 0);
  CHECK(read.data == bytes_of("88 14 00 c0 05 00 00 00 00 00 00 de ad be ef"));
  // Beyond the end of the bank the tag refuses.
  CHECK(bench.ask(op::kReadData, "03 e8 88 10 00 c0 03 00 00 00 20 04").status ==
        status::kMemoryOverrun);
  // Nobody has such an EPC.
  CHECK(bench
            .ask(op::kReadData,
                 "00 64 88 14 00 c0 03 00 00 00 00 04 00 00 00 00 00 00 00 70 10 77 77 04 00 00")
            .status == status::kNoTags);
}

TEST_CASE("wrong frames get their fault codes, garbage gets nothing") {
  Bench bench("m7e");
  bench.send("ff ff ff ff ff ff ff ff 55 55");
  CHECK(bench.ask("ff 00 03 1d 0c").status == 0);
  CHECK(bench.ask(0x55, "").status == status::kInvalidOpcode);
  CHECK(bench.ask(op::kSetReadPower, "0a").status == status::kDataCount);
  CHECK(bench.ask(op::kSetReadPower, "7f 00").status == status::kPowerTooHigh);
  CHECK(bench.ask(op::kSetReadPower, "ff 00").status == status::kPowerTooLow);
  CHECK(bench.ask(op::kSetRegion, "77").status == status::kRegion);
  CHECK(bench.ask(op::kSetAntennas, "82 09").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetProtocolKey, "05 00 07").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetProtocolKey, "05 18 ff ff").status == status::kBadParameter);
  CHECK(bench.ask(op::kSetBaudRate, "00 00 00 07").status == status::kBaudRate);
  CHECK(bench.ask(op::kContinuous, "00 00 09").status == status::kBadParameter);
  CHECK(bench.module().counters().faults == 10);
}

TEST_CASE("bytes of a paced line take the time of their baud rate") {
  Bench bench("m7e", singulate::test::field_of(1), {.line_paced = true});
  const auto started = std::chrono::steady_clock::now();
  constexpr int kAnswers = 50;
  for (int i = 0; i < kAnswers; ++i) CHECK(bench.ask("ff 00 03 1d 0c").data.size() == 20);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  // 27 bytes of ten bits each.
  CHECK(took.count() > 0.9 * kAnswers * 270 / 115'200);
}

TEST_CASE("a Silion module streams by its own opcode, and knows no other") {
  Bench bench("silion");
  bench.ask("ff 00 04 1d 0b");
  CHECK(bench.ask("ff 03 2f 00 00 02 5e 86").status == status::kInvalidOpcode);
  SearchRequest search;
  search.flags = search_flag::kHeartbeat;
  search.metadata = metadata::kRssi | metadata::kAntenna;
  search.select.multi = false;
  bench.send(encode_command(op::kSilion, encode_silion_start(search)));
  CHECK(bench.next().data == encode_silion(SilionCommand::kStart));
  std::set<Bytes> epcs;
  bool alive = false;
  for (int frames = 0; frames < 20'000 && (epcs.size() < 20 || !alive); ++frames) {
    const auto reply = bench.next();
    REQUIRE(reply.opcode == op::kSilion);
    const auto report =
        read_silion_report({.opcode = reply.opcode, .status = reply.status, .data = reply.data});
    if (const auto* tag = std::get_if<TagRecord>(&report)) epcs.insert(epc_of(*tag));
    alive = alive || std::holds_alternative<CycleEnd>(report);
  }
  CHECK(epcs.size() == 20);
  CHECK(alive);
  bench.send("ff 0e aa 4d 6f 64 75 6c 65 74 65 63 68 aa 49 f3 bb 03 91");
  ModuleReply reply = bench.next();
  for (int i = 0; i < 20'000 && reply.data != encode_silion(SilionCommand::kStop); ++i) {
    reply = bench.next();
  }
  CHECK(reply.data == encode_silion(SilionCommand::kStop));
  CHECK(bench.ask("ff 00 63 1d 6c").data == bytes_of("00 05"));
  CHECK(bench.ask(op::kSilion, "00 01").status == status::kBadParameter);
}

TEST_CASE("every opcode is answered, and one that is not known with its own code") {
  for (const char* profile : {"m7e", "m6e", "nano", "silion"}) {
    CAPTURE(profile);
    Bench bench(profile);
    bench.ask(op::kBootApplication, "");
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
      const auto one = static_cast<std::uint8_t>(opcode);
      // It goes to its bootloader, where all others are unknown.
      if (one == op::kBootBootloader) continue;
      CAPTURE(opcode);
      const auto reply = bench.ask(one, "ff ff ff ff ff ff ff ff ff ff ff");
      CHECK(reply.opcode == one);
      CHECK(reply.status != status::kSuccess);
    }
  }
}
