#include <linux/gpio.h>

#include <cerrno>

#include "gpio/chip.h"
#include "test/fake_gpio.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using gpio::Bias;
using gpio::Change;
using gpio::Chip;
using gpio::ChipOptions;
using test::FakeGpio;

namespace {

ChipOptions lines(std::vector<std::uint32_t> inputs, std::vector<std::uint32_t> outputs = {}) {
  ChipOptions options;
  options.path = FakeGpio::kPath;
  options.inputs = std::move(inputs);
  options.outputs = std::move(outputs);
  return options;
}

// All that waits.
std::vector<Change> changes(Chip& chip) {
  std::vector<Change> all;
  for (std::size_t before = 1; before != 0;) {
    std::vector<Change> some;
    REQUIRE(chip.take(some, -1, 0).ok());
    all.insert(all.end(), some.begin(), some.end());
    before = some.size();
  }
  return all;
}

std::string refusal(FakeGpio& kernel, ChipOptions options) {
  Chip chip(kernel, std::move(options));
  const auto status = chip.open();
  REQUIRE_FALSE(status.ok());
  CHECK(kernel.open_files() == 0);
  return status.error().message;
}

}  // namespace

TEST_CASE("gpio: the levels of inputs are known at once, their edges come in order") {
  FakeGpio kernel(32);
  kernel.line(27).high = true;
  Chip chip(kernel, lines({17, 27}));
  REQUIRE(chip.open().ok());
  CHECK(chip.inputs() == 0b10);
  CHECK(changes(chip).empty());
  kernel.edge(17, true);
  kernel.edge(27, false);
  kernel.edge(17, false);
  CHECK(changes(chip) == std::vector<Change>{{0, true}, {1, false}, {0, false}});
  CHECK(chip.inputs() == 0);
  CHECK(chip.lost() == 0);
}

