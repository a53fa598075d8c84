// A module under the rules of conformance: opened, set up for its first antenna, and what it does
// wrong is noted.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "radio/radio_module.h"
#include "test/driver_conformance.h"
#include "test/simulation.h"

namespace singulate::test {

inline constexpr std::uint8_t kTags = 12;
// Long enough for every tag on every link, and for a machine that is busy.
inline constexpr std::uint64_t kLongNs = 10'000 * kMs;
inline constexpr std::uint64_t kSlackNs = 3'000 * kMs;

using Epc = std::vector<std::uint8_t>;

// The rest of a rule makes no sense any more; the reason has been noted.
struct Abandoned {};

// Of one rule.
class Findings {
 public:
  void note(bool holds, const char* what) {
    if (!holds) breaches_.emplace_back(what);
  }
  void need(bool holds, const std::string& what) {
    if (holds) return;
    breaches_.push_back(what);
    throw Abandoned{};
  }
  std::vector<std::string> take() { return std::move(breaches_); }

 private:
  std::vector<std::string> breaches_;
};

class Ready {
 public:
  Ready(const SubjectKind& kind, Findings& findings);

  Subject& subject() { return *subject_; }
  radio::RadioModule& module() { return subject_->module(); }
  radio::RadioModule* operator->() { return &subject_->module(); }
  [[nodiscard]] bool has(radio::Feature feature) {
    return module().capabilities().features.has(feature);
  }
  [[nodiscard]] bool recorded() { return module().capabilities().sequences_antennas; }
  Findings& findings() { return *findings_; }

  radio::RadioSettings settings();
  void configure();
  // With much time, or with little.
  radio::RoundRequest request();
  radio::RoundRequest short_request();
  // One round that must go well.
  radio::RoundResult round(const radio::RoundRequest& request, radio::TagSink& sink);
  // Rounds until all tags were read.
  void read_all(Keeper& keeper, radio::RoundRequest request);
  // Reads all tags in a session in which each answers once.
  struct ReadOnce {
    std::uint64_t first_command_ns = 0;  // when the carrier was there again
    bool cut = false;  // a deadline came before all were read: it may have cut a tag's reply
  };
  ReadOnce read_once(Keeper& keeper, radio::RoundRequest request);
  // One that is refused as what the module cannot do, with a line for people, and reads nothing.
  void refused(const radio::RoundRequest& request, const char* what);

  static std::set<Epc> epcs(const Keeper& keeper);
  static Epc epc_of(std::uint8_t tag);

 private:
  std::unique_ptr<Subject> subject_;
  Findings* findings_;
};

// Of an error: one line, and no stop at its end.
bool is_for_people(const radio::Error& error);

radio::VirtualOptions field_for_all();

}  // namespace singulate::test

// In a rule, whose parameter is `ready`: what must be so, and what everything else hangs on.
#define MUST(...) ready.findings().note((__VA_ARGS__), #__VA_ARGS__)
#define NEED(...) ready.findings().need((__VA_ARGS__), #__VA_ARGS__)
