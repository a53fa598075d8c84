#include "driver_conformance.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gen2/crc.h"
#include "radio/tag_select.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

namespace singulate::test {

namespace {

using radio::AccessKind;
using radio::AccessOp;
using radio::AccessStatus;
using radio::ErrorCode;
using radio::Feature;
using radio::RadioModule;
using radio::RoundEnd;
using radio::RoundRequest;
using Epc = std::vector<std::uint8_t>;

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint8_t kTags = 12;
// Long enough for every tag on every link, and for a machine that is busy.
constexpr std::uint64_t kLongNs = 10'000 * kMs;
constexpr std::uint64_t kSlackNs = 3'000 * kMs;

radio::VirtualOptions field_for_all() {
  auto field = field_of(kTags);
  field.models[0].user_words = 8;
  for (std::uint8_t i = 0; i < kTags; ++i) {
    field.groups[0].tags[i].tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, 0, i};
    field.groups[0].tags[i].user = {0, 1, 0, 2, 0, 3, 0, i};
  }
  return field;
}

// Opened, and set up for its first antenna.
class Ready {
 public:
  explicit Ready(const SubjectKind& kind) : subject_(kind.make(field_for_all())) {
    const auto opened = module().open();
    INFO(opened.error().message);
    REQUIRE(opened.ok());
    configure();
  }
  RadioModule& module() { return subject_->module(); }
  RadioModule* operator->() { return &subject_->module(); }
  [[nodiscard]] bool has(Feature feature) { return module().capabilities().features.has(feature); }
  [[nodiscard]] bool recorded() { return module().capabilities().sequences_antennas; }

  radio::RadioSettings settings() {
    const auto& radio = module().capabilities();
    const auto& profiles = radio.link_profiles;
    const bool fast = std::find(profiles.begin(), profiles.end(), "FM0-640") != profiles.end();
    return {.link_profile = fast ? "FM0-640" : profiles.front(),
            .antennas = {{.port = radio.antennas.front(),
                          .transmit_power_cdbm = std::min(radio.max_transmit_power_cdbm, 3000)}}};
  }
  void configure() {
    const auto configured = module().configure(settings());
    INFO(configured.error().message);
    REQUIRE(configured.ok());
  }
  RoundRequest request() {
    return {.antenna = module().capabilities().antennas.front(),
            .deadline_ns = module().now_ns() + kLongNs};
  }
  // One round that must go well.
  radio::RoundResult round(const RoundRequest& request, radio::TagSink& sink) {
    const auto result = module().run_round(request, sink);
    if (!result.ok()) FAIL(result.error().message);
    return result.value();
  }
  // Rounds until all tags were read.
  void read_all(Keeper& keeper, RoundRequest request) {
    for (int i = 0; i < 100 && epcs(keeper).size() < kTags; ++i) {
      if (round(request, keeper).end == RoundEnd::kDeadline) break;
    }
  }
  static std::set<Epc> epcs(const Keeper& keeper) {
    std::set<Epc> result;
    for (const auto& read : keeper.reads) result.insert(read.epc);
    return result;
  }
  static Epc epc_of(std::uint8_t tag) {
    Epc epc(12, 0);
    epc[0] = 0x30;
    epc[11] = tag;
    return epc;
  }

