#include "emulator/mercury/pty_port.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace singulate::emulator::mercury {

namespace {

radio::Error failure(const std::string& what) {
  return {.code = radio::ErrorCode::kModule,
          .message = what + ": " + std::generic_category().message(errno)};
}

bool is_link(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// Bytes pass as they are, and nothing comes back that a host has sent.
void make_raw(int descriptor) {
  termios line{};
  if (::tcgetattr(descriptor, &line) != 0) return;
  ::cfmakeraw(&line);
  // That of no module: a host that tells no rate is one that needs none (host_rate.h).
  ::cfsetspeed(&line, B110);
  ::tcsetattr(descriptor, TCSANOW, &line);
}

}  // namespace

radio::Status PtyPort::open() {
  unplug();
  const int opened = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return failure("no pseudo-terminal");
  descriptor_ = opened;
  std::array<char, 128> name{};
  if (::grantpt(opened) != 0 || ::unlockpt(opened) != 0 ||
      ::ptsname_r(opened, name.data(), name.size()) != 0) {
    const radio::Error error = failure("no pseudo-terminal");
    unplug();
    return error;
  }
  make_raw(opened);
  pty_ = name.data();
  if (link_.empty()) return {};
  if (is_link(link_)) ::unlink(link_.c_str());
  if (::symlink(pty_.c_str(), link_.c_str()) != 0) {
    const radio::Error error = failure(link_);
    unplug();
    return error;
  }
  return {};
}

void PtyPort::unplug() {
  if (descriptor_ < 0) return;
  if (!link_.empty() && is_link(link_)) ::unlink(link_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

int PtyPort::replug() { return open().ok() ? descriptor_ : -1; }

}  // namespace singulate::emulator::mercury
