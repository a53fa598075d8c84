#include "line.h"

#include <algorithm>
#include <array>
#include <optional>

namespace mymodule {

namespace {

using singulate::radio::Error;
using singulate::radio::ErrorCode;
using singulate::radio::Result;
using singulate::radio::SerialPort;
using singulate::radio::Status;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// TODO(driver): how long your module may take to answer a command.
constexpr milliseconds kAnswerTime{2000};
// A frame that has begun and does not go on for so long will not be finished.
constexpr milliseconds kQuiet{60};
// How often it is looked whether an answer is still waited for.
constexpr milliseconds kLook{5};

Error failed(const char* what, ErrorCode code, const std::string& why) {
  return {.code = code, .message = std::string(what) + ": " + why};
}

}  // namespace

Status Line::open(const std::string& path) {
  parser_.clear();
  if (Status opened = port_.open(path, kBaud); !opened.ok()) return opened;
  thrown_away_ += port_.discard_input();
  return {};
}

void Line::close() { port_.close(); }

Result<Bytes> Line::ask(const char* what, Code code, std::span<const std::uint8_t> data,
                        const OnFrame& on_frame, const Over& over) {
  const auto wanted = static_cast<std::uint8_t>(static_cast<std::uint8_t>(code) | kAnswer);
  const auto sent = port_.write(encode_frame(static_cast<std::uint8_t>(code), data));
  if (!sent.ok()) return failed(what, ErrorCode::kModule, sent.error().message);
  std::optional<Bytes> answer;
  const OnFrame look = [&](const Frame& frame) {
    if (!answer && frame.code == wanted && !frame.data.empty()) {
      answer = frame.data;
    } else {
      on_frame(frame);
    }
  };
  const auto until = steady_clock::now() + kAnswerTime;
  while (!answer) {
    if (over()) return failed(what, ErrorCode::kModule, "interrupted");
    if (steady_clock::now() >= until) {
      return failed(what, ErrorCode::kModule,
                    "no answer within " + std::to_string(kAnswerTime.count()) + " ms");
    }
    if (!listen(kLook, look)) return failed(what, ErrorCode::kModule, "the serial line is gone");
  }
  const auto refusal = static_cast<Refusal>(answer->front());
  if (refusal != Refusal::kNone) {
    return failed(what, ErrorCode::kBadSettings, std::string(text_of(refusal)));
  }
  return Bytes(answer->begin() + 1, answer->end());
}

bool Line::listen(std::chrono::nanoseconds longest, const OnFrame& on_frame) {
  switch (port_.wait(longest)) {
    case SerialPort::Wait::kGone:
      return false;
    case SerialPort::Wait::kWoken:
      return true;
    case SerialPort::Wait::kTimeout:
      if (steady_clock::now() - last_input_ >= kQuiet) parser_.give_up();
      break;
    case SerialPort::Wait::kInput: {
      std::array<std::uint8_t, 512> bytes{};
      const std::size_t count = port_.read(bytes);
      // A line that is gone is always ready to be read.
      if (count == 0) return false;
      last_input_ = steady_clock::now();
      parser_.add(std::span(bytes).first(count));
    }
  }
  while (const auto frame = parser_.next()) on_frame(*frame);
  discarded_.store(parser_.discarded_bytes() + thrown_away_);
  crc_errors_.store(parser_.crc_errors());
  return true;
}

}  // namespace mymodule
