// Continuous reading of a module: op 2F, and op AA of the Silion dialect.
#include <algorithm>
#include <utility>

#include "emulator/mercury/embedded_access.h"
#include "emulator/mercury/module.h"
#include "emulator/mercury/stream_reports.h"
#include "gen2/units.h"
#include "radio/air_clock.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/silion.h"

namespace singulate::emulator::mercury {

using radio::mercury::ByteWriter;
using radio::mercury::SearchRequest;
namespace op = radio::mercury::op;
namespace search_flag = radio::mercury::search_flag;
namespace status = radio::mercury::status;

namespace {

// So long it is waited for room on the line before the next look.
constexpr std::chrono::milliseconds kRoomWait{20};
// A pause of the stream is looked up from after so long.
constexpr std::uint64_t kPauseStepNs = 5 * kNsPerMs;
// Bytes that stand for a record in the module's own buffer.
constexpr std::size_t kRecordBytes = 50;
constexpr std::uint8_t kContinuousCommand = 0x04;
// A module that is too hot rests for so long after each round.
constexpr std::uint64_t kRestNs = 20 * kNsPerMs;

}  // namespace

Answer Module::continuous(std::span<const std::uint8_t> data) {
  const auto request = radio::mercury::decode_continuous(data);
  if (!request) return bad_parameter();
  using Action = radio::mercury::ContinuousRequest::Action;
  switch (request->action) {
    case Action::kStart: {
      if ((request->search->flags & search_flag::kStream) == 0) return bad_parameter();
      if (request->search->select.multi && !profile_.multi_select) {
        return bad_parameter();
      }
      Answer answer = start(*request->search);
      if (answer.status == status::kSuccess) {
        answer.data = {static_cast<std::uint8_t>(Action::kStart), op::kSearch};
      }
      return answer;
    }
    case Action::kStop:
      // Also without a stream: a host that does not know begins with it.
      return stop_stream(op::kContinuous);
    case Action::kCommand: {
      const auto inner =
          settings_.handle({.opcode = request->opcode, .status = 0, .data = request->command_data});
      interrupted_ = true;
      const Answer answer = inner.value_or(fault(status::kInvalidOpcode));
      return {.data = ByteWriter()
                          .u8(kContinuousCommand)
                          .u8(static_cast<std::uint32_t>(answer.data.size()))
                          .u8(request->opcode)
                          .u16(answer.status)
                          .bytes(answer.data)
                          .take()};
    }
    case Action::kAuthentication:
      break;
  }
  return fault(status::kNotImplemented);
}

Answer Module::start(const SearchRequest& search) {
  if (stream_) return bad_parameter();
  if (search.embedded && !EmbeddedAccess::of(*search.embedded, search.select)) {
    return bad_parameter();
  }
  if (const std::uint16_t refused = air_.begin(settings_); refused != 0) return fault(refused);
  if (std::exchange(late_start_, false)) line_.hold(options_.stall_time);
  stream_ = search;
  stream_is_silion_ = false;
  stream_tags_ = 0;
  overflowed_ = false;
  stream_from_ns_ = air_.now_ns();
  return {};
}

Answer Module::asynchronous(std::span<const std::uint8_t> data) {
  using radio::mercury::SilionCommand;
  const auto message = radio::mercury::decode_silion(data);
  if (!message) return bad_parameter();
  if (message->command == SilionCommand::kStop) {
    return stop_stream(op::kSilion);
  }
  auto search = radio::mercury::decode_silion_start(message->data);
  if (!search) return bad_parameter();
  // Nobody tells it a cycle: one is as long as it may say nothing.
  search->timeout_ms = static_cast<std::uint16_t>(options_.heartbeat.count());
  Answer answer = start(*search);
  if (answer.status != status::kSuccess) return answer;
  stream_is_silion_ = true;
  answer.data = radio::mercury::encode_silion(SilionCommand::kStart);
  return answer;
}

Answer Module::stop_stream(std::uint8_t opcode) {
  interrupted_ = true;
  if (in_round_) {
    stops_due_.push_back(opcode);
    return {};
  }
  stream_.reset();
  if (opcode == op::kSilion) {
    return {.data = radio::mercury::encode_silion(radio::mercury::SilionCommand::kStop)};
  }
  return {.data = {static_cast<std::uint8_t>(radio::mercury::ContinuousRequest::Action::kStop)}};
}

bool Module::finish_stop() {
  if (stops_due_.empty()) return false;
  for (const std::uint8_t opcode : std::exchange(stops_due_, {})) {
    reply(opcode, stop_stream(opcode));
  }
  handle_commands();
  return true;
}

bool Module::look_around() {
  do_posted();
  (void)take_input();
  line_.flush();
  return stream_.has_value() && !interrupted_ && !stopped();
}

void Module::stream_cycle() {
  auto& radio = air_.radio();
  interrupted_ = false;
  const SearchRequest request = *stream_;
  const auto& ports = settings_.antennas().search_list();
  const std::uint64_t now = radio.now_ns();
  // Times of asynchronous reading go on from its start.
  const std::uint64_t from = stream_is_silion_ ? stream_from_ns_ : now;
  const std::uint64_t length = request.timeout_ms * kNsPerMs;
  bool any = false;
  for (std::size_t i = 0; i < ports.size() && stream_; ++i) {
    if (!settings_.antennas().is_there(ports[i])) send_report(status::kNoAntenna, {});
    if (!settings_.antennas().is_there(ports[i]) || reflects_) continue;
    air_.switch_on(ports[i], [this] { return look_around(); });
    const std::uint64_t told = settings_.antennas().on_time_ms(ports[i]) * kNsPerMs;
    const std::uint64_t share = told != 0 ? told : length / ports.size();
    const std::uint64_t until = radio.now_ns() + share;
    bool fresh = true;
    while (radio.now_ns() < until && look_around()) {
      any = true;
      radio::RoundResult slots;
      in_round_ = true;
      const std::uint16_t refused = air_.visit(
          settings_, request,
          {.port = ports[i],
           .from_ns = from,
           .until_ns = until,
           .one_round = true,
           .fresh_carrier = fresh},
          [this] { return look_around(); },
          [this](const KeptRecord& kept) { return send_record(kept); }, slots);
      in_round_ = false;
      fresh = false;
      // Nothing comes after the answer to a stop.
      if (finish_stop() || !stream_ || end_stream_if_over()) return;
      if (refused != 0) {
        send_report(refused, {});
        stream_.reset();
        return;
      }
      if (!stream_is_silion_ && (request.flags & search_flag::kRoundSummaries) != 0) {
        send_report(status::kSuccess, round_summary_report(request, slots));
      }
      if (!hot_) continue;
      send_report(status::kOverTemperature, {});
      (void)radio.idle_until(radio.now_ns() + kRestNs);
      fresh = true;
    }
  }
  if (!stream_ || stopped()) return;
  if (!any) {
    // No antenna that could be used: the cycle lasts as long, and nothing comes.
    if (!interrupted_ && reflects_) send_report(status::kHighReturnLoss, {});
    const std::uint64_t until = now + std::max(length, kPauseStepNs);
    while (look_around() && radio.now_ns() < until) {
      (void)radio.idle_until(std::min(until, radio.now_ns() + kPauseStepNs));
    }
  }
  if (!stream_) return;
  const bool tells_temperature =
      (request.flags & search_flag::kStatistics) != 0 &&
      (request.statistics.value_or(0) & radio::mercury::statistic::kTemperature) != 0;
  if (tells_temperature) {
    send_report(status::kSuccess, temperature_report(request, settings_.temperature_celsius));
  }
  if (!stream_is_silion_) {
    const auto elapsed_ms = static_cast<std::uint32_t>((radio.now_ns() - from) / kNsPerMs);
    send_report(status::kNoTags, cycle_end_report(request, elapsed_ms));
  } else if ((request.flags & search_flag::kHeartbeat) != 0) {
    send_report(status::kSuccess, radio::mercury::encode_heartbeat(request.flags));
  }
  const std::uint64_t off = request.off_ms.value_or(settings_.antennas().off_time_ms()) * kNsPerMs;
  const std::uint64_t until = radio.now_ns() + off;
  while (radio.now_ns() < until && look_around()) {
    (void)radio.idle_until(std::min(until, radio.now_ns() + kPauseStepNs));
  }
}

bool Module::end_stream_if_over() {
  const auto& most = stream_->stop_after_tags;
  if (std::exchange(overflowed_, false)) {
    // The hosts that are published start again without a stop, and so does our driver in the end.
    send_report(status::kBufferFull, {});
  } else if (most && stream_tags_ >= *most) {
    send_report(status::kSuccess, enough_tags_report(*stream_, profile_));
  } else {
    return false;
  }
  stream_.reset();
  return true;
}

bool Module::send_record(const KeptRecord& kept) {
  if (silent()) return true;
  const std::size_t most = profile_.buffer_records * kRecordBytes;
  while (options_.waits_for_line && line_.waiting() > most && look_around()) {
    line_.wait(kRoomWait);
  }
  if (!stream_) return false;
  if (line_.waiting() <= most) excused_ = 0;
  excused_ = std::max(excused_, lag_bytes());
  if (no_room_ || line_.waiting() > most + excused_) {
    no_room_ = false;
    lost_records_.fetch_add(1, std::memory_order_relaxed);
    overflowed_ = true;
    return false;
  }
  records_.fetch_add(1, std::memory_order_relaxed);
  ++stream_tags_;
  send_report(status::kSuccess, stream_is_silion_ ? silion_tag_report(*stream_, kept, profile_)
                                                  : tag_report(*stream_, kept, profile_));
  return !stream_->stop_after_tags || stream_tags_ < *stream_->stop_after_tags;
}

std::size_t Module::lag_bytes() const {
  constexpr std::uint64_t kBitsOfByte = 10;
  constexpr std::uint64_t kSecondNs = 1'000'000'000;
  if (!options_.line_paced || !field_.paced || field_.start_ns) return 0;
  const auto real = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  const std::uint64_t air = air_.now_ns();
  const std::uint64_t late = real > air ? std::min(real - air, radio::AirClock::kLongestLagNs) : 0;
  return static_cast<std::size_t>(late * line_.baud() / kBitsOfByte / kSecondNs);
}

void Module::send_report(std::uint16_t status, std::vector<std::uint8_t> data) {
  if (silent()) return;
  const std::uint8_t opcode = stream_is_silion_ ? op::kSilion : op::kSearch;
  line_.send(radio::mercury::encode_reply({.opcode = opcode, .status = status, .data = data},
                                          settings_.keys().sends_crc()));
  line_.flush();
}

}  // namespace singulate::emulator::mercury
