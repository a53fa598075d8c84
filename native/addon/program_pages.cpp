#include "addon/program_pages.h"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace singulate::addon {

namespace {

struct Mapping {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool is_unchanged_file = false;
  size_t resident_kb = 0;
};

// proc(5), /proc/pid/smaps: "BEGIN-END PERMISSIONS OFFSET DEVICE INODE PATH", then lines "Name: N
// kB".
std::vector<Mapping> mappings() {
  std::vector<Mapping> all;
  std::ifstream smaps("/proc/self/smaps");
  for (std::string line; std::getline(smaps, line);) {
    Mapping mapping;
    char permissions[5] = "";
    uint64_t inode = 0;
    size_t kb = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %" SCNu64, &mapping.begin,
                    &mapping.end, permissions, &inode) == 4) {
      mapping.is_unchanged_file = inode != 0 && permissions[1] == '-' && permissions[3] == 'p';
      all.push_back(mapping);
    } else if (all.empty()) {
      continue;
    } else if (std::sscanf(line.c_str(), "Rss: %zu kB", &kb) == 1) {
      all.back().resident_kb = kb;
    } else if (std::sscanf(line.c_str(), "Anonymous: %zu kB", &kb) == 1 && kb > 0) {
      all.back().is_unchanged_file = false;
    }
  }
  return all;
}

}  // namespace

size_t release_program_pages() {
  size_t bytes = 0;
  // All are read first: what is read now is mapped as well.
  for (const Mapping& mapping : mappings()) {
    if (!mapping.is_unchanged_file || mapping.resident_kb == 0) continue;
    // An address that the system gave as a number.
    void* begin = reinterpret_cast<void*>(mapping.begin);  // NOLINT(performance-no-int-to-ptr)
    // Refused for pages that are locked in memory: these stay.
    if (::madvise(begin, mapping.end - mapping.begin, MADV_DONTNEED) == 0) {
      bytes += mapping.resident_kb * 1024;
    }
  }
  return bytes;
}

Napi::Function make_release_program_pages(Napi::Env env) {
  return Napi::Function::New(
      env,
      [](const Napi::CallbackInfo& info) {
        return Napi::Number::New(info.Env(), static_cast<double>(release_program_pages()));
      },
      "releaseProgramPages");
}

}  // namespace singulate::addon
