#include "radio/mercury/connection.h"

#include <algorithm>
#include <string>

#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::steady_clock;

// A frame that has begun and does not go on for so long will not be finished. Adapters and busy
// machines hold bytes back for some ten milliseconds.
constexpr std::chrono::milliseconds kQuiet{60};
// How often a command that may be done twice is said.
constexpr int kTries = 3;
// The answers to all of them come soon after that to the first, or not at all.
constexpr std::chrono::milliseconds kLate{20};
// How often it is looked whether an answer is still waited for.
constexpr std::chrono::milliseconds kAnswerLook{5};

// Of the 4095 bytes that a tty holds for its reader.
constexpr std::size_t kMuch = 1024;

Error gone() { return {.code = ErrorCode::kModule, .message = "the serial line is gone"}; }

}  // namespace

void Connection::clear() {
  parser_.clear();
  thrown_away_ += port_.discard_input();
  publish();
}

void Connection::hand_over(const OnReport& on_report) {
  while (const auto frame = parser_.next()) on_report(*frame);
  publish();
}

void Connection::publish() {
  const ParserCounters& now = parser_.counters();
  discarded_bytes_.store(now.discarded_bytes + thrown_away_, std::memory_order_relaxed);
  crc_errors_.store(now.crc_errors, std::memory_order_relaxed);
}

Connection::Listened Connection::listen(std::chrono::nanoseconds longest, const OnReport& on_report,
                                        std::chrono::nanoseconds gather) {
  // Not with the first byte: of a stream that goes on there is always one.
  if (gather.count() > 0 && last_count_ < kMuch && port_.rest(gather)) return Listened::kWoken;
  switch (port_.wait(longest)) {
    case SerialPort::Wait::kInput:
      break;
    case SerialPort::Wait::kWoken:
      return Listened::kWoken;
    case SerialPort::Wait::kGone:
      return Listened::kGone;
    case SerialPort::Wait::kTimeout:
      // What looked like a frame may have held back one.
      if (steady_clock::now() - last_input_ >= kQuiet && parser_.give_up()) hand_over(on_report);
      return Listened::kTimeout;
  }
  const std::size_t count = port_.read(parser_.room());
  // A line that is gone is always ready to be read.
  if (count == 0) return Listened::kGone;
  last_input_ = steady_clock::now();
  last_count_ = count;
  parser_.added(count);
  hand_over(on_report);
  return Listened::kFrames;
}

Result<Reply> Connection::ask(std::uint8_t opcode, std::span<const std::uint8_t> data,
                              std::chrono::milliseconds timeout, const OnReport& on_report,
                              const Accepts& accepts) {
  if (const Status sent = port_.write(encode_command(opcode, data)); !sent.ok()) {
    return sent.error();
  }
  std::optional<Reply> reply;
  const OnReport look = [&](const Frame& frame) {
    if (!reply && frame.opcode == opcode) {
      Reply one{.status = frame.status, .data = {frame.data.begin(), frame.data.end()}};
      if (!accepts || accepts(one)) reply = std::move(one);
    } else if (on_report) {
      on_report(frame);
    }
  };
  const auto until = steady_clock::now() + timeout;
  while (!reply) {
    const auto left = until - steady_clock::now();
    if (left.count() <= 0) {
      return Error{.code = ErrorCode::kModule, .message = "the module does not answer"};
    }
    if (over_ && over_()) return Error{.code = ErrorCode::kModule, .message = "interrupted"};
    // A wake is for those who wait for reports; an answer is waited for all the same.
    const auto wait = std::min<std::chrono::nanoseconds>(left, over_ ? kAnswerLook : kQuiet);
    if (listen(wait, look) == Listened::kGone) return gone();
  }
  return *std::move(reply);
}

Result<Reply> Connection::ask_again(std::uint8_t opcode, std::span<const std::uint8_t> data,
                                    std::chrono::milliseconds timeout) {
  auto reply = ask(opcode, data, timeout / kTries);
  for (int i = 1; i < kTries && !reply.ok(); ++i) {
    if (over_ && over_()) return reply;
    reply = ask(opcode, data, timeout / kTries);
    if (!reply.ok()) continue;
    // The first may have been heard all the same: its answer is not that to the next command.
    const auto until = steady_clock::now() + timeout / kTries;
    while (steady_clock::now() < until && listen(kLate, [](const Frame&) {}) == Listened::kFrames) {
    }
  }
  return reply;
}

Result<std::vector<std::uint8_t>> Connection::well(const char* what, const Result<Reply>& reply) {
  if (!reply.ok()) {
    return Error{.code = reply.error().code,
                 .message = std::string(what) + ": " + reply.error().message};
  }
  if (reply.value().status != status::kSuccess) {
    return Error{
        .code = ErrorCode::kBadSettings,
        .message = std::string(what) + ": " + std::string(status_text(reply.value().status))};
  }
  return reply.value().data;
}

}  // namespace singulate::radio::mercury