TEST_CASE("gpio: debounce, bias, polarity and room for edges are asked of the kernel") {
  FakeGpio kernel(8);
  ChipOptions options = lines({1, 2, 5});
  options.debounce_us = 20'000;
  options.bias = Bias::kPullUp;
  options.inputs_active_low = true;
  Chip chip(kernel, options);
  REQUIRE(chip.open().ok());
  CHECK(kernel.input_flags ==
        (GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING |
         GPIO_V2_LINE_FLAG_ACTIVE_LOW | GPIO_V2_LINE_FLAG_BIAS_PULL_UP));
  CHECK(kernel.debounce_us == 20'000);
  CHECK(kernel.debounce_mask == 0b111);
  CHECK(kernel.event_buffer_size == 192);
}

TEST_CASE("gpio: where the kernel lost edges they are counted, and the levels are right") {
  FakeGpio kernel(8);
  Chip chip(kernel, lines({1, 2}));
  REQUIRE(chip.open().ok());
  kernel.lost_edge(1, true);
  kernel.lost_edge(1, false);
  kernel.lost_edge(2, true);
  kernel.edge(1, true);
  CHECK(changes(chip) == std::vector<Change>{{0, true}, {1, true}});
  CHECK(chip.lost() == 3);
  // An edge that a look has seen already is not told again.
  kernel.lost_edge(2, false);
  kernel.edge(2, true);
  kernel.edge(2, false);
  CHECK(changes(chip) == std::vector<Change>{{1, false}});
  CHECK(chip.lost() == 4);
}

TEST_CASE("gpio: after lost edges the levels are looked at after the last edge that waits") {
  FakeGpio kernel(8);
  Chip chip(kernel, lines({1, 2}));
  REQUIRE(chip.open().ok());
  kernel.lost_edge(2, true);
  // More than one read takes.
  for (int i = 0; i < 100; ++i) kernel.edge(1, i % 2 == 0);
  const auto found = changes(chip);
  REQUIRE(found.size() == 101);
  CHECK(found[99] == Change{0, false});
  CHECK(found[100] == Change{1, true});
  CHECK(chip.lost() == 1);
}

TEST_CASE("gpio: the numbers of edges may go over their end") {
  FakeGpio kernel(8);
  Chip chip(kernel, lines({1}));
  REQUIRE(chip.open().ok());
  kernel.number_edges_from(0xFFFF'FFFF);
  kernel.edge(1, true);
  CHECK(changes(chip).size() == 1);
  const auto lost = chip.lost();
  kernel.edge(1, false);
  kernel.edge(1, true);
  CHECK(changes(chip).size() == 2);
  CHECK(chip.lost() == lost);
}

TEST_CASE("gpio: outputs keep the levels they have, and new ones are low") {
  FakeGpio kernel(8);
  kernel.line(3).is_output = true;
  kernel.line(3).high = true;
  kernel.line(4).high = true;  // an input with a pull-up
  Chip chip(kernel, lines({}, {3, 4}));
  REQUIRE(chip.open().ok());
  CHECK(chip.first_outputs() == 0b01);
  CHECK(kernel.driven == std::vector<std::pair<std::uint32_t, bool>>{{3, true}, {4, false}});
  CHECK(kernel.output_flags == GPIO_V2_LINE_FLAG_OUTPUT);
  REQUIRE(chip.set_output(1, true).ok());
  REQUIRE(chip.set_output(0, false).ok());
  CHECK_FALSE(kernel.line(3).high);
  CHECK(kernel.line(4).high);
}

TEST_CASE("gpio: outputs with given levels have them from the first moment on") {
  FakeGpio kernel(8);
  ChipOptions options = lines({}, {3, 4});
  options.output_levels = 0b10;
  options.outputs_active_low = true;
  Chip chip(kernel, options);
  REQUIRE(chip.open().ok());
  CHECK(kernel.driven == std::vector<std::pair<std::uint32_t, bool>>{{3, false}, {4, true}});
  CHECK(chip.first_outputs() == 0b10);
  CHECK(kernel.output_flags == (GPIO_V2_LINE_FLAG_OUTPUT | GPIO_V2_LINE_FLAG_ACTIVE_LOW));
}

TEST_CASE("gpio: what cannot be had is named, and nothing stays open") {
  FakeGpio kernel(8);
  ChipOptions elsewhere = lines({1});
  elsewhere.path = "/dev/gpiochip9";
  CHECK(refusal(kernel, elsewhere) ==
        "/dev/gpiochip9: cannot be opened: No such file or directory");
  CHECK(refusal(kernel, lines({1, 8})) == "/dev/gpiochip7 has no line 8; allowed: 0..7");
  kernel.line(5).holder = "spi0 CS1";
  CHECK(refusal(kernel, lines({1}, {5})) == "/dev/gpiochip7: line 5 is in use by spi0 CS1");
  kernel.fail(GPIO_V2_GET_LINE_IOCTL, ENXIO);
  CHECK(refusal(kernel, lines({1})) ==
        "/dev/gpiochip7: the inputs cannot be had: No such device or address");
  CHECK(refusal(kernel, lines({}, {2})) ==
        "/dev/gpiochip7: the outputs cannot be had: No such device or address");
  kernel.fail(GPIO_V2_GET_LINE_IOCTL, 0);
  kernel.fail(GPIO_V2_LINE_SET_CONFIG_IOCTL, EINVAL);
  CHECK(refusal(kernel, lines({1}, {2})) ==
        "/dev/gpiochip7: the outputs cannot be made outputs: Invalid argument");
  kernel.fail(GPIO_GET_CHIPINFO_IOCTL, ENOTTY);
  CHECK(refusal(kernel, lines({1})) ==
        "/dev/gpiochip7: is no GPIO chip: Inappropriate ioctl for device");
}

TEST_CASE("gpio: a chip that is unplugged is an error of everything") {
  FakeGpio kernel(8);
  Chip chip(kernel, lines({1}, {2}));
  REQUIRE(chip.open().ok());
  kernel.unplug();
  std::vector<Change> none;
  const auto status = chip.take(none, -1, 1000);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message == "/dev/gpiochip7: the chip is gone: No such device");
  CHECK(chip.set_output(0, true).error().message ==
        "/dev/gpiochip7: line 2 cannot be set: No such device");
  chip.close();
  CHECK(kernel.open_files() == 0);
}

TEST_CASE("gpio: a chip with outputs alone is watched as well") {
  FakeGpio kernel(8);
  Chip chip(kernel, lines({}, {2}));
  REQUIRE(chip.open().ok());
  std::vector<Change> none;
  CHECK(chip.take(none, -1, 0).ok());
  kernel.unplug();
  CHECK_FALSE(chip.take(none, -1, 0).ok());
}

TEST_CASE("gpio: the machine's own kernel tells its errors") {
  ChipOptions options = lines({1});
  options.path = "/dev/null";
  Chip chip(gpio::linux_kernel(), options);
  // The reason is the kernel's: an emulated one has other words for it.
  CHECK(chip.open().error().message.starts_with("/dev/null: is no GPIO chip: "));
}
