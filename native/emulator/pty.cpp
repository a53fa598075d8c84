#include "emulator/pty.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace singulate::emulator {

namespace {

std::string failure(const std::string& what) { return what + ": " + std::strerror(errno); }

// Where a symbolic link leads to; "" if it is none.
std::string target_of(const std::string& link) {
  std::array<char, 256> text{};
  const ssize_t length = ::readlink(link.c_str(), text.data(), text.size());
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "";
}

}  // namespace

std::string Pty::open(const std::string& link) {
  close();
  module_end_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 128> name{};
  if (module_end_ < 0 || ::grantpt(module_end_) != 0 || ::unlockpt(module_end_) != 0 ||
      ::ptsname_r(module_end_, name.data(), name.size()) != 0) {
    const std::string why = failure("no pseudo-terminal");
    close();
    return why;
  }
  path_ = name.data();
  // A wire has no echo, and changes no byte, also before a host has said so.
  termios line{};
  if (::tcgetattr(module_end_, &line) == 0) {
    ::cfmakeraw(&line);
    ::tcsetattr(module_end_, TCSANOW, &line);
  }
  if (link.empty()) return "";
  std::string why = make_link(link);
  if (!why.empty()) close();
  return why;
}

std::string Pty::make_link(const std::string& link) {
  struct stat there {};
  if (::lstat(link.c_str(), &there) == 0) {
    if (!S_ISLNK(there.st_mode)) return link + ": is there already, and is no symbolic link";
    // Only one that a pseudo-terminal of before has left.
    if (target_of(link).rfind("/dev/pts/", 0) != 0) {
      return link + ": is there already, and leads to " + target_of(link);
    }
  }
  // Made aside and renamed: whoever opens it meanwhile finds the old one or the new one.
  const std::string aside = link + ".new";
  ::unlink(aside.c_str());
  if (::symlink(path_.c_str(), aside.c_str()) != 0) return failure(link);
  if (::rename(aside.c_str(), link.c_str()) != 0) {
    const std::string why = failure(link);
    ::unlink(aside.c_str());
    return why;
  }
  link_ = link;
  return "";
}

void Pty::close() {
  if (!link_.empty() && target_of(link_) == path_) ::unlink(link_.c_str());
  link_.clear();
  if (module_end_ >= 0) ::close(module_end_);
  module_end_ = -1;
  path_.clear();
}

}  // namespace singulate::emulator
