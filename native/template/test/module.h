// The module of protocol.h on a pseudo-terminal: tags below its antenna 1, each read once a round.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../frame.h"
#include "emulator/mercury/pty_port.h"

namespace mymodule::test {

class Module {
 public:
  explicit Module(std::vector<Bytes> epcs);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  Module(Module&&) = delete;
  Module& operator=(Module&&) = delete;
  ~Module();

  // That a host opens; the same after put_back().
  [[nodiscard]] const std::string& path() const { return path_; }
  // The cable. Done when these return.
  void pull();
  void put_back();
  // As after a loss of power: it forgets the powers.
  void switch_off_and_on();
  // Bytes that are no frame, before the next frame.
  void babble(Bytes noise);
  // Answers to nothing.
  void fall_silent(bool silent);
  // Tags are read for ever: no round comes to its end.
  void never_ends(bool never);

 private:
  using Clock = std::chrono::steady_clock;
  struct Tag {
    Bytes epc;
    std::array<bool, 4> at_b{};
  };
  // One that runs.
  struct Round {
    Start start;
    Clock::time_point from;
    std::size_t next = 0;
    std::uint16_t read = 0;
  };

  void run();
  void on_thread(std::function<void()> work);
  bool take_input();
  void handle(const Frame& frame);
  void begin(const Start& start);
  void step();
  void end(Why why);
  void answer(std::uint8_t code, Refusal refusal, const Bytes& data = {});
  void send(std::uint8_t code, const Bytes& data);

  singulate::emulator::mercury::PtyPort port_;
  std::string path_;
  FrameParser parser_;
  std::vector<Tag> tags_;
  std::array<bool, 2> has_power_{};
  std::vector<Round> round_;  // one, or none
  Bytes noise_;
  bool silent_ = false;
  bool never_ends_ = false;
  std::atomic<bool> stopped_ = false;
  std::mutex work_mutex_;
  std::vector<std::function<void()>> work_;
  std::thread thread_;
};

}  // namespace mymodule::test
