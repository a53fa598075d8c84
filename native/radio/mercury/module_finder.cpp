#include "radio/mercury/module_finder.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/search.h"
#include "radio/mercury/silion.h"

namespace singulate::radio::mercury {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A line that never falls silent is not drained for longer.
constexpr milliseconds kDrain{300};
// Nothing came for so long: it is silent.
constexpr milliseconds kSilent{2};
constexpr std::uint32_t kUsualRate = 115'200;
constexpr std::array<std::uint32_t, 9> kRates{115'200, 9600,    921'600, 19'200,   38'400,
                                              57'600,  230'400, 460'800, 1'000'000};
// A rate that fails as often is too fast for the line.
constexpr unsigned kMostFailedRaises = 3;

bool in_bootloader(std::span<const std::uint8_t> version) {
  constexpr std::size_t kVersionBytes = 20;
  return version.size() < kVersionBytes ||
         std::all_of(version.end() - 4, version.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::span<const std::uint32_t> ModuleFinder::all_rates() { return kRates; }

bool ModuleFinder::at_usual_rate() const { return baud_ == kUsualRate; }

std::vector<std::uint32_t> ModuleFinder::likely_rates() const {
  if (options_.baud == 0) return {kRates.begin(), kRates.end()};
  // A module that was lost for a moment still has the rate that it was raised to.
  if (booted_ && work_baud_ != 0) return {options_.baud, work_baud_};
  return {options_.baud};
}

std::vector<std::uint32_t> ModuleFinder::rates_after_loss(int tries) {
  // After a loss of power it has the usual rate again, after one of the cable that of before; or
  // another if its factory's is none of these.
  constexpr int kUsualTries = 2;
  // A search may be ended sooner than a look at both takes (a round of some milliseconds): the next
  // one begins with the other.
  const bool usual_first = looks_++ % 2 == 0;
  if (tries >= kUsualTries) return {kRates.begin(), kRates.end()};
  const std::uint32_t before = work_baud_ == 0 ? baud_ : work_baud_;
  if (usual_first) return {kUsualRate, before};
  return {before, kUsualRate};
}

Status ModuleFinder::find(std::span<const std::uint32_t> rates,
                          const Connection::OnReport& on_report) {
  constexpr int kRuns = 2;
  const Connection::OnReport take = on_report ? on_report : [](const Frame&) {};
  for (int run = 0; run < kRuns; ++run) {
    for (const std::uint32_t rate : rates) {
      if (interrupted_.load(std::memory_order_relaxed)) {
        connection_.port().close();
        return Error{.code = ErrorCode::kModule, .message = "interrupted"};
      }
      if (auto opened = connection_.port().open(options_.path, rate); !opened.ok()) return opened;
      connection_.clear();
      baud_ = rate;
      // It may still stream, for a host that is gone or for the round that runs.
      const auto stopped =
          connection_.ask(op::kContinuous, kStreamStop, options_.times.probe, take);
      // One that is known not to have the other stop is not asked: its refusal could come late.
      const bool may_be_silion = family_.asynchronous || !booted_;
      if (may_be_silion && (!stopped.ok() || stopped.value().status != status::kSuccess)) {
        const auto other = encode_silion(SilionCommand::kStop);
        (void)connection_.ask(op::kSilion, other, options_.times.probe, take);
      }
      const auto until = steady_clock::now() + kDrain;
      while (steady_clock::now() < until &&
             connection_.listen(kSilent, take) == Connection::Listened::kFrames) {
      }
      const auto version = connection_.ask(op::kVersion, {}, options_.times.probe);
      if (version.ok() && version.value().status == status::kSuccess) return {};
    }
  }
  connection_.port().close();
  return Error{.code = ErrorCode::kModule,
               .message = options_.path + ": no module answers, at no baud rate"};
}

Status ModuleFinder::boot() {
  auto version = connection_.ask_well("version", op::kVersion, {}, options_.times.answer);
  if (!version.ok()) return version.error();
  auto data = version.value();
  if (in_bootloader(data)) {
    auto booted =
        Connection::well("start of the application",
                         connection_.ask(op::kBootApplication, {}, 2 * options_.times.answer));
    if (!booted.ok()) return booted.error();
    data = booted.value();
    if (in_bootloader(data)) {
      return Error{.code = ErrorCode::kModule,
                   .message = "the module's application does not start"};
    }
  }
  ByteReader reader(data);
  reader.u32();
  const auto hardware = reader.take(4);
  family_ = family_of(hardware.first<4>());
  reader.u32();
  firmware_.clear();
  for (int i = 0; i < 4; ++i) {
    if (i > 0) firmware_ += '.';
    firmware_ += std::to_string(reader.u8());
  }
  booted_ = true;
  return {};
}

Status ModuleFinder::raise_rate(const Connection::OnReport& on_report) {
  if (work_baud_ == 0 || work_baud_ == baud_) return {};
  const auto rate = ByteWriter().u32(work_baud_).take();
  const auto answer = connection_.ask(op::kSetBaudRate, rate, options_.times.answer);
  if (!answer.ok()) return answer.error();
  if (answer.value().status != status::kSuccess) return {};  // it stays as it is
  if (auto set = connection_.port().set_baud(work_baud_); set.ok()) {
    const auto version = connection_.ask(op::kVersion, {}, options_.times.answer);
    if (version.ok()) {
      baud_ = work_baud_;
      failed_raises_ = 0;
      return {};
    }
  }
  // Too fast for this line, if it fails again: back to where it was found.
  if (++failed_raises_ >= kMostFailedRaises) work_baud_ = 0;
  return find(kRates, on_report);
}

void ModuleFinder::lower_rate() {
  if (baud_ == kUsualRate || baud_ == 0) return;
  const auto rate = ByteWriter().u32(kUsualRate).take();
  (void)connection_.ask(op::kSetBaudRate, rate, options_.times.answer);
}

}  // namespace singulate::radio::mercury
