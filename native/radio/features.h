// What becomes of each feature of a plan on a kind of module. One table for each kind, all of them
// in features.cpp; docs/module-features.md is made from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "gen2/select.h"
#include "gen2/session.h"
#include "radio/access_op.h"
#include "radio/result.h"

namespace singulate::radio {

struct RoundRequest;

enum class Support : std::uint8_t {
  kRefused,   // a plan with it is refused, with the name of the field
  kRecorded,  // a recording has it as it was; what a plan says of it has no effect
  kEmulated,  // the host does it, with the same outcome but for what the page says
  kNative,    // the module does it
};

enum class Feature : std::uint8_t {
  kAntennas,
  kDwell,
  kRounds,
  kBeams,
  kPowerPerAntenna,
  kLinkProfile,
  kSession,
  kTarget,
  kBothTargets,
  kPopulation,
  kSelects,
  kSelectsPerAntenna,
  kSelectFilter,
  kTruncate,
  kSelectDelay,
  kAccess,
  kSeveralAccess,
  kLockAndKill,
  kBlockWrite,
  kRssiLimit,
  kCycleDelay,
  kStopTime,
  kStopCycles,
  kStopTags,
  kStopInputs,
  kRssi,
  kPhase,
  kChannel,
  kTime,
  kPcAndCrc,
  kXpc,
  kRoundStatistics,
  kTemperature,
  kAntennaSense,
  kRegion,
  kCount,  // no feature
};
inline constexpr auto kFeatures = static_cast<std::size_t>(Feature::kCount);

// A feature for people: where it stands in the contract, or "" if it is no field of a plan.
struct FeatureText {
  std::string_view field;
  std::string_view what;
};
const FeatureText& text_of(Feature feature);

using Supports = std::array<Support, kFeatures>;

// To write a row of the table.
constexpr Supports all_of(Support support) {
  Supports result{};
  for (Support& one : result) one = support;
  return result;
}
constexpr Supports but(Supports row, Support support, std::initializer_list<Feature> of) {
  for (const Feature one : of) row[static_cast<std::size_t>(one)] = support;
  return row;
}

struct Features {
  std::string_view name{};   // "m7e"; also the one by which the simulated radio imitates it
  std::string_view title{};  // for people
  Supports support{};
  std::size_t most_selects = 0;
  // True: Sel of the Query is what the selects ask for, and cannot be told: SL if one of them
  // acts on SL, all tags otherwise.
  bool filter_follows_selects = false;
  // A select may be about the bank RESERVED.
  bool selects_reserved = false;
  // A select asserts SL on what matches (action 0) or on what does not (action 4), no more.
  bool only_asserts_sl = false;
  // Operations that a round can do on each tag, an access password before them not counted; words
  // of one of them. Beyond that the host goes back to the tag.
  std::size_t access_in_round = 0;
  std::size_t most_read_words = 0;
  std::size_t most_write_words = 0;
  std::uint32_t most_select_delay_us = 0;

  [[nodiscard]] Support of(Feature feature) const {
    return support[static_cast<std::size_t>(feature)];
  }
  [[nodiscard]] bool has(Feature feature) const { return of(feature) != Support::kRefused; }
};

// The first is the simulated radio's own.
std::span<const Features> feature_tables();
// nullptr if there is none of that name.
const Features* find_features(std::string_view name);

Feature feature_of(AccessKind kind);
bool asserts_sl(const gen2::Select& select);
// Sel of the Query as selects alone ask for it.
gen2::SelectFilter filter_of(std::span<const gen2::Select> selects);

// What a module of this kind takes as one round; everything beyond is the host's.
Status check_round(const RoundRequest& request, const Features& features);

// docs/module-features.md.
std::string features_page();

}  // namespace singulate::radio
