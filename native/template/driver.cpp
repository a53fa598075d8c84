// The driver as the list of drivers has it (native/radio/drivers.h).
#include "radio/driver.h"

#include "mymodule_radio.h"

namespace {

std::unique_ptr<singulate::radio::RadioModule> make(
    const singulate::radio::DriverOptions& options,
    std::vector<singulate::radio::OptionsFault>& faults) {
  // TODO(driver): the settings of `--radio mymodule:PATH,NAME=VALUE`. This one has none.
  for (const auto& [name, value] : options.settings) {
    faults.push_back({"settings." + name, "\"" + value + "\" given; there is no such setting"});
  }
  if (!faults.empty()) return nullptr;
  return std::make_unique<mymodule::MyModuleRadio>(options.path);
}

}  // namespace

// TODO(driver): the name in driver.json, and in --radio.
namespace singulate::drivers {
extern const radio::Driver mymodule;
const radio::Driver mymodule{.make = make};
}  // namespace singulate::drivers