 private:
  std::unique_ptr<Subject> subject_;
};

class Watch : public radio::RoundWatch {
 public:
  bool goes_on() override { return ++looks < 3; }
  int looks = 0;
};

void check_capabilities(Ready& ready) {
  const auto& radio = ready->capabilities();
  CHECK(radio.module != "");
  CHECK(radio.model != "");
  CHECK(radio.firmware != "");
  REQUIRE(!radio.antennas.empty());
  CHECK(std::is_sorted(radio.antennas.begin(), radio.antennas.end()));
  CHECK(radio.antennas.front() >= 1);
  CHECK((radio.beams.empty() || radio.beams.size() == radio.antennas.size()));
  CHECK(radio.min_transmit_power_cdbm <= radio.max_transmit_power_cdbm);
  REQUIRE(!radio.link_profiles.empty());
  CHECK(std::set(radio.link_profiles.begin(), radio.link_profiles.end()).size() ==
        radio.link_profiles.size());
  CHECK(radio.features.name != "");
}

void check_life(Ready& ready) {
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  CHECK(Ready::epcs(keeper).size() == kTags);
  ready->close();
  ready->close();
  REQUIRE(ready->open().ok());
  ready.configure();
  Keeper again;
  ready.read_all(again, ready.request());
  CHECK(Ready::epcs(again).size() == kTags);
}

void check_settings(Ready& ready) {
  auto settings = ready.settings();
  settings.link_profile = "M16-9600";
  if (!ready.recorded()) {
    const auto refused = ready->configure(settings);
    REQUIRE(!refused.ok());
    CHECK(refused.error().code != ErrorCode::kModule);
    CHECK(refused.error().message != "");
  }
  settings = ready.settings();
  const auto& radio = ready->capabilities();
  for (const std::int32_t power : {radio.min_transmit_power_cdbm, radio.max_transmit_power_cdbm}) {
    settings.antennas[0].transmit_power_cdbm = power;
    CHECK(ready->configure(settings).ok());
  }
  for (const std::string& profile : radio.link_profiles) {
    settings.link_profile = profile;
    CAPTURE(profile);
    CHECK(ready->change(settings).ok());
  }
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  CHECK(Ready::epcs(keeper).size() == kTags);
}

void check_reads(Ready& ready) {
  const std::uint64_t from = ready->now_ns();
  class Whole : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& read) override {
      CHECK(read.epc.size() == 2U * (read.pc >> 11U));
      CHECK(read.crc == gen2::packet_crc(read.pc, read.epc));
      CHECK(read.access.empty());
      return true;
    }
  } whole;
  (void)ready.round(ready.request(), whole);
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  REQUIRE(keeper.reads.size() >= kTags);
  std::uint64_t last = from;
  for (const auto& read : keeper.reads) {
    CHECK(read.epc[0] == 0x30);
    CHECK(read.antenna == ready->capabilities().antennas.front());
    CHECK(read.rssi_cdbm < 0);
    CHECK(read.phase_cdeg < 36'000);
    CHECK(read.frequency_khz >= 840'000);
    CHECK(read.frequency_khz <= 960'000);
    CHECK(read.time_ns >= last);
    last = read.time_ns;
  }
  CHECK(last <= ready->now_ns());
}

void check_ends(Ready& ready) {
  Keeper keeper;
  auto request = ready.request();
  request.deadline_ns = ready->now_ns();
  CHECK(ready.round(request, keeper).end == RoundEnd::kDeadline);

  // A short time is kept, whether the round comes to its end or not.
  request.deadline_ns = ready->now_ns() + 30 * kMs;
  const RoundEnd end = ready.round(request, keeper).end;
  CHECK((end == RoundEnd::kDeadline || end == RoundEnd::kComplete));
  CHECK(ready->now_ns() <= request.deadline_ns + kSlackNs);

  Watch watch;
  request = ready.request();
  request.watch = &watch;
  RoundEnd last = RoundEnd::kComplete;
  for (int i = 0; i < 1000 && last == RoundEnd::kComplete; ++i) {
    last = ready.round(request, keeper).end;
  }
  CHECK(last == RoundEnd::kWatch);

  ready.configure();
  Keeper one;
  one.limit = 1;
  CHECK(ready.round(ready.request(), one).end == RoundEnd::kInterrupted);
  CHECK(one.reads.size() == 1);
}

void check_interrupt(Ready& ready) {
  ready->interrupt();
  Keeper keeper;
  CHECK(ready.round(ready.request(), keeper).end == RoundEnd::kInterrupted);
  CHECK(ready.round(ready.request(), keeper).end == RoundEnd::kInterrupted);
  CHECK_FALSE(ready->idle_until(ready->now_ns() + kLongNs));
  ready.configure();
  ready.read_all(keeper, ready.request());
  CHECK(Ready::epcs(keeper).size() == kTags);

  // From another thread, into rounds that go on for ever.
  ready.configure();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ready->interrupt();
  });
  RoundEnd end = RoundEnd::kComplete;
  class Nobody : public radio::TagSink {
   public:
    bool on_read(const radio::TagRead& /*read*/) override { return true; }
  } nobody;
  while (end == RoundEnd::kComplete) {
    auto request = ready.request();
    request.deadline_ns = radio::kNoDeadline;
    end = ready.round(request, nobody).end;
  }
  other.join();
  CHECK((end == RoundEnd::kInterrupted || (ready.recorded() && end == RoundEnd::kEndOfRecording)));
}

