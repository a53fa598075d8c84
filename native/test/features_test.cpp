// What kinds of modules can do: the table, its page, and the plans that are refused by it.
#include "radio/features.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "inventory/inventory_plan.h"
#include "radio/virtual/virtual_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using inventory::InventoryPlan;

namespace {

std::string page_path() { return std::string(SINGULATE_SOURCE_DIR) + "/docs/module-features.md"; }

InventoryPlan plan() {
  InventoryPlan result;
  result.antennas.push_back({.port = 1, .transmit_power_cdbm = 2000});
  return result;
}

std::vector<std::string> refused(const InventoryPlan& plan, const char* kind) {
  auto field = singulate::test::field_of(1);
  field.imitate = kind;
  REQUIRE(check_virtual_options(field).empty());
  const radio::VirtualRadio radio(field);
  std::vector<std::string> fields;
  for (const auto& one : inventory::validate(plan, radio.capabilities())) {
    fields.push_back(one.field);
  }
  return fields;
}

gen2::Select on_sl() {
  gen2::Select select;
  select.target = gen2::SelectTarget::kSl;
  return select;
}

using Fields = std::vector<std::string>;

}  // namespace

TEST_CASE("the page of module features is what the code says") {
  // SINGULATE_WRITE_DOCS=1 writes it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread runs here
  if (std::getenv("SINGULATE_WRITE_DOCS") != nullptr) {
    std::ofstream(page_path()) << radio::features_page();
  }
  std::ifstream file(page_path());
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == radio::features_page());
}

TEST_CASE("every kind of module has a table of its own, and an unknown one is refused by name") {
  for (const auto& table : radio::feature_tables()) {
    CHECK(radio::find_features(table.name) == &table);
    CHECK(table.title != "");
  }
  CHECK(radio::find_features("toaster") == nullptr);
  auto field = singulate::test::field_of(1);
  field.imitate = "toaster";
  const auto faults = radio::check_virtual_options(field);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].field == "imitate");
  CHECK(faults[0].message == "\"toaster\" given; allowed: virtual, m7e, m6e, silion");
}

TEST_CASE("more selects than the module has are refused") {
  auto one = plan();
  one.antennas[0].query.select_filter = 3;
  one.antennas[0].selects = {on_sl(), on_sl(), on_sl()};
  CHECK(refused(one, "virtual").empty());
  CHECK(refused(one, "m7e").empty());
  CHECK(refused(one, "silion") == Fields{"antennas[0].selects"});
  one.antennas[0].selects.push_back(on_sl());
  CHECK(refused(one, "virtual").empty());
  CHECK(refused(one, "m6e") == Fields{"antennas[0].selects"});
}

TEST_CASE("truncated replies and beams are refused where the module has none") {
  auto one = plan();
  one.antennas[0].query.select_filter = 3;
  one.antennas[0].selects = {on_sl()};
  one.antennas[0].selects[0].truncate = true;
  CHECK(refused(one, "virtual").empty());
  CHECK(refused(one, "m7e") == Fields{"antennas[0].selects[0].truncate"});
  auto other = plan();
  other.antennas[0].beam = 1;
  CHECK(refused(other, "m7e") == Fields{"antennas[0].beam"});
}

TEST_CASE("a Sel of the Query that the selects do not ask for is refused") {
  auto one = plan();
  one.antennas[0].query.select_filter = 3;
  CHECK(refused(one, "virtual").empty());
  CHECK(refused(one, "m7e") == Fields{"antennas[0].query.sel"});
  one.antennas[0].selects = {on_sl()};
  CHECK(refused(one, "m7e").empty());
  one.antennas[0].query.select_filter = 2;
  CHECK(refused(one, "m7e") == Fields{"antennas[0].query.sel"});
  one.antennas[0].selects[0].target = gen2::SelectTarget::kS1;
  one.antennas[0].query.select_filter = 1;
  CHECK(refused(one, "m7e").empty());
}

TEST_CASE("access that cannot be done is refused by its operation") {
  auto one = plan();
  one.antennas[0].access = {
      {.kind = radio::AccessKind::kRead, .bank = gen2::Bank::kUser, .word_count = 65},
      {.kind = radio::AccessKind::kWrite,
       .bank = gen2::Bank::kUser,
       .words = std::vector<std::uint16_t>(33)},
      {.kind = radio::AccessKind::kAccess, .password = 1}};
  CHECK(refused(one, "virtual").empty());
  CHECK(refused(one, "m7e") == Fields{"antennas[0].access[0].word_count",
                                      "antennas[0].access[1].data", "antennas[0].access[2].kind"});
}

TEST_CASE("what the host can do is no reason to refuse a plan") {
  auto one = plan();
  one.min_rssi_cdbm = -6000;
  one.stop = {.duration_ms = 100, .cycles = 3, .tag_count = 5};
  one.antennas[0].dwell = {.duration_ms = 50, .rounds = 2};
  one.antennas[0].query = {.session = 1, .target = 2, .tag_population = 30};
  one.antennas[0].access = {
      {.kind = radio::AccessKind::kAccess, .password = 1},
      {.kind = radio::AccessKind::kRead, .word_count = 4},
      {.kind = radio::AccessKind::kLock, .lock = {.mask = 3, .action = 2}},
      {.kind = radio::AccessKind::kBlockWrite, .bank = gen2::Bank::kUser, .words = {1}}};
  for (const char* kind : {"virtual", "m7e", "m6e", "silion"}) {
    CAPTURE(kind);
    CHECK(refused(one, kind).empty());
  }
}
