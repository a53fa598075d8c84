// A pseudo-terminal: the module's end is open here, the host opens the other by its path.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace singulate::test {

class Pty {
 public:
  Pty() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    char name[128];
    if (::ptsname_r(master_, name, sizeof name) == 0) path_ = name;
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;
  Pty(Pty&&) = delete;
  Pty& operator=(Pty&&) = delete;
  ~Pty() { ::close(master_); }

  [[nodiscard]] int master() const { return master_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int master_;
  std::string path_;
};

}  // namespace singulate::test