void check_time(Ready& ready) {
  const std::uint64_t before = ready->now_ns();
  CHECK(before > 1'600'000'000ULL * 1000 * kMs);
  CHECK(ready->idle_until(before + 20 * kMs));
  CHECK(ready->now_ns() >= before + 20 * kMs);
  // A time that is over already is no wait.
  CHECK(ready->idle_until(before));
  Keeper keeper;
  (void)ready.round(ready.request(), keeper);
  CHECK(ready->now_ns() >= before + 20 * kMs);
}

void check_senses(Ready& ready) {
  const auto temperature = ready->temperature_celsius();
  CHECK(temperature.ok() == ready->capabilities().has_temperature);
  if (temperature.ok()) {
    CHECK(temperature.value() > -40);
    CHECK(temperature.value() < 125);
  } else {
    CHECK(temperature.error().code == ErrorCode::kNotSupported);
  }
  const auto antenna = ready->antenna_connected(ready->capabilities().antennas.front());
  CHECK(antenna.ok() == ready->capabilities().has_antenna_sense);
  if (antenna.ok()) {
    CHECK(antenna.value());
  } else {
    CHECK(antenna.error().code == ErrorCode::kNotSupported);
  }
}

void check_session(Ready& ready) {
  auto request = ready.request();
  request.session = gen2::Session::kS2;
  request.tag_population = kTags;
  Keeper keeper;
  ready.read_all(keeper, request);
  CHECK(Ready::epcs(keeper).size() == kTags);
  CHECK(keeper.reads.size() == kTags);
  // They have been read: only B is left.
  request.target = gen2::Target::kB;
  request.fresh_carrier = false;
  Keeper others;
  ready.read_all(others, request);
  CHECK(Ready::epcs(others).size() == kTags);
}

void check_selects(Ready& ready) {
  radio::SelectList list;
  gen2::Select one;
  one.target = gen2::SelectTarget::kSl;
  one.pointer = 0x20;
  for (const std::uint8_t byte : Ready::epc_of(3)) {
    for (unsigned bit = 8; bit-- > 0;) one.mask.append((byte >> bit & 1U) != 0);
  }
  list.selects = {one};
  auto request = ready.request();
  request.selects = &list;
  request.select_filter = gen2::SelectFilter::kSelected;
  Keeper keeper;
  for (int i = 0; i < 20 && keeper.reads.empty(); ++i) (void)ready.round(request, keeper);
  CHECK(Ready::epcs(keeper) == std::set<Epc>{Ready::epc_of(3)});

  list.selects.resize(ready->capabilities().features.most_selects + 1, one);
  const auto refused = ready->run_round(request, keeper);
  REQUIRE(!refused.ok());
  CHECK(refused.error().code == ErrorCode::kNotSupported);
}

void check_access(Ready& ready) {
  const std::vector<AccessOp> tid{{.kind = AccessKind::kRead, .word_count = 4}};
  auto request = ready.request();
  request.access = tid;
  Keeper keeper;
  ready.read_all(keeper, request);
  REQUIRE(Ready::epcs(keeper).size() == kTags);
  for (const auto& read : keeper.reads) {
    REQUIRE(read.access.size() == 1);
    CHECK(read.access[0].status == AccessStatus::kDone);
    CHECK(read.access[0].words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, read.epc.back()});
  }
  const std::vector<AccessOp> beyond{
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 90, .word_count = 1}};
  request.access = beyond;
  Keeper failed;
  ready.configure();
  (void)ready.round(request, failed);
  REQUIRE(!failed.reads.empty());
  CHECK(failed.reads[0].access[0].status == AccessStatus::kTagError);
  CHECK(failed.reads[0].access[0].error == gen2::TagError::kMemoryOverrun);
}

