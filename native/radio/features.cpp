#include "radio/features.h"

#include <algorithm>
#include <vector>

#include "radio/radio_module.h"

namespace singulate::radio {

namespace {

constexpr std::size_t kMostSelects = 32;
constexpr std::size_t kMostAccess = 48;
constexpr std::size_t kMostWordsOfRead = 255;
constexpr std::uint32_t kMostSelectDelayUs = 1'000'000;

constexpr std::array<FeatureText, kFeatures> kTexts{{
    {"antennas[].port", "antennas, one after another"},
    {"antennas[].dwell.duration_ms", "time on an antenna"},
    {"antennas[].dwell.rounds", "rounds on an antenna"},
    {"antennas[].beam", "beams of an array antenna"},
    {"antennas[].transmit_power_cdbm", "power of each antenna"},
    {"link_profile", "link profile"},
    {"antennas[].query.session", "session"},
    {"antennas[].query.target", "target A or B"},
    {"antennas[].query.target", "target A and B in turns"},
    {"antennas[].query.tag_population", "expected tags"},
    {"antennas[].selects", "selects"},
    {"antennas[].selects", "other selects on another antenna"},
    {"antennas[].query.sel", "Sel of the Query"},
    {"antennas[].selects[].truncate", "truncated replies"},
    {"delay_after_selects_us", "time between Select and Query"},
    {"antennas[].access", "access to the memory of each tag"},
    {"antennas[].access", "several operations on a tag"},
    {"antennas[].access[].kind", "lock and kill"},
    {"antennas[].access[].kind", "block write"},
    {"min_rssi_cdbm", "RSSI limit"},
    {"cycle_delay", "pause after a cycle"},
    {"stop.duration_ms", "end after a time"},
    {"stop.cycles", "end after cycles"},
    {"stop.tag_count", "end after tags"},
    {"stop.inputs", "end by an input"},
    {"", "RSSI of a read"},
    {"", "phase of a read"},
    {"", "channel of a read"},
    {"", "time of a read"},
    {"", "PC and CRC of a read"},
    {"", "XPC of a read"},
    {"", "slots of a round"},
    {"", "temperature of the module"},
    {"", "whether an antenna is on a port"},
    {"", "region of the module"},
}};

// What the host does for every module, and what a simulation has none of.
constexpr Supports kVirtualSupports =
    but(but(all_of(Support::kNative), Support::kEmulated,
            {Feature::kStopTime, Feature::kStopCycles, Feature::kStopTags, Feature::kStopInputs,
             Feature::kCycleDelay}),
        Support::kRefused, {Feature::kTemperature, Feature::kAntennaSense, Feature::kRegion});

// A list of antennas and their times is told once; selects are told again wherever they change.
constexpr Supports kMercurySupports =
    but(but(all_of(Support::kNative), Support::kEmulated,
            {Feature::kRounds, Feature::kSelectsPerAntenna, Feature::kSeveralAccess,
             Feature::kLockAndKill, Feature::kBlockWrite, Feature::kRssiLimit, Feature::kCycleDelay,
             Feature::kStopTime, Feature::kStopCycles, Feature::kStopTags, Feature::kStopInputs}),
        Support::kRefused, {Feature::kBeams, Feature::kSelectFilter, Feature::kTruncate});

// One select, always on SL, no operation but those that the host does, and one antenna at a time.
constexpr Supports kSilionSupports =
    but(but(kMercurySupports, Support::kRefused, {Feature::kRoundStatistics}), Support::kEmulated,
        {Feature::kAntennas, Feature::kDwell});

constexpr Supports kReplaySupports =
    but(but(kVirtualSupports, Support::kRecorded,
            {Feature::kAntennas, Feature::kDwell, Feature::kRounds, Feature::kPowerPerAntenna,
             Feature::kLinkProfile, Feature::kSession, Feature::kTarget, Feature::kBothTargets,
             Feature::kPopulation, Feature::kSelectDelay}),
        Support::kRefused,
        {Feature::kBeams, Feature::kSelects, Feature::kSelectsPerAntenna, Feature::kSelectFilter,
         Feature::kTruncate, Feature::kAccess, Feature::kSeveralAccess, Feature::kLockAndKill,
         Feature::kBlockWrite, Feature::kRssiLimit, Feature::kRoundStatistics});

// Data of an embedded operation that a module takes: 128 bytes read, and what fits in a command
// beside three long selects.
constexpr std::size_t kMercuryReadWords = 64;
constexpr std::size_t kMercuryWriteWords = 32;

constexpr Features mercury(std::string_view name, std::string_view title) {
  return {.name = name,
          .title = title,
          .support = kMercurySupports,
          .most_selects = 3,
          .filter_follows_selects = true,
          .access_in_round = 1,
          .most_read_words = kMercuryReadWords,
          .most_write_words = kMercuryWriteWords,
          .most_select_delay_us = kMostSelectDelayUs};
}

constexpr Features silion() {
  Features result = mercury("silion", "Mercury: Silion");
  result.support = kSilionSupports;
  result.most_selects = 1;
  result.only_asserts_sl = true;
  return result;
}

constexpr std::array kTables{
    Features{.name = "virtual",
             .title = "simulated radio",
             .support = kVirtualSupports,
             .most_selects = kMostSelects,
             .selects_reserved = true,
             .access_in_round = kMostAccess,
             .most_read_words = kMostWordsOfRead,
             .most_write_words = kMostWordsOfRead,
             .most_select_delay_us = kMostSelectDelayUs},
    mercury("m7e", "Mercury: M7e"),
    mercury("m6e", "Mercury: M6e, Micro, Nano"),
    silion(),
    Features{.name = "replay",
             .title = "recording",
             .support = kReplaySupports,
             .filter_follows_selects = true,
             .most_select_delay_us = kMostSelectDelayUs},
};

Error refused(std::string message) {
  return {.code = ErrorCode::kNotSupported, .message = std::move(message)};
}

Status check_selects(const RoundRequest& request, const Features& features) {
  static const SelectList kNone;
  const SelectList& list = request.selects == nullptr ? kNone : *request.selects;
  if (list.selects.size() > features.most_selects) {
    return refused("more than " + std::to_string(features.most_selects) + " selects");
  }
  if (!list.selects.empty() && list.delay_us > features.most_select_delay_us) {
    return refused("a longer time after the selects");
  }
  for (const gen2::Select& select : list.selects) {
    if (select.truncate && !features.has(Feature::kTruncate)) return refused("truncated replies");
    if (select.bank == gen2::Bank::kReserved && !features.selects_reserved) {
      return refused("a select by the bank RESERVED");
    }
    if (features.only_asserts_sl && !asserts_sl(select))
      return refused("another action of a select");
  }
  if (!features.filter_follows_selects) return {};
  const gen2::SelectFilter filter = request.select_filter == gen2::SelectFilter::kAllToo
                                        ? gen2::SelectFilter::kAll
                                        : request.select_filter;
  if (filter != filter_of(list.selects)) {
    return refused("another Sel than the selects ask for");
  }
  return {};
}

Status check_access(const RoundRequest& request, const Features& features) {
  std::size_t operations = 0;
  for (std::size_t i = 0; i < request.access.size(); ++i) {
    const AccessOp& one = request.access[i];
    if (one.kind == AccessKind::kAccess && i == 0) continue;
    ++operations;
    const Feature feature = feature_of(one.kind);
    if (features.of(feature) != Support::kNative) {
      return refused(std::string(text_of(feature).what) + " while reading");
    }
    if (one.word_count > features.most_read_words || one.words.size() > features.most_write_words) {
      return refused("an operation on so many words");
    }
  }
  if (operations > features.access_in_round) return refused("more access operations in a round");
  if (features.access_in_round < kMostAccess && operations == 0 && !request.access.empty()) {
    return refused("an access password with no operation after it");
  }
  return {};
}

std::string_view word_of(Support support) {
  switch (support) {
    case Support::kNative:
      return "native";
    case Support::kEmulated:
      return "host";
    case Support::kRecorded:
      return "as recorded";
    case Support::kRefused:
      return "refused";
  }
  return "";
}

std::string cell(const Features& table, Feature feature) {
  std::string text(word_of(table.of(feature)));
  if (table.of(feature) == Support::kRefused) return text;
  const auto most = [&](std::size_t count, const char* what) {
    text += ", at most " + std::to_string(count) + what;
  };
  if (feature == Feature::kSelects) most(table.most_selects, "");
  if (feature == Feature::kSelects && !table.selects_reserved) text += ", not by RESERVED";
  if (feature == Feature::kSelects && table.only_asserts_sl) text += ", on SL, action 0 or 4";
  if (feature == Feature::kAccess && table.most_read_words < kMostWordsOfRead) {
    most(table.most_read_words, " words read");
    text += " or " + std::to_string(table.most_write_words) + " written at once";
  }
  if (feature == Feature::kSeveralAccess) {
    text += ", " + std::to_string(table.access_in_round) + " of them in the round";
  }
  return text;
}

}  // namespace

const FeatureText& text_of(Feature feature) { return kTexts[static_cast<std::size_t>(feature)]; }

Feature feature_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLock:
    case AccessKind::kKill:
      return Feature::kLockAndKill;
    case AccessKind::kBlockWrite:
      return Feature::kBlockWrite;
    default:
      return Feature::kAccess;
  }
}

