// One-off access while nothing else runs, on every kind of module that can do it.
#include "inventory/access_request.h"

#include <algorithm>
#include <memory>

#include "access_field.h"
#include "emulated_module.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/virtual/packet_log.h"
#include "radio/virtual/virtual_radio.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using namespace singulate::test;
using gen2::Bank;
using inventory::AccessOutcome;
using inventory::AccessRequest;
using radio::AccessStatus;
using End = inventory::AccessOutcome::End;

namespace {

// Ends after so many looks.
class Patience final : public radio::RoundWatch {
 public:
  explicit Patience(std::size_t looks = SIZE_MAX) : left_(looks) {}
  bool goes_on() override { return left_ > 0 && --left_ > 0; }

 private:
  std::size_t left_;
};

class AccessSubject {
 public:
  AccessSubject() = default;
  AccessSubject(const AccessSubject&) = delete;
  AccessSubject& operator=(const AccessSubject&) = delete;
  AccessSubject(AccessSubject&&) = delete;
  AccessSubject& operator=(AccessSubject&&) = delete;
  virtual ~AccessSubject() = default;
  virtual radio::RadioModule& module() = 0;

  AccessOutcome run(const AccessRequest& request, std::size_t looks = SIZE_MAX) {
    Patience search(looks);
    Patience operate;
    return inventory::run_access(module(), request, std::chrono::milliseconds(request.timeout_ms),
                                 search, operate);
  }
  std::vector<AccessStatus> statuses(const AccessRequest& request) {
    const AccessOutcome outcome = run(request);
    REQUIRE(outcome.end == End::kDone);
    std::vector<AccessStatus> result;
    for (const auto& one : outcome.results) result.push_back(one.status);
    return result;
  }
};

class Simulated final : public AccessSubject {
 public:
  explicit Simulated(const char* kind, radio::VirtualOptions field = access_field())
      : radio_([&] {
          field.imitate = kind;
          return field;
        }()) {
    REQUIRE(radio_.open().ok());
  }
  radio::VirtualRadio& module() override { return radio_; }

 private:
  radio::VirtualRadio radio_;
};

class OnLine final : public AccessSubject {
 public:
  explicit OnLine(const char* profile)
      : emulated_(profile, access_field()),
        radio_({.path = emulated_.path(), .baud = 115'200, .times = singulate::test::kPatient}) {
    REQUIRE(radio_.open().ok());
  }
  radio::RadioModule& module() override { return radio_; }

 private:
  EmulatedModule emulated_;
  radio::mercury::MercuryRadio radio_;
};

AccessRequest slow(AccessRequest request) {
  // An emulated module on a machine with other work.
  request.timeout_ms = 20'000;
  return request;
}

void check_access(AccessSubject& field) {
  constexpr auto kDone = AccessStatus::kDone;

  // Reads, and says what was found where.
  const auto read = field.run(
      slow(request_for(epc_of(3), {read_of(Bank::kTid, 0, 4), read_of(Bank::kUser, 3, 1)})));
  REQUIRE(read.end == End::kDone);
  CHECK(read.epc == epc_of(3));
  CHECK(read.antenna == 1);
  CHECK(read.rssi_cdbm < 0);
  REQUIRE(read.results.size() == 2);
  CHECK(read.results[0].words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, 3});
  CHECK(read.results[1].words == std::vector<std::uint16_t>{3});

  // A new EPC is followed within the access request, and is the one by which the tag is found then.
  const std::vector<std::uint16_t> words{0x3034, 1, 2, 3, 4, 0xBEEF};
  const Epc renamed{0x30, 0x34, 0, 1, 0, 2, 0, 3, 0, 4, 0xBE, 0xEF};
  CHECK(field.statuses(slow(
            request_for(epc_of(2), {write_of(Bank::kEpc, 2, words), read_of(Bank::kTid, 3, 1)}))) ==
        std::vector{kDone, kDone});
  const auto found = field.run(slow(request_for(renamed, {read_of(Bank::kTid, 3, 1)})));
  REQUIRE(found.end == End::kDone);
  CHECK(found.results[0].words == std::vector<std::uint16_t>{2});