void check_tag_access(Ready& ready) {
  const Epc epc = Ready::epc_of(7);
  const Epc nobody = Ready::epc_of(77);
  const auto access = [&](const Epc& whom, const AccessOp& op) {
    const auto result = ready->access_tag({.antenna = ready->capabilities().antennas.front(),
                                           .epc = whom,
                                           .op = &op,
                                           .deadline_ns = ready->now_ns() + kLongNs});
    if (!result.ok()) FAIL(result.error().message);
    return result.value();
  };
  // Its flags are no hindrance.
  Keeper keeper;
  (void)ready.round(ready.request(), keeper);
  const auto read = access(epc, {.kind = AccessKind::kRead, .word_count = 4});
  CHECK(read.status == AccessStatus::kDone);
  CHECK(read.words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, 7});
  const auto written = access(
      epc,
      {.kind = AccessKind::kWrite, .bank = gen2::Bank::kUser, .word_pointer = 4, .words = {5, 6}});
  CHECK(written.status == AccessStatus::kDone);
  CHECK(written.words_written == 2);
  const auto back = access(
      epc,
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 3, .word_count = 3});
  CHECK(back.words == std::vector<std::uint16_t>{7, 5, 6});
  CHECK(access(nobody, {.kind = AccessKind::kRead, .word_count = 4}).status ==
        AccessStatus::kNoReply);
  // What it has not written elsewhere: one tag alone was meant.
  const auto other = access(
      Ready::epc_of(8),
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 4, .word_count = 1});
  CHECK(other.words == std::vector<std::uint16_t>{0});
}

void check_refusals(Ready& ready) {
  const auto& features = ready->capabilities().features;
  Keeper keeper;
  const auto refused = [&](const RoundRequest& request) {
    const auto result = ready->run_round(request, keeper);
    REQUIRE(!result.ok());
    CHECK(result.error().code == ErrorCode::kNotSupported);
    CHECK(result.error().message != "");
  };
  if (features.of(Feature::kRssiLimit) != radio::Support::kNative) {
    auto request = ready.request();
    request.min_rssi_cdbm = -5000;
    refused(request);
  }
  auto request = ready.request();
  const std::vector<AccessOp> many(features.access_in_round + 1,
                                   {.kind = AccessKind::kRead, .word_count = 1});
  request.access = many;
  if (features.of(Feature::kSeveralAccess) != radio::Support::kNative) refused(request);
  // And works on.
  ready.configure();
  ready.read_all(keeper, ready.request());
  CHECK(Ready::epcs(keeper).size() == kTags);
}

void check_unopened(const SubjectKind& kind) {
  const auto subject = kind.make(field_for_all());
  Keeper keeper;
  // A recording needs neither.
  if (!subject->module().capabilities().sequences_antennas) {
    CHECK_FALSE(subject->module().run_round({.antenna = 1}, keeper).ok());
  }
  subject->module().close();
}

}  // namespace

void check_conformance(const SubjectKind& kind) {
  CAPTURE(kind.name);
  SUBCASE("a round before open() and configure() is an error") { check_unopened(kind); }
  SUBCASE("it says what it is") {
    Ready ready(kind);
    check_capabilities(ready);
  }
  SUBCASE("it is closed, twice, and opened again") {
    Ready ready(kind);
    check_life(ready);
  }
  SUBCASE("it takes its own settings, and no others") {
    Ready ready(kind);
    check_settings(ready);
  }
  SUBCASE("its reads are whole, and in the order of their times") {
    Ready ready(kind);
    check_reads(ready);
  }
  SUBCASE("time goes on, and idling lasts as long as it shall") {
    Ready ready(kind);
    check_time(ready);
  }
  SUBCASE("it says what it senses") {
    Ready ready(kind);
    check_senses(ready);
  }
  SUBCASE("an interrupt ends all rounds until the next inventory") {
    Ready ready(kind);
    check_interrupt(ready);
  }
  SUBCASE("a round ends by its deadline, its watch and its sink") {
    Ready ready(kind);
    if (!ready.recorded()) check_ends(ready);
  }
  SUBCASE("tags of a session are read once") {
    Ready ready(kind);
    if (!ready.recorded()) check_session(ready);
  }
  SUBCASE("selects choose tags, and too many are refused") {
    Ready ready(kind);
    if (ready.has(Feature::kSelects)) check_selects(ready);
  }
  SUBCASE("an operation is done on each tag of a round") {
    Ready ready(kind);
    if (ready.has(Feature::kAccess)) check_access(ready);
  }
  SUBCASE("one tag is found again for an operation") {
    Ready ready(kind);
    if (ready.has(Feature::kAccess)) check_tag_access(ready);
  }
  SUBCASE("what it cannot do is refused, and does no harm") {
    Ready ready(kind);
    if (!ready.recorded()) check_refusals(ready);
  }
}

}  // namespace singulate::test
