// What every radio module must do. A new driver calls check_conformance() with a factory of itself;
// docs/drivers.md explains the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radio/radio_module.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::test {

// A module with what it needs around it, not opened yet.
class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  Subject(Subject&&) = delete;
  Subject& operator=(Subject&&) = delete;
  virtual ~Subject() = default;

  virtual radio::RadioModule& module() = 0;

  // A module that can be lost has a cable: pull() takes it away, and put_back() brings it back.
  [[nodiscard]] virtual bool has_cable() const { return false; }
  virtual void pull() {}
  virtual void put_back() {}

  // A module with pins: its input 1 as the world has it, and its output 1 as the world sees it.
  [[nodiscard]] virtual bool has_pins() const { return false; }
  virtual void set_world_input(bool /*high*/) {}
  virtual bool world_output() { return false; }
};

struct SubjectKind {
  const char* name;
  // The module in such a field: tags below antenna 1.
  std::function<std::unique_ptr<Subject>(const radio::VirtualOptions& field)> make;
};

// As docs/drivers.md lists them.
std::vector<std::string_view> conformance_rules();

// What such a module does against a rule; empty: nothing, or the rule is not about it.
std::vector<std::string> breaches_of(const SubjectKind& kind, std::string_view rule);

// Each rule is a SUBCASE of the test that calls it.
void check_conformance(const SubjectKind& kind);

}  // namespace singulate::test
