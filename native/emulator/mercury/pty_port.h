// A pseudo-terminal as the module's end of a serial cable: it can be pulled and put back.
#pragma once

#include <string>

#include "radio/result.h"

namespace singulate::emulator::mercury {

// What the end of a cable can do. Called on the thread of the module.
class Cable {
 public:
  Cable() = default;
  Cable(const Cable&) = delete;
  Cable& operator=(const Cable&) = delete;
  Cable(Cable&&) = delete;
  Cable& operator=(Cable&&) = delete;
  virtual ~Cable() = default;

  // The descriptor of before is closed.
  virtual void unplug() = 0;
  // A new descriptor, the cable's own; -1: there is none to be had.
  virtual int replug() = 0;
};

class PtyPort final : public Cable {
 public:
  // link: a symbolic link of that path leads to the pty, also to the next one after a replug; one
  // that is there already is replaced, any other file is left alone. Empty: none.
  explicit PtyPort(std::string link = {}) : link_(std::move(link)) {}
  PtyPort(const PtyPort&) = delete;
  PtyPort& operator=(const PtyPort&) = delete;
  PtyPort(PtyPort&&) = delete;
  PtyPort& operator=(PtyPort&&) = delete;
  ~PtyPort() override { unplug(); }

  radio::Status open();
  // -1: unplugged.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // That a host opens: the link, or the pty as it was opened first.
  [[nodiscard]] const std::string& path() const { return link_.empty() ? pty_ : link_; }

  void unplug() override;
  int replug() override;

 private:
  const std::string link_;
  std::string pty_;
  int descriptor_ = -1;
};

}  // namespace singulate::emulator::mercury
