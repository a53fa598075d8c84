// System calls that no application needs, and that holes of kernels are found in.
#pragma once

namespace singulate::launch {

// Refuses them with EPERM from now on, for this thread and all that it becomes or starts.
// The thread must have given up new privileges. Throws std::system_error.
void filter_calls();

}  // namespace singulate::launch
