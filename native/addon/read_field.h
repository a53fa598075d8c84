// A simulated field: from JavaScript to the options of a virtual radio.
#pragma once

#include <vector>

#include "addon/input.h"
#include "radio/options_fault.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::addon {

// Values of a wrong type become faults. To be checked (check_virtual_options) when the caller has
// added what is not of the field: whether it is paced, for example.
radio::VirtualOptions read_field(const Input& input);

void append(std::vector<Fault>& faults, std::vector<radio::OptionsFault> more);

}  // namespace singulate::addon
