// The process that stays beside the application until nothing of it is left.
#pragma once

#include "launch/options.h"

namespace singulate::launch {

// Runs it to its end, and ends all that it started. File 3 is a socket of the gateway: it is told
// "pid N\n" there, and when the gateway closes it (or ends in whatever way) everything is killed.
// Ends as the application did: by the same exit code or signal. Does not return.
[[noreturn]] void keep(const Options& options);

// Throws std::system_error with the first that cannot be done here.
void probe_namespaces();

}  // namespace singulate::launch
