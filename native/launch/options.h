// What singulate-launch is asked for: one --name=value each, then -- and the program.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace singulate::launch {

struct Options {
  // Only says what can be done here; nothing is started.
  bool probe = false;
  // Own processes, mounts and IPC; the mounts are those that mounts.h describes.
  bool namespaces = false;
  // Of the program; without them it has those of the launcher.
  std::optional<uid_t> uid;
  // Working folder, and the one folder of the disk that can be written under namespaces.
  std::string work;
  // Folders that stay where they are, even below a /tmp that becomes private.
  std::vector<std::string> keep;
  // A cgroup v2 that the program and all it starts are put into.
  std::string cgroup;
  // Bytes of the private /tmp.
  unsigned long long tmp_bytes = 0;
  // Bytes of memory that is written to, of one process; 0 = as the launcher.
  unsigned long long data_bytes = 0;
  // Bytes of one file; 0 = as the launcher.
  unsigned long long file_bytes = 0;
  // Open files of one process; 0 = as the launcher.
  unsigned long long open_files = 0;
  // Processes and threads of the user; 0 = as the launcher.
  unsigned long long processes = 0;
  // Program and arguments.
  std::vector<std::string> command;
};

// Throws std::invalid_argument that names what is wrong.
Options parse(const std::vector<std::string>& arguments);

}  // namespace singulate::launch
