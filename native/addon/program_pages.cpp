#include "addon/program_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace singulate::addon {

namespace {

struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_code = false;
  bool is_unchanged_file = false;
  std::size_t resident_kb = 0;
};

// proc(5), /proc/pid/smaps: "BEGIN-END PERMISSIONS OFFSET DEVICE INODE PATH", then lines
// "Name: N kB".
std::vector<Mapping> mappings() {
  std::vector<Mapping> all;
  std::ifstream smaps("/proc/self/smaps");
  for (std::string line; std::getline(smaps, line);) {
    Mapping mapping;
    char permissions[5] = "";
    std::uint64_t inode = 0;
    std::size_t kb = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64, &mapping.begin,
                    &mapping.end, permissions, &inode) == 4) {
      mapping.is_code = permissions[2] == 'x';
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

// An emulator of processors may show its own addresses, which mean something else in here.
bool are_ours(const std::vector<Mapping>& all) {
  const auto here = std::bit_cast<std::uintptr_t>(&release_program_pages);
  return std::any_of(all.begin(), all.end(),
                     [here](const Mapping& mapping) {
                       return mapping.is_code && mapping.begin <= here && here < mapping.end;
                     }) &&
         std::all_of(all.begin(), all.end(), [](const Mapping& mapping) {
           return mapping.end - 1 <= std::numeric_limits<std::uintptr_t>::max();
         });
}

}  // namespace

std::size_t release_program_pages() {
  std::size_t bytes = 0;
  const std::vector<Mapping> all = mappings();
  if (!are_ours(all)) return bytes;
  for (const Mapping& mapping : all) {
    if (!mapping.is_unchanged_file || mapping.resident_kb == 0) continue;
    // An address that the system gave as a number.
    void* begin = std::bit_cast<void*>(static_cast<std::uintptr_t>(mapping.begin));
    const auto length = static_cast<std::size_t>(mapping.end - mapping.begin);
    // Refused for pages that are locked in memory: these stay.
    if (::madvise(begin, length, MADV_DONTNEED) == 0) {
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