bool asserts_sl(const gen2::Select& select) {
  constexpr std::uint8_t kOnOthers = 4;
  return select.target == gen2::SelectTarget::kSl &&
         (select.action == 0 || select.action == kOnOthers);
}

gen2::SelectFilter filter_of(std::span<const gen2::Select> selects) {
  const bool sl = std::any_of(selects.begin(), selects.end(), [](const gen2::Select& one) {
    return one.target == gen2::SelectTarget::kSl;
  });
  return sl ? gen2::SelectFilter::kSelected : gen2::SelectFilter::kAll;
}

std::span<const Features> feature_tables() { return kTables; }

const Features* find_features(std::string_view name) {
  const auto* const found = std::find_if(kTables.begin(), kTables.end(),
                                         [&](const Features& one) { return one.name == name; });
  return found == kTables.end() ? nullptr : found;
}

Status check_round(const RoundRequest& request, const Features& features) {
  if (request.beam != 0 && !features.has(Feature::kBeams)) return refused("a beam");
  if (request.min_rssi_cdbm && features.of(Feature::kRssiLimit) != Support::kNative) {
    return refused("an RSSI limit");
  }
  if (auto selects = check_selects(request, features); !selects.ok()) return selects;
  return check_access(request, features);
}

std::string features_page() {
  std::string page =
      "# What becomes of a plan on a radio module\n\n"
      "Made from `native/radio/features.cpp`; a native test holds the two together.\n\n"
      "- **native**: the module does it.\n"
      "- **host**: the inventory loop or the driver does it, with the outcome that the module "
      "would have.\n"
      "- **as recorded**: a recording has it as it was; what a plan says of it has no effect.\n"
      "- **refused**: a plan with it is refused, with the name of the field, and so is a mode.\n\n"
      "What the host does is not always free. An RSSI limit leaves out the report of a tag, not "
      "its "
      "slot. Operations\nbeyond those of the round are done after it, tag by tag in S0, as long "
      "as "
      "the time on the antenna lasts: a tag\nthat they do not come to any more has the status "
      "NO_TIME. Stop conditions are looked at between reads, so a\nmodule may have read some more "
      "tags, which are not reported. Where the host leads a module\nfrom antenna to antenna it "
      "begins again with each, which costs some 20 ms of its carrier; which plans a module goes\n"
      "through by itself says [modules.md](modules.md#antennas).\n\n"
      "The simulated radio imitates each of these kinds with the option `imitate`.\n\n";
  page += "| what | field of the plan |";
  for (const Features& table : kTables) page += " " + std::string(table.title) + " |";
  page += "\n|---|---|";
  for (std::size_t i = 0; i < kTables.size(); ++i) page += "---|";
  page += "\n";
  for (std::size_t i = 0; i < kFeatures; ++i) {
    const auto feature = static_cast<Feature>(i);
    const FeatureText& text = text_of(feature);
    page += "| " + std::string(text.what) + " |";
    page += text.field.empty() ? " |" : " `" + std::string(text.field) + "` |";
    for (const Features& table : kTables) page += " " + cell(table, feature) + " |";
    page += "\n";
  }
  page +=
      "\nWhere Sel of the Query is refused it must be what the selects ask for: SL if one of them "
      "acts on SL, all tags\notherwise.\n";
  return page;
}

}  // namespace singulate::radio
