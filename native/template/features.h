// TODO(driver): what becomes of each feature of a plan on your module. Begin with what it cannot
// do: what is refused here is refused with the name of the field before a plan runs, and what is
// kEmulated the inventory loop does.
#pragma once

#include "radio/features.h"

namespace mymodule {

inline constexpr singulate::radio::Features kFeatures = [] {
  using singulate::radio::Feature;
  using singulate::radio::Support;
  singulate::radio::Features row;
  row.name = "mymodule";
  row.title = "MyModule";
  row.support = singulate::radio::but(
      singulate::radio::all_of(Support::kNative), Support::kEmulated,
      {Feature::kAntennas, Feature::kDwell, Feature::kRounds, Feature::kRssiLimit,
       Feature::kBothTargets, Feature::kCycleDelay, Feature::kStopTime, Feature::kStopCycles,
       Feature::kStopTags, Feature::kStopInputs});
  row.support = singulate::radio::but(
      row.support, Support::kRefused,
      {Feature::kBeams, Feature::kSelects, Feature::kSelectsPerAntenna, Feature::kSelectFilter,
       Feature::kTruncate, Feature::kSelectDelay, Feature::kAccess, Feature::kSeveralAccess,
       Feature::kLockAndKill, Feature::kBlockWrite, Feature::kXpc, Feature::kTemperature,
       Feature::kAntennaSense, Feature::kRegion});
  row.filter_follows_selects = true;
  return row;
}();

}  // namespace mymodule
