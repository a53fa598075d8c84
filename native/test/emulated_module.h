// The emulated module on a pty that can be pulled, as `singulate emulate` has it.
#pragma once

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "emulator/mercury/module.h"
#include "emulator/mercury/pty_port.h"
#include "radio/mercury/mercury_radio.h"
#include "third_party/doctest/doctest.h"

namespace singulate::test {

// For tests in which no module is lost but by their will: on a machine with other work both ends of
// the line may be held up for long.
inline constexpr radio::mercury::MercuryTimes kPatient{
    .answer = std::chrono::seconds(6),
    .probe = std::chrono::milliseconds(300),
    .silence = std::chrono::seconds(6),
};

class EmulatedModule {
 public:
  EmulatedModule(std::string_view profile, radio::VirtualOptions field,
                 emulator::mercury::ModuleOptions options = {.line_paced = true})
      : port_(free_path()) {
    field.paced = true;
    field.start_ns.reset();
    options.cable = &port_;
    REQUIRE(port_.open().ok());
    path_ = port_.path();
    module_ = std::make_unique<emulator::mercury::Module>(*emulator::mercury::find_profile(profile),
                                                          field, port_.descriptor(), options);
    thread_ = std::thread([this] { module_->run(); });
  }
  EmulatedModule(const EmulatedModule&) = delete;
  EmulatedModule& operator=(const EmulatedModule&) = delete;
  EmulatedModule(EmulatedModule&&) = delete;
  EmulatedModule& operator=(EmulatedModule&&) = delete;
  ~EmulatedModule() {
    module_->stop();
    thread_.join();
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  emulator::mercury::Module& module() { return *module_; }

 private:
  static std::string free_path() {
    static int number = 0;
    return "/tmp/singulate-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
  }

  emulator::mercury::PtyPort port_;
  std::string path_;
  std::unique_ptr<emulator::mercury::Module> module_;
  std::thread thread_;
};

}  // namespace singulate::test
