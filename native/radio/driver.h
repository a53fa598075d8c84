// What a driver outside this tree tells of itself. docs/drivers.md says how it gets into a build.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "radio/options_fault.h"
#include "radio/radio_module.h"

namespace singulate::radio {

// Of `--radio NAME:PATH,SETTING=VALUE`.
struct DriverOptions {
  std::string path;  // absolute
  std::map<std::string, std::string> settings{};
};

struct Driver {
  // A fault for each setting that is unknown or wrong, its field "settings.NAME"; nullptr then.
  // Must not wait for the module: that is what open() is for.
  std::unique_ptr<RadioModule> (*make)(const DriverOptions& options,
                                       std::vector<OptionsFault>& faults);
};

}  // namespace singulate::radio
