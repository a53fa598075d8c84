// What an application sees of the file system, in a mount namespace of its own.
#pragma once

#include "launch/options.h"

namespace singulate::launch {

// Leaves the namespaces of the launcher for new ones. Processes that are forked from now on are in
// the new namespace of processes; the first of them is its init. Throws std::system_error.
void leave_namespaces();

// Everything read-only but the working folder and a /tmp of limited size, which is /var/tmp and
// /dev/shm as well. To be called after leave_namespaces(). Throws std::system_error.
void mount_files(const Options& options);

// A /proc with the processes of this namespace alone. To be called by its init.
void mount_proc();

}  // namespace singulate::launch
