// The pins of a module as inputs and outputs of the reader.
#include <chrono>
#include <functional>
#include <thread>

#include "emulated_module.h"
#include "radio/mercury/mercury_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::mercury::MercuryRadio;
using singulate::test::EmulatedModule;
using std::chrono::milliseconds;

using singulate::test::kMs;

namespace {

// Pin 1 is input 1; pins 3 and 4 are outputs 1 and 2.
class HostWithPins {
 public:
  explicit HostWithPins(std::size_t tags)
      : emulated_("m7e", singulate::test::field_of(tags),
                  {.line_paced = true, .heeds_host_rate = true}),
        // The highest rate that a processor emulated by QEMU can tell a line.
        radio_({.path = emulated_.path(),
                .work_baud = 460'800,
                .input_pins = {1},
                .output_pins = {3, 4},
                .times = singulate::test::kPatient}) {
    REQUIRE(radio_.open().ok());
    REQUIRE(radio_
                .configure({.link_profile = "FM0-640",
                            .antennas = {{.port = 1, .transmit_power_cdbm = 2700}}})
                .ok());
  }
  // Rounds until it is so, each with time for the carrier to come on and for reads.
  bool read_until(const std::function<bool()>& condition) {
    const std::uint64_t latest = radio_.now_ns() + 30'000 * kMs;
    while (!condition() && radio_.now_ns() < latest) {
      const auto result =
          radio_.run_round({.antenna = 1, .deadline_ns = radio_.now_ns() + 200 * kMs}, keeper_);
      REQUIRE(result.ok());
    }
    return condition();
  }
  void inject(const char* event) { REQUIRE(emulated_.module().inject(event)); }
  [[nodiscard]] unsigned pins() { return emulated_.module().counters().pins; }
  MercuryRadio& radio() { return radio_; }
  singulate::test::Keeper& keeper() { return keeper_; }

 private:
  EmulatedModule emulated_;
  MercuryRadio radio_;
  singulate::test::Keeper keeper_;
};

}  // namespace

TEST_CASE("pins that are not lines of the reader are none") {
  HostWithPins host(1);
  CHECK_FALSE(host.radio().set_output(3, true));
  CHECK_FALSE(host.radio().set_output(0, true));
  CHECK(host.radio().input_high(2) == std::nullopt);
  CHECK(host.radio().input_high(1) == false);
}

TEST_CASE("lines are tended while nothing reads") {
  HostWithPins host(1);
  CHECK(host.radio().set_output(2, true));
  host.inject("input-1-high");
  const std::uint64_t latest = host.radio().now_ns() + 30'000 * kMs;
  while (host.radio().input_high(1) != true && host.radio().now_ns() < latest) {
    REQUIRE(host.radio().tend_lines().ok());
  }
  CHECK(host.radio().input_high(1) == true);
  CHECK(host.pins() == 0b1001);
  host.inject("input-1-low");
  while (host.radio().input_high(1) != false && host.radio().now_ns() < latest) {
    (void)host.radio().idle_until(host.radio().now_ns() + 10 * kMs);
  }
  CHECK(host.radio().input_high(1) == false);
}

TEST_CASE("lines are tended while tags are read, and reading goes on") {
  HostWithPins host(20);
  REQUIRE(host.read_until([&] { return host.keeper().reads.size() > 50; }));
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i);
    host.inject("input-1-high");
    CHECK(host.radio().set_output(1, true));
    CHECK(host.read_until([&] { return host.radio().input_high(1) == true && host.pins() == 5; }));
    host.inject("input-1-low");
    CHECK(host.radio().set_output(1, false));
    CHECK(host.read_until([&] { return host.radio().input_high(1) == false && host.pins() == 0; }));
    const std::size_t before = host.keeper().reads.size();
    CHECK(host.read_until([&] { return host.keeper().reads.size() > before + 50; }));
  }
  CHECK(host.radio().reconnects() == 0);
}

TEST_CASE("inputs are seen while nothing is there to be read") {
  HostWithPins host(0);
  host.inject("input-1-high");
  CHECK(host.read_until([&] { return host.radio().input_high(1) == true; }));
}

TEST_CASE("outputs are told again to a module that lost its power") {
  HostWithPins host(5);
  CHECK(host.radio().set_output(1, true));
  REQUIRE(host.read_until([&] { return host.pins() == 4; }));
  host.inject("reset");
  REQUIRE(host.read_until([&] { return host.radio().reconnects() > 0; }));
  CHECK(host.read_until([&] { return host.pins() == 4; }));
}
