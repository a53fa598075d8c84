#include "driver_conformance.h"

#include "conformance/rules.h"
#include "third_party/doctest/doctest.h"

namespace singulate::test {

namespace {

std::vector<Rule> all_rules() {
  std::vector<Rule> all;
  for (const auto rules : {life_rules(), round_rules(), access_rules(), link_rules()}) {
    all.insert(all.end(), rules.begin(), rules.end());
  }
  return all;
}

// Before open() there is nothing that a Ready could be.
constexpr const char* kUnopened = "nothing works before open() and configure()";

std::vector<std::string> breaches_unopened(const SubjectKind& kind) {
  const auto subject = kind.make(field_for_all());
  std::vector<std::string> breaches;
  Keeper keeper;
  // A recording needs neither.
  if (!subject->module().capabilities().sequences_antennas) {
    const auto round = subject->module().run_round({.antenna = 1}, keeper);
    if (round.ok()) {
      breaches.emplace_back("a round before open() is no error");
    } else if (!is_for_people(round.error())) {
      breaches.emplace_back("a round before open() has no line for people");
    }
  }
  subject->module().close();
  return breaches;
}

}  // namespace

std::vector<std::string_view> conformance_rules() {
  std::vector<std::string_view> names{kUnopened};
  for (const Rule& rule : all_rules()) names.emplace_back(rule.name);
  return names;
}

std::vector<std::string> breaches_of(const SubjectKind& kind, std::string_view rule) {
  if (rule == kUnopened) return breaches_unopened(kind);
  for (const Rule& one : all_rules()) {
    if (one.name != rule) continue;
    Findings findings;
    try {
      Ready ready(kind, findings);
      if (one.applies(ready)) one.check(ready);
    } catch (const Abandoned&) {
      // It has been noted why.
    }
    return findings.take();
  }
  return {"there is no rule of that name"};
}

void check_conformance(const SubjectKind& kind) {
  const std::string module = kind.name;
  CAPTURE(module);
  for (const std::string_view rule : conformance_rules()) {
    const std::string name(rule);
    SUBCASE(name.c_str()) {
      std::string breaches;
      for (const std::string& breach : breaches_of(kind, rule)) breaches += breach + "; ";
      CHECK(breaches == "");
    }
  }
}

}  // namespace singulate::test
