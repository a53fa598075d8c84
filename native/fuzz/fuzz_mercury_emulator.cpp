// Arbitrary commands to every kind of emulated module: each of them is answered, whatever it says,
// with a whole frame of its opcode.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "emulator/mercury/module.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/frame_parser.h"
#include "radio/mercury/search.h"

namespace {

using namespace singulate;
using namespace singulate::radio::mercury;
using emulator::mercury::Module;
using Bytes = std::vector<std::uint8_t>;

void expect(bool truth) {
  if (!truth) std::abort();
}

// Time in the field costs time here: nothing lasts longer than this.
constexpr unsigned kMostMs = 3;
constexpr std::size_t kMostCommands = 12;

radio::VirtualOptions field() {
  radio::VirtualOptions options;
  options.paced = false;
  options.start_ns = 1'700'000'000'000'000'000;
  options.antennas = {{.port = 1, .position = {.z = 1}}, {.port = 2, .position = {.z = 2}}};
  options.channels_khz = {915'250};
  options.models[0].user_words = 4;
  options.models[0].block_write = true;
  radio::VirtualGroup group;
  group.waypoints = {{}};
  for (std::uint8_t i = 0; i < 2; ++i) {
    radio::VirtualTag tag;
    tag.epc = {0x30, i};
    tag.tid = {0xE2, 0x80, 0, i};
    tag.access_password = i;
    group.tags.push_back(tag);
  }
  options.groups = {group};
  return options;
}

void shorten(SearchRequest& search) {
  search.timeout_ms = static_cast<std::uint16_t>(search.timeout_ms % kMostMs);
  if (search.off_ms) search.off_ms = static_cast<std::uint16_t>(*search.off_ms % kMostMs);
}

// The command with its times shortened.
Bytes shortened(std::uint8_t opcode, Bytes data) {
  switch (opcode) {
    case op::kSearch:
      if (auto search = decode_search(data)) {
        shorten(*search);
        return encode_search(*search);
      }
      return data;
    case op::kContinuous:
      if (auto request = decode_continuous(data); request && request->search) {
        shorten(*request->search);
        return encode_stream_start(*request->search);
      }
      return data;
    case op::kSetAntennas:
      // Times per antenna: three bytes each.
      for (std::size_t i = 2; i < data.size() && (data[0] & 0x7FU) == 7; i += 3) data[i] = 0;
      return data;
    case op::kReadSingle:
    case op::kReadData:
    case op::kWriteData:
    case op::kWriteEpc:
    case op::kLock:
    case op::kKill:
    case op::kTagSpecific:
    case op::kBlockErase:
      if (data.size() >= 2) {
        data[0] = 0;
        data[1] = static_cast<std::uint8_t>(data[1] % kMostMs);
      }
      return data;
    default:
      return data;
  }
}

class Bench {
 public:
  explicit Bench(const emulator::mercury::Profile& profile) {
    expect(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()) == 0);
    module_.emplace(profile, field(), ends_[0],
                    emulator::mercury::ModuleOptions{
                        .line_paced = false, .heartbeat = std::chrono::milliseconds(kMostMs)});
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  Bench(Bench&&) = delete;
  Bench& operator=(Bench&&) = delete;
  ~Bench() {
    module_.reset();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  void ask(std::uint8_t opcode, const Bytes& data) {
    const Bytes frame = encode_command(opcode, data);
    expect(::write(ends_[1], frame.data(), frame.size()) == static_cast<ssize_t>(frame.size()));
    bool answered = false;
    // A stream may have something to say first.
    for (int i = 0; i < 8 && !answered; ++i) {
      (void)module_->step();
      answered = take(opcode);
    }
    // Without a CRC its frames are not to be told from each other here.
    expect(answered || !module_->settings().keys().sends_crc());
  }
  void send(std::span<const std::uint8_t> bytes) {
    (void)!::write(ends_[1], bytes.data(), bytes.size());
    (void)module_->step();
    (void)take(0);
  }

 private:
  bool take(std::uint8_t opcode) {
    bool found = false;
    for (;;) {
      const auto room = parser_.room();
      const ssize_t count = ::read(ends_[1], room.data(), room.size());
      if (count <= 0) return found;
      parser_.added(static_cast<std::size_t>(count));
      while (const auto frame = parser_.next()) found = found || frame->opcode == opcode;
    }
  }

  std::array<int, 2> ends_{};
  FrameParser parser_{Kind::kReply};
  std::optional<Module> module_;
};

}  // namespace

// Byte 0: the profile. Then commands: opcode, length, data.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto profiles = emulator::mercury::profiles();
  Bench bench(profiles[data[0] % profiles.size()]);
  // One that is found in its bootloader is of no interest for long.
  bench.ask(op::kBootApplication, {});
  std::size_t at = 1;
  for (std::size_t i = 0; i < kMostCommands && at + 1 < size; ++i) {
    const std::uint8_t opcode = data[at];
    const std::size_t length =
        std::min<std::size_t>(data[at + 1] % (kMostCommandData + 1), size - at - 2);
    const Bytes body(data + at + 2, data + at + 2 + length);
    at += 2 + length;
    bench.ask(opcode, shortened(opcode, body));
  }
  // Whatever is left comes as it is.
  bench.send({data + at, std::min<std::size_t>(size - at, 200)});
  return 0;
}
