// Commands and their answers over a serial line, and the reports that come between them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "radio/mercury/frame_parser.h"
#include "radio/result.h"
#include "radio/serial/serial_port.h"

namespace singulate::radio::mercury {

struct Reply {
  std::uint16_t status = 0;
  std::vector<std::uint8_t> data{};
};

class Connection {
 public:
  using OnReport = std::function<void(const Frame&)>;
  // Is a frame of the right opcode the answer, or one to an older command?
  using Accepts = std::function<bool(const Reply&)>;

  [[nodiscard]] SerialPort& port() { return port_; }

  // The answer, whatever its status. Frames of other opcodes that come before it are reports.
  // kModule if none comes in time, or the line is gone.
  Result<Reply> ask(std::uint8_t opcode, std::span<const std::uint8_t> data,
                    std::chrono::milliseconds timeout, const OnReport& on_report = {},
                    const Accepts& accepts = {});
  // As ask(), for a command that may be done twice: one that the line has lost is sent again, and
  // again, until the time is over.
  Result<Reply> ask_again(std::uint8_t opcode, std::span<const std::uint8_t> data,
                          std::chrono::milliseconds timeout);
  // As ask_again(), with a status other than success as an error that names the command.
  Result<std::vector<std::uint8_t>> ask_well(const char* what, std::uint8_t opcode,
                                             std::span<const std::uint8_t> data,
                                             std::chrono::milliseconds timeout) {
    return well(what, ask_again(opcode, data, timeout));
  }
  static Result<std::vector<std::uint8_t>> well(const char* what, const Result<Reply>& reply);

  // Answers are no longer waited for when this says so; it is asked every few milliseconds.
  void give_up_when(std::function<bool()> over) { over_ = std::move(over); }

  enum class Listened : std::uint8_t { kFrames, kTimeout, kWoken, kGone };
  // Lets reports come together for `gather`, so that a stream of small frames wakes it seldom; not
  // if so much came at last that the line's buffer could fill meanwhile. Then waits for one at most
  // so long, and hands over all that have come.
  Listened listen(std::chrono::nanoseconds longest, const OnReport& on_report,
                  std::chrono::nanoseconds gather = {});

  // Whatever was said before is over.
  void clear();
  // From any thread, of a moment ago. Bytes of no frame, and those that clear() threw away.
  [[nodiscard]] std::uint64_t discarded_bytes() const { return discarded_bytes_.load(); }
  // As ParserCounters.crc_errors.
  [[nodiscard]] std::uint64_t crc_errors() const { return crc_errors_.load(); }

 private:
  void hand_over(const OnReport& on_report);
  void publish();

  SerialPort port_;
  FrameParser parser_{Kind::kReply};
  std::uint64_t thrown_away_ = 0;
  std::atomic<std::uint64_t> discarded_bytes_ = 0;
  std::atomic<std::uint64_t> crc_errors_ = 0;
  std::chrono::steady_clock::time_point last_input_{};
  std::size_t last_count_ = 0;
  std::function<bool()> over_;
};

}  // namespace singulate::radio::mercury
