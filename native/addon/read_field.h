// A simulated field: from JavaScript to the options of a virtual radio.
#pragma once

#include <vector>

#include "addon/input.h"
#include "radio/options_fault.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::addon {

// Faults are added; the field is of no use then. Whether it is paced is left to the caller.
radio::VirtualOptions read_field(const Input& input, std::vector<Fault>& faults);

void append(std::vector<Fault>& faults, std::vector<radio::OptionsFault> more);

}  // namespace singulate::addon
