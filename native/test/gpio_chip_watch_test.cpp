#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "gpio/chip_watch.h"
#include "test/fake_gpio.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gpio::Change;
using gpio::Chip;
using gpio::ChipOptions;
using gpio::ChipWatch;
using gpio::Taken;
using test::FakeGpio;

namespace {

ChipOptions inputs() {
  ChipOptions options;
  options.path = FakeGpio::kPath;
  options.inputs = {1, 2};
  return options;
}

template <typename Condition>
bool until(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace

TEST_CASE("gpio watch: one wake for everything until it is taken") {
  FakeGpio kernel(8);
  Chip chip(kernel, inputs());
  REQUIRE(chip.open().ok());
  std::atomic<int> wakes = 0;
  ChipWatch watch(chip, [&] { ++wakes; });
  kernel.edge(1, true);
  REQUIRE(until([&] { return wakes == 1; }));
  kernel.edge(2, true);
  kernel.edge(1, false);
  std::vector<Change> all;
  REQUIRE(until([&] {
    const Taken taken = watch.take();
    all.insert(all.end(), taken.changes.begin(), taken.changes.end());
    return taken.inputs == 0b10;
  }));
  CHECK(all == std::vector<Change>{{0, true}, {1, true}, {0, false}});
  const int before = wakes;
  kernel.edge(1, true);
  CHECK(until([&] { return wakes > before; }));
}

TEST_CASE("gpio watch: changes that nobody takes are counted, the levels stay right") {
  FakeGpio kernel(8);
  Chip chip(kernel, inputs());
  REQUIRE(chip.open().ok());
  ChipWatch watch(chip, [] {});
  constexpr std::uint64_t kEdges = gpio::kMaxWaiting * 2 + 1;
  for (std::uint64_t i = 0; i < kEdges; ++i) kernel.edge(1, i % 2 == 0);
  kernel.edge(2, true);
  std::uint64_t taken_changes = 0;
  Taken taken;
  REQUIRE(until([&] {
    taken = watch.take();
    taken_changes += taken.changes.size();
    return taken.inputs == 0b11 && taken_changes + taken.lost == kEdges + 1;
  }));
  CHECK(taken.changes.size() <= gpio::kMaxWaiting);
  CHECK(taken.fault.empty());
}

TEST_CASE("gpio watch: a chip that is unplugged is told, with a wake") {
  FakeGpio kernel(8);
  Chip chip(kernel, inputs());
  REQUIRE(chip.open().ok());
  std::atomic<int> wakes = 0;
  ChipWatch watch(chip, [&] { ++wakes; });
  kernel.unplug();
  REQUIRE(until([&] { return wakes == 1; }));
  CHECK(watch.take().fault == "/dev/gpiochip7: the chip is gone: No such device");
}

TEST_CASE("gpio watch: an idle one ends at once") {
  FakeGpio kernel(8);
  Chip chip(kernel, inputs());
  REQUIRE(chip.open().ok());
  // The best of three: the machine may be held up once.
  auto best = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 3; ++i) {
    auto watch = std::make_unique<ChipWatch>(chip, [] {});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto before = std::chrono::steady_clock::now();
    watch.reset();
    best = std::min(best, std::chrono::steady_clock::now() - before);
  }
  CHECK(best < std::chrono::milliseconds(900));
}
