#include "module.h"

#include <poll.h>
#include <unistd.h>

#include <future>
#include <utility>

#include "gen2/crc.h"
#include "gen2/replies.h"
#include "third_party/doctest/doctest.h"

namespace mymodule::test {

namespace {

constexpr std::chrono::milliseconds kTagTime{1};
constexpr std::uint8_t kAntennas = 2;
constexpr std::int16_t kMinCdbm = 0;
constexpr std::int16_t kMaxCdbm = 3000;
constexpr std::uint32_t kKhz = 865'700;
constexpr std::int16_t kRssiCdbm = -5500;
constexpr std::uint16_t kPhaseCdeg = 4500;

std::string free_path() {
  static int number = 0;
  return "/tmp/mymodule-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

}  // namespace

Module::Module(std::vector<Bytes> epcs) : port_(free_path()) {
  for (auto& epc : epcs) tags_.push_back({.epc = std::move(epc)});
  REQUIRE(port_.open().ok());
  path_ = port_.path();
  thread_ = std::thread([this] { run(); });
}

Module::~Module() {
  stopped_.store(true);
  thread_.join();
}

void Module::pull() {
  on_thread([this] { port_.unplug(); });
}

void Module::put_back() {
  on_thread([this] { REQUIRE(port_.replug() >= 0); });
}

void Module::switch_off_and_on() {
  on_thread([this] {
    has_power_ = {};
    round_.clear();
  });
}

void Module::babble(Bytes noise) {
  on_thread([this, bytes = std::move(noise)] { noise_ = bytes; });
}

void Module::fall_silent(bool silent) {
  on_thread([this, silent] {
    silent_ = silent;
    round_.clear();
  });
}

void Module::never_ends(bool never) {
  on_thread([this, never] { never_ends_ = never; });
}

void Module::on_thread(std::function<void()> work) {
  std::promise<void> done;
  {
    const std::lock_guard lock(work_mutex_);
    work_.emplace_back([&, one = std::move(work)] {
      one();
      done.set_value();
    });
  }
  done.get_future().wait();
}

void Module::run() {
  while (!stopped_.load()) {
    std::vector<std::function<void()>> work;
    {
      const std::lock_guard lock(work_mutex_);
      work.swap(work_);
    }
    for (const auto& one : work) one();
    if (!take_input() && !round_.empty()) step();
  }
}

bool Module::take_input() {
  pollfd line{.fd = port_.descriptor(), .events = POLLIN, .revents = 0};
  const int wait_ms = round_.empty() ? 5 : static_cast<int>(kTagTime.count());
  const bool ready = ::poll(&line, 1, wait_ms) > 0;
  std::array<std::uint8_t, 256> bytes{};
  const ssize_t count = ready ? ::read(line.fd, bytes.data(), bytes.size()) : 0;
  if (count <= 0) {
    // A line without a host is always ready.
    if (ready) std::this_thread::sleep_for(kTagTime);
    return false;
  }
  parser_.add(std::span(bytes).first(static_cast<std::size_t>(count)));
  while (const auto frame = parser_.next()) {
    if (!silent_) handle(*frame);
  }
  return true;
}

void Module::handle(const Frame& frame) {
  switch (static_cast<Code>(frame.code)) {
    case Code::kVersion:
      return answer(frame.code, Refusal::kNone,
                    encode(Version{.antennas = kAntennas,
                                   .min_power_cdbm = kMinCdbm,
                                   .max_power_cdbm = kMaxCdbm,
                                   .firmware = "1.2.3"}));
    case Code::kPower: {
      const auto power = decode_power(frame.data);
      if (!power || power->antenna < 1 || power->antenna > kAntennas || power->cdbm < kMinCdbm ||
          power->cdbm > kMaxCdbm) {
        return answer(frame.code, Refusal::kBadValue);
      }
      has_power_[power->antenna - 1U] = true;
      return answer(frame.code, Refusal::kNone);
    }
    case Code::kStart: {
      const auto start = decode_start(frame.data);
      if (!start || start->antenna < 1 || start->antenna > kAntennas) {
        return answer(frame.code, Refusal::kBadValue);
      }
      if (!round_.empty()) return answer(frame.code, Refusal::kBusy);
      if (!has_power_[start->antenna - 1U]) return answer(frame.code, Refusal::kNoPower);
      answer(frame.code, Refusal::kNone);
      return begin(*start);
    }
    case Code::kStop:
      if (!round_.empty()) end(Why::kStopped);
      return answer(frame.code, Refusal::kNone);
    default:
      return answer(frame.code, Refusal::kUnknownCommand);
  }
}

void Module::begin(const Start& start) {
  if (!start.carrier_stays) {
    for (Tag& tag : tags_) tag.at_b[0] = false;
  }
  round_.push_back({.start = start, .from = Clock::now()});
}

void Module::step() {
  Round& round = round_.front();
  const auto since =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - round.from).count();
  if (since >= round.start.ms) return end(Why::kTimeOver);
  const bool wants_b = round.start.target == 1;
  // Only antenna 1 has tags below it.
  while (round.start.antenna == 1 && round.next < tags_.size()) {
    Tag& tag = tags_[round.next++];
    bool& at_b = tag.at_b[round.start.session];
    if (at_b != wants_b) continue;
    at_b = !at_b;
    ++round.read;
    const std::uint16_t pc = singulate::gen2::pc_for_epc_bytes(tag.epc.size());
    return send(static_cast<std::uint8_t>(Code::kTag),
                encode(mymodule::Tag{.antenna = 1,
                                     .ms = static_cast<std::uint16_t>(since),
                                     .khz = kKhz,
                                     .rssi_cdbm = kRssiCdbm,
                                     .phase_cdeg = kPhaseCdeg,
                                     .pc = pc,
                                     .crc = singulate::gen2::packet_crc(pc, tag.epc),
                                     .epc = tag.epc}));
  }
  if (!never_ends_) end(Why::kNoMoreTags);
}

void Module::end(Why why) {
  const std::uint16_t read = round_.front().read;
  round_.clear();
  send(static_cast<std::uint8_t>(Code::kEnd), encode(End{.why = why, .empty = 4, .single = read}));
}

void Module::answer(std::uint8_t code, Refusal refusal, const Bytes& data) {
  Bytes all;
  all.reserve(1 + data.size());
  all.push_back(static_cast<std::uint8_t>(refusal));
  all.insert(all.end(), data.begin(), data.end());
  send(static_cast<std::uint8_t>(code | kAnswer), all);
}

void Module::send(std::uint8_t code, const Bytes& data) {
  Bytes bytes = std::exchange(noise_, {});
  const Bytes frame = encode_frame(code, data);
  bytes.insert(bytes.end(), frame.begin(), frame.end());
  for (std::span<const std::uint8_t> left = bytes; !left.empty();) {
    const ssize_t count = ::write(port_.descriptor(), left.data(), left.size());
    // Nobody listens: what was said is gone.
    if (count <= 0) return;
    left = left.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace mymodule::test
