// The list of drivers outside the tree, and the guide's list of rules and places.
#include "radio/drivers.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "driver_conformance.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(SINGULATE_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a driver outside the tree is found by its name, and by no other") {
  CHECK(radio::find_driver("toaster") == nullptr);
  CHECK(radio::find_driver("") == nullptr);
  for (const auto& one : radio::drivers()) CHECK(radio::find_driver(one.name) == one.driver);
}

TEST_CASE("the driver guide lists the rules of conformance, each once") {
  const std::string guide = text_of("docs/drivers.md");
  const auto rules = test::conformance_rules();
  CHECK(std::set(rules.begin(), rules.end()).size() == rules.size());
  for (const auto rule : rules) {
    const std::string row = "| " + std::string(rule) + " |";
    CAPTURE(row);
    const std::size_t at = guide.find(row);
    CHECK(at != std::string::npos);
    CHECK(guide.find(row, at + 1) == std::string::npos);
  }
}

TEST_CASE("the driver guide explains every place of the template that a driver changes") {
  const std::string guide = text_of("docs/drivers.md");
  for (const char* file :
       {"driver.cpp", "features.h", "frame.h", "line.cpp", "mymodule_radio.cpp", "protocol.h"}) {
    const std::string name(file);
    CAPTURE(name);
    const std::string text = text_of("native/template/" + name);
    std::size_t places = 0;
    for (std::size_t at = text.find("TODO(driver)"); at != std::string::npos;
         at = text.find("TODO(driver)", at + 1)) {
      ++places;
    }
    REQUIRE(places > 0);
    CHECK(guide.find("| `" + name + "` | " + std::to_string(places) + " |") != std::string::npos);
  }
  for (const char* file : {"frame.cpp", "line.h", "mymodule_radio.h", "protocol.cpp"}) {
    CHECK(text_of(std::string("native/template/") + file).find("TODO") == std::string::npos);
  }
}

TEST_CASE("the driver guide names the places that a module of this tree goes through") {
  const std::string guide = text_of("docs/drivers.md");
  for (const char* file :
       {"native/sources.json", "native/radio/features.cpp", "native/addon/read_options.cpp",
        "src/radio-control/addon/addon.ts", "src/radio-control/module/radio-option.ts",
        "src/radio-control/open-radio.ts", "native/test/driver_conformance_test.cpp"}) {
    const std::string place(file);
    CAPTURE(place);
    CHECK(guide.find("| `" + place + "` |") != std::string::npos);
    // As the module that went through them shows.
    CHECK(text_of(place).find("mercury") != std::string::npos);
  }
}