  // By a mask of the TID.
  const auto by_tid = field.run(slow(request_by_tid(4, {read_of(Bank::kUser, 3, 1)})));
  REQUIRE(by_tid.end == End::kDone);
  CHECK(by_tid.epc == epc_of(4));
  CHECK(by_tid.results[0].words == std::vector<std::uint16_t>{4});

  // A lock holds against all who have no password.
  const auto lock = radio::AccessOp{.kind = radio::AccessKind::kLock,
                                    .lock = {.mask = 0b00'00'00'00'10, .action = 0b00'00'00'00'10}};
  CHECK(field.statuses(slow(request_for(epc_of(1), {password_of(kAccessPassword), lock}))) ==
        std::vector{kDone, kDone});
  const auto write = write_of(Bank::kUser, 0, {0xCAFE});
  CHECK(field.statuses(slow(request_for(epc_of(1), {write}))) != std::vector{kDone});
  CHECK(field.statuses(slow(request_for(epc_of(1), {password_of(kAccessPassword), write}))) ==
        std::vector{kDone, kDone});

  // After a wrong password nothing is done.
  const auto wrong = field.statuses(slow(request_for(
      epc_of(1), {password_of(kAccessPassword + 1), write, read_of(Bank::kUser, 0, 1)})));
  CHECK(std::count(wrong.begin(), wrong.end(), kDone) == 0);

  // A killed tag is not found again.
  CHECK(field.statuses(slow(request_for(epc_of(0), {kill_of(kKillPassword)}))) ==
        std::vector{kDone});
  auto dead = request_for(epc_of(0), {read_of(Bank::kTid, 0, 1)});
  dead.timeout_ms = 300;
  const std::uint64_t from = field.module().now_ns();
  CHECK(field.run(dead).end == End::kNotFound);
  const std::uint64_t took = field.module().now_ns() - from;
  CHECK(took >= 300'000'000);
}

}  // namespace

TEST_CASE("access requests: on the simulated radio") {
  Simulated field("virtual");
  check_access(field);
}

TEST_CASE("access requests: on a radio with the selects of an M7e") {
  Simulated field("m7e");
  check_access(field);
}

TEST_CASE("access requests: on a radio with the one select of a Silion module") {
  Simulated field("silion");
  check_access(field);
}

TEST_CASE("access requests: on an M7e on a serial line") {
  OnLine field("m7e");
  check_access(field);
}

TEST_CASE("access requests: on a Silion module on a serial line") {
  OnLine field("silion");
  check_access(field);
}

TEST_CASE("access requests: tags with one EPC are told from one another by their TID") {
  auto options = access_field();
  for (auto& tag : options.groups[0].tags) tag.epc = epc_of(0);
  for (const char* kind : {"virtual", "m7e"}) {
    CAPTURE(kind);
    Simulated field(kind, options);
    for (std::uint8_t i = 0; i < kAccessTags; ++i) {
      const auto outcome =
          field.run(request_by_tid(i, {write_of(Bank::kEpc, 7, {static_cast<std::uint16_t>(i + 1)}),
                                       read_of(Bank::kUser, 3, 1)}));
      REQUIRE(outcome.end == End::kDone);
      CHECK(outcome.results[0].status == AccessStatus::kDone);
      CHECK(outcome.results[1].words == std::vector<std::uint16_t>{i});
    }
  }
}

TEST_CASE(
    "access requests: a tag whose USER is what it was found by is found on when that is written") {
  Simulated field("virtual");
  AccessRequest request;
  request.match.bank = Bank::kUser;
  request.match.pointer = 48;
  for (unsigned bit = 16; bit-- > 0;) request.match.mask.append((2U >> bit & 1U) != 0);
  request.operations = {write_of(Bank::kUser, 3, {0xAAAA}), read_of(Bank::kUser, 3, 1)};
  const auto outcome = field.run(request);
  REQUIRE(outcome.end == End::kDone);
  CHECK(outcome.epc == epc_of(2));
  CHECK(outcome.results[1].words == std::vector<std::uint16_t>{0xAAAA});
}

