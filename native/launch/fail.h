// Errors of the system, with what was tried.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace singulate::launch {

[[noreturn]] inline void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Of calls that give a negative number and errno.
inline void must(long result, const std::string& what) {
  if (result < 0) fail(what);
}

}  // namespace singulate::launch
