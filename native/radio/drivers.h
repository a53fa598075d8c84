// The drivers outside this tree that were built in (SINGULATE_DRIVER_DIR of CMake).
#pragma once

#include <span>
#include <string_view>

#include "radio/driver.h"

namespace singulate::radio {

struct NamedDriver {
  std::string_view name;
  const Driver* driver;
};

std::span<const NamedDriver> drivers();
// nullptr if there is none of that name.
const Driver* find_driver(std::string_view name);

}  // namespace singulate::radio
