// Every kind of radio module through the same tests.
#include "driver_conformance.h"

#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "emulated_module.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/replay/replay_radio.h"
#include "radio/virtual/virtual_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using singulate::test::check_conformance;
using singulate::test::Subject;

namespace {

// A module that needs nothing around it.
template <typename Module>
class Alone final : public Subject {
 public:
  template <typename Options>
  explicit Alone(Options options) : module_(std::move(options)) {}
  radio::RadioModule& module() override { return module_; }

 private:
  Module module_;
};

// Pin 1 is its input, pin 3 its output.
class MercuryOnPty final : public Subject {
 public:
  MercuryOnPty(const char* profile, const radio::VirtualOptions& field)
      : emulated_(profile, field),
        radio_({.path = emulated_.path(),
                .baud = 115'200,
                .input_pins = {1},
                .output_pins = {3},
                .times = singulate::test::kPatient}) {}
  radio::RadioModule& module() override { return radio_; }
  [[nodiscard]] bool has_cable() const override { return true; }
  void pull() override {
    inject("unplug");
    while (std::filesystem::is_symlink(emulated_.path())) std::this_thread::yield();
  }
  void put_back() override { inject("replug"); }
  [[nodiscard]] bool has_pins() const override { return true; }
  void set_world_input(bool high) override { inject(high ? "input-1-high" : "input-1-low"); }
  bool world_output() override {
    constexpr unsigned kPin3 = 4;
    return (emulated_.module().counters().pins & kPin3) != 0;
  }

 private:
  void inject(const char* fault) { REQUIRE(emulated_.module().inject(fault)); }

  singulate::test::EmulatedModule emulated_;
  radio::mercury::MercuryRadio radio_;
};

std::unique_ptr<Subject> imitation(const char* kind, radio::VirtualOptions field) {
  field.imitate = kind;
  return std::make_unique<Alone<radio::VirtualRadio>>(field);
}

// The tags of the field, as they were read once.
radio::ReplayOptions recording_of(const radio::VirtualOptions& field) {
  radio::ReplayOptions options;
  options.paced = false;
  options.start_ns = singulate::test::kStart;
  constexpr std::uint64_t kSpacingNs = 2'000'000;
  for (const auto& tag : field.groups[0].tags) {
    radio::RecordedRead read;
    read.time_ns = options.reads.size() * kSpacingNs;
    read.antenna = 1;
    read.frequency_khz = 915'250;
    read.rssi_cdbm = -5000;
    read.epc_bytes = static_cast<std::uint8_t>(tag.epc.size());
    std::copy(tag.epc.begin(), tag.epc.end(), read.epc.begin());
    options.reads.push_back(read);
  }
  return options;
}

}  // namespace

TEST_CASE("the simulated radio is a radio module") {
  check_conformance({"virtual", [](const auto& field) { return imitation("virtual", field); }});
}

TEST_CASE("the simulated radio as an M7e is a radio module") {
  check_conformance({"as m7e", [](const auto& field) { return imitation("m7e", field); }});
}

TEST_CASE("the simulated radio as an M6e is a radio module") {
  check_conformance({"as m6e", [](const auto& field) { return imitation("m6e", field); }});
}

TEST_CASE("the simulated radio as a Silion module is a radio module") {
  check_conformance({"as silion", [](const auto& field) { return imitation("silion", field); }});
}

TEST_CASE("a recording is a radio module") {
  check_conformance({"replay", [](const auto& field) {
                       return std::make_unique<Alone<radio::ReplayRadio>>(recording_of(field));
                     }});
}

TEST_CASE("an M7e on a serial line is a radio module") {
  check_conformance({"mercury m7e", [](const auto& field) {
                       return std::make_unique<MercuryOnPty>("m7e", field);
                     }});
}

TEST_CASE("an M6e on a serial line is a radio module") {
  check_conformance({"mercury m6e", [](const auto& field) {
                       return std::make_unique<MercuryOnPty>("m6e", field);
                     }});
}

TEST_CASE("a Silion module on a serial line is a radio module") {
  check_conformance({"mercury silion", [](const auto& field) {
                       return std::make_unique<MercuryOnPty>("silion", field);
                     }});
}

TEST_CASE("a Nano on a serial line is a radio module") {
  check_conformance({"mercury nano", [](const auto& field) {
                       return std::make_unique<MercuryOnPty>("nano", field);
                     }});
}