TEST_CASE("access requests: all antennas are looked on, in their order") {
  auto options = access_field();
  auto far = options.antennas[0];
  far.port = 2;
  options.antennas[0].position.x = 500;
  options.antennas.push_back(far);
  Simulated field("virtual", options);
  const auto outcome = field.run(request_for(epc_of(1), {read_of(Bank::kTid, 0, 1)}));
  REQUIRE(outcome.end == End::kDone);
  CHECK(outcome.antenna == 2);
  auto there = request_for(epc_of(1), {read_of(Bank::kTid, 0, 1)});
  there.ports = {1};
  CHECK(field.run(there).end == End::kNotFound);
}

TEST_CASE("access requests: a search ends when it is told to") {
  Simulated field("virtual");
  auto request = request_for({0x99, 0x99}, {read_of(Bank::kTid, 0, 1)});
  request.timeout_ms = 60'000;
  REQUIRE(field.module().configure(settings()).ok());
  const std::uint64_t from = field.module().now_ns();
  CHECK(field.run(request, 5).end == End::kEnded);
  CHECK(field.module().now_ns() - from < 2'000'000'000);
}

TEST_CASE("access requests: flags of S1 to S3 stay as they are") {
  Simulated field("virtual");
  auto& radio = field.module();
  REQUIRE(radio.configure(settings()).ok());
  Keeper all;
  REQUIRE(radio.run_round({.antenna = 1, .session = gen2::Session::kS2}, all).ok());
  REQUIRE(all.reads.size() == kAccessTags);
  REQUIRE(field.run(request_for(epc_of(1), {read_of(Bank::kTid, 0, 1)})).end == End::kDone);
  REQUIRE(radio.configure(settings()).ok());
  Keeper none;
  REQUIRE(radio.run_round({.antenna = 1, .session = gen2::Session::kS2}, none).ok());
  CHECK(none.reads.empty());
}

TEST_CASE("access requests: every fault is named by its field, and passwords by none") {
  const radio::VirtualRadio radio(access_field());
  AccessRequest request = request_for({1, 2, 3}, {password_of(0xABCDEF01)});
  request.ports = {1, 7, 1};
  request.transmit_power_cdbm = 9000;
  request.timeout_ms = 60'001;
  std::vector<std::string> fields;
  for (const auto& one : inventory::validate(request, radio.capabilities(), nullptr)) {
    fields.push_back(one.field);
    CHECK(one.message.find(std::to_string(0xABCDEF01)) == std::string::npos);
  }
  CHECK(fields == std::vector<std::string>{"tag.epc", "antennas[1]", "antennas[2]",
                                           "transmit_power_cdbm", "operations[0].kind",
                                           "timeout_ms"});

  inventory::InventoryPlan plan;
  plan.antennas = {{.port = 1}};
  AccessRequest beside = request_for(epc_of(1), {});
  beside.ports = {2};
  beside.transmit_power_cdbm = 2000;
  fields.clear();
  for (const auto& one : inventory::validate(beside, radio.capabilities(), &plan)) {
    fields.push_back(one.field);
  }
  CHECK(fields == std::vector<std::string>{"antennas[0]", "transmit_power_cdbm", "operations"});
}

TEST_CASE("access requests: what a module cannot do is refused with the name of the field") {
  auto field = access_field();
  field.imitate = "m7e";
  const radio::VirtualRadio radio(field);
  auto request = request_for(epc_of(1), {read_of(Bank::kUser, 0, 200)});
  const auto found = inventory::validate(request, radio.capabilities(), nullptr);
  REQUIRE(found.size() == 1);
  CHECK(found[0].field == "operations[0].word_count");
}
