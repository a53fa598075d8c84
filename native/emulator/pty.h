// A pseudo-terminal as a serial line: the module's end is open here, a host opens the other by its
// path.
#pragma once

#include <string>

namespace singulate::emulator {

class Pty {
 public:
  Pty() = default;
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;
  Pty(Pty&&) = delete;
  Pty& operator=(Pty&&) = delete;
  ~Pty() { close(); }

  // "" or why it cannot be had. link: a symbolic link to the host's end, which replaces one that
  // is there; "" = none.
  std::string open(const std::string& link);
  // A host sees the line hang up. The link goes as well, if it is still ours.
  void close();

  [[nodiscard]] int module_end() const { return module_end_; }
  // Of the host's end.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string make_link(const std::string& link);

  int module_end_ = -1;
  std::string path_;
  std::string link_;
};

}  // namespace singulate::emulator
