// The driver over its module: what every module must do, and what only this one can.
#include "../mymodule_radio.h"

#include <functional>

#include "module.h"
#include "radio/driver.h"
#include "test/driver_conformance.h"
#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

namespace singulate::drivers {
extern const radio::Driver mymodule;
}  // namespace singulate::drivers

namespace {

using singulate::test::Keeper;
namespace radio = singulate::radio;

constexpr std::uint64_t kNsPerMs = 1'000'000;

std::vector<mymodule::Bytes> epcs_of(const radio::VirtualOptions& field) {
  std::vector<mymodule::Bytes> epcs;
  for (const auto& tag : field.groups[0].tags) epcs.push_back(tag.epc);
  return epcs;
}

class OnPty final : public singulate::test::Subject {
 public:
  explicit OnPty(const radio::VirtualOptions& field)
      : module_(epcs_of(field)), radio_(module_.path()) {}
  radio::RadioModule& module() override { return radio_; }
  [[nodiscard]] bool has_cable() const override { return true; }
  void pull() override { module_.pull(); }
  void put_back() override { module_.put_back(); }

 private:
  mymodule::test::Module module_;
  mymodule::MyModuleRadio radio_;
};

// Opened and configured over a module with five tags.
class Host {
 public:
  Host() : module_(epcs_of(singulate::test::field_of(5))), radio_(module_.path()) {
    REQUIRE(radio_.open().ok());
    REQUIRE(radio_.configure(singulate::test::settings()).ok());
  }
  bool read_until(const std::function<bool()>& so) {
    const std::uint64_t latest = radio_.now_ns() + 30'000 * kNsPerMs;
    while (!so() && radio_.now_ns() < latest) {
      REQUIRE(
          radio_.run_round({.antenna = 1, .deadline_ns = radio_.now_ns() + 100 * kNsPerMs}, keeper_)
              .ok());
    }
    return so();
  }
  bool read_more(std::size_t reads) {
    const std::size_t before = keeper_.reads.size();
    return read_until([&] { return keeper_.reads.size() >= before + reads; });
  }
  mymodule::test::Module& module() { return module_; }
  mymodule::MyModuleRadio& radio() { return radio_; }

 private:
  mymodule::test::Module module_;
  mymodule::MyModuleRadio radio_;
  Keeper keeper_;
};

}  // namespace

TEST_CASE("MyModule is a radio module") {
  singulate::test::check_conformance(
      {"mymodule", [](const auto& field) { return std::make_unique<OnPty>(field); }});
}

TEST_CASE("MyModule that lost its power is set again, and reading goes on") {
  Host host;
  REQUIRE(host.read_more(10));
  host.module().switch_off_and_on();
  CHECK(host.read_more(10));
  CHECK(host.radio().link()->reconnects >= 1);
}

TEST_CASE("MyModule that hangs is lost, and found when it wakes") {
  Host host;
  REQUIRE(host.read_more(10));
  host.module().fall_silent(true);
  REQUIRE(host.read_until([&] { return !host.radio().link()->connected; }));
  CHECK(host.radio().link()->fault.find(host.module().path()) == 0);
  host.module().fall_silent(false);
  CHECK(host.read_more(10));
  CHECK(host.radio().link()->connected);
}

TEST_CASE("bytes of MyModule that are no frame are counted, and harm nothing") {
  Host host;
  const std::uint64_t before = host.radio().link()->discarded_bytes;
  host.module().babble({0xA5, 0, 1, 2, 3});
  REQUIRE(host.read_more(10));
  CHECK(host.radio().link()->discarded_bytes >= before + 5);
  CHECK(host.radio().link()->reconnects == 0);
}

TEST_CASE("a round that outlasts what MyModule reads at once goes on") {
  Host host;
  host.module().never_ends(true);
  Keeper keeper;
  const std::uint64_t deadline = host.radio().now_ns() + 2'500 * kNsPerMs;
  const auto result = host.radio().run_round({.antenna = 1, .deadline_ns = deadline}, keeper);
  REQUIRE(result.ok());
  CHECK(result.value().end == radio::RoundEnd::kDeadline);
  CHECK(host.radio().now_ns() >= deadline);
  // With the carrier on they are read once.
  CHECK(keeper.reads.size() == 5);
  CHECK(host.radio().link()->reconnects == 0);
}

TEST_CASE("settings that the driver of MyModule does not know are refused by name") {
  std::vector<radio::OptionsFault> faults;
  const auto& driver = singulate::drivers::mymodule;
  CHECK(driver.make({.path = "/dev/null"}, faults) != nullptr);
  CHECK(faults.empty());
  CHECK(driver.make({.path = "/dev/null", .settings = {{"speed", "9"}}}, faults) == nullptr);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].field == "settings.speed");
}
