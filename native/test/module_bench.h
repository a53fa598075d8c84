// An emulated module, and a host of few words.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "emulator/mercury/module.h"
#include "mercury_bytes.h"
#include "radio/mercury/frame.h"
#include "radio/mercury/frame_parser.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

namespace singulate::test {

struct ModuleReply {
  std::uint8_t opcode = 0;
  std::uint16_t status = 0;
  std::vector<std::uint8_t> data;
};

// A module on one end of a pair of sockets, and a host of few words on the other.
class ModuleBench {
 public:
  explicit ModuleBench(std::string_view profile, const radio::VirtualOptions& field = field_of(20),
                       emulator::mercury::ModuleOptions options = {.line_paced = false}) {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0);
    module_ = std::make_unique<emulator::mercury::Module>(*emulator::mercury::find_profile(profile),
                                                          field, ends_[0], options);
    thread_ = std::thread([this] { module_->run(); });
    timeval timeout{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(ends_[1], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }
  ModuleBench(const ModuleBench&) = delete;
  ModuleBench& operator=(const ModuleBench&) = delete;
  ModuleBench(ModuleBench&&) = delete;
  ModuleBench& operator=(ModuleBench&&) = delete;
  ~ModuleBench() {
    module_->stop();
    thread_.join();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  void send(const std::vector<std::uint8_t>& bytes) const {
    REQUIRE(::write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void send(std::string_view text) const { send(radio::mercury::vectors::bytes_of(text)); }

  // The next frame; it must come.
  ModuleReply next() {
    for (;;) {
      if (const auto frame = parser_.next()) {
        return {frame->opcode, frame->status, {frame->data.begin(), frame->data.end()}};
      }
      const auto room = parser_.room();
      const ssize_t count = ::read(ends_[1], room.data(), room.size());
      REQUIRE(count > 0);
      parser_.added(static_cast<std::size_t>(count));
    }
  }
  ModuleReply ask(std::string_view text) {
    send(text);
    return next();
  }
  ModuleReply ask(std::uint8_t opcode, std::string_view data) {
    send(radio::mercury::encode_command(opcode, radio::mercury::vectors::bytes_of(data)));
    return next();
  }

  emulator::mercury::Module& module() { return *module_; }
  [[nodiscard]] const radio::mercury::ParserCounters& counters() const {
    return parser_.counters();
  }

 private:
  int ends_[2]{};
  radio::mercury::FrameParser parser_{radio::mercury::Kind::kReply};
  std::unique_ptr<emulator::mercury::Module> module_;
  std::thread thread_;
};

}  // namespace singulate::test
