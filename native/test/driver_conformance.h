// What every radio module must do. A new driver adds a factory to driver_conformance_test.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

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
};

struct SubjectKind {
  const char* name;
  // The module in such a field: tags below antenna 1.
  std::function<std::unique_ptr<Subject>(const radio::VirtualOptions& field)> make;
};

// Each is a SUBCASE of the test that calls it.
void check_conformance(const SubjectKind& kind);

}  // namespace singulate::test
