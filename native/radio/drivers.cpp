#include "radio/drivers.h"

#include <algorithm>
#include <vector>

// Written by toolchain/drivers.cmake where there are any: a line SINGULATE_DRIVER(name) for each.
#define SINGULATE_DRIVER(name) extern const singulate::radio::Driver name;
namespace singulate::drivers {
#if __has_include("singulate_driver_list.inc")
#include "singulate_driver_list.inc"
#endif
}  // namespace singulate::drivers
#undef SINGULATE_DRIVER

namespace singulate::radio {

std::span<const NamedDriver> drivers() {
#define SINGULATE_DRIVER(name) {#name, &singulate::drivers::name},
  static const std::vector<NamedDriver> kDrivers {
#if __has_include("singulate_driver_list.inc")
#include "singulate_driver_list.inc"
#endif
  };
#undef SINGULATE_DRIVER
  return kDrivers;
}

const Driver* find_driver(std::string_view name) {
  const auto all = drivers();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const NamedDriver& one) { return one.name == name; });
  return found == all.end() ? nullptr : found->driver;
}

}  // namespace singulate::radio
