// What a process gives up before it becomes the application.
#pragma once

#include "launch/options.h"

namespace singulate::launch {

// Capabilities, its user, its limits, new privileges and system calls; in the order in which each
// still can be given up. Throws std::system_error.
void confine(const Options& options);

}  // namespace singulate::launch
