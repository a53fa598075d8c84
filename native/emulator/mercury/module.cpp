#include "emulator/mercury/module.h"

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/mercury/access_answer.h"
#include "emulator/mercury/stream_reports.h"
#include "gen2/units.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/silion.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteReader;
using radio::mercury::ByteWriter;
using radio::mercury::Frame;
using radio::mercury::SearchRequest;
namespace op = radio::mercury::op;
namespace search_flag = radio::mercury::search_flag;
namespace status = radio::mercury::status;

constexpr std::chrono::milliseconds kIdleWait{20};
// A frame that has begun and does not go on for so long will not be finished.
constexpr std::chrono::milliseconds kQuiet{50};
// A pause of the stream is looked up from after so long.
constexpr std::uint64_t kPauseStepNs = 5 * kNsPerMs;
constexpr std::uint32_t kGen2Mask = 0x10;
constexpr std::array<std::uint32_t, 9> kRates{9600,    19'200,  38'400,  57'600,   115'200,
                                              230'400, 460'800, 921'600, 1'000'000};
// Bytes that stand for a record in the module's own buffer.
constexpr std::size_t kRecordBytes = 50;
constexpr std::uint8_t kContinuousCommand = 0x04;
// How much a fault of the line spoils: less than a record, some records, more than a frame.
constexpr unsigned kLostBytes = 7;
constexpr unsigned kSpoiltBytes = 60;
constexpr unsigned kNoiseBytes = 300;
constexpr std::chrono::milliseconds kBootTime{30};
constexpr unsigned kRecordsWithoutRoom = 20;
constexpr std::int8_t kHotCelsius = 92;
constexpr std::int8_t kUsualCelsius = 29;
// A module that is too hot rests for so long after each round.
constexpr std::uint64_t kRestNs = 20 * kNsPerMs;

}  // namespace

Module::Module(const Profile& profile, const radio::VirtualOptions& field, int descriptor,
               ModuleOptions options)
    : profile_(profile),
      field_(field),
      options_(options),
      line_(descriptor, options.line_paced),
      air_(profile, field, options.line_paced),
      settings_(profile, air_.antennas(), field.channels_khz),
      program_(profile.starts_in_bootloader ? Program::kBootloader : Program::kApplication),
      buffer_(profile) {
  line_.heed_host_rate(options.heeds_host_rate);
}

void Module::run() {
  while (!stopped()) {
    if (!step()) line_.wait(kIdleWait);
  }
}

bool Module::step() {
  do_posted();
  if (stream_) {
    stream_cycle();
    return true;
  }
  const bool came = take_input();
  line_.flush();
  return came;
}

void Module::post(std::function<void(Module&)> work) {
  const std::lock_guard lock(posted_mutex_);
  posted_.push_back(std::move(work));
  has_posted_.store(true, std::memory_order_release);
}

void Module::do_posted() {
  if (!has_posted_.exchange(false, std::memory_order_acquire)) return;
  std::vector<std::function<void(Module&)>> works;
  {
    const std::lock_guard lock(posted_mutex_);
    works.swap(posted_);
  }
  for (const auto& work : works) work(*this);
  interrupted_ = true;
}

bool Module::inject(std::string_view fault) {
  const auto found = find_fault(fault);
  if (!found) return false;
  const bool of_cable = *found == Fault::kUnplug || *found == Fault::kReplug;
  if (of_cable && options_.cable == nullptr) return false;
  post([one = *found](Module& module) { module.strike(one); });
  return true;
}

void Module::strike(Fault fault) {
  switch (fault) {
    case Fault::kLostBytes:
      line_.lose(kLostBytes);
      break;
    case Fault::kBitErrors:
      line_.flip_bits(kSpoiltBytes);
      break;
    case Fault::kGarbage:
      line_.add_noise(kNoiseBytes);
      break;
    case Fault::kStall:
      line_.hold(options_.stall_time);
      break;
    case Fault::kLateStart:
      late_start_ = true;
      break;
    case Fault::kHang:
      fall_silent(options_.hang_time);
      break;
    case Fault::kReset:
      power_cycle();
      fall_silent(kBootTime);
      break;
    case Fault::kHighTemperature:
      hot_ = true;
      settings_.temperature_celsius = kHotCelsius;
      break;
    case Fault::kTemperatureNormal:
      hot_ = false;
      settings_.temperature_celsius = kUsualCelsius;
      break;
    case Fault::kInput1High:
    case Fault::kInput1Low:
      settings_.set_input(1, fault == Fault::kInput1High);
      break;
    case Fault::kInput2High:
    case Fault::kInput2Low:
      settings_.set_input(2, fault == Fault::kInput2High);
      break;
    case Fault::kHighReturnLoss:
      reflects_ = true;
      break;
    case Fault::kReturnLossNormal:
      reflects_ = false;
      break;
    case Fault::kAntennaPulled:
    case Fault::kAntennaBack:
      for (const std::uint8_t port : air_.antennas()) {
        settings_.pull_antenna(port, fault == Fault::kAntennaBack);
      }
      break;
    case Fault::kBufferOverflow:
      no_room_ = kRecordsWithoutRoom;
      break;
    case Fault::kUnplug:
      options_.cable->unplug();
      line_.replace(-1);
      break;
    case Fault::kReplug:
      line_.replace(options_.cable->replug());
      break;
  }
}

void Module::power_cycle() {
  stream_.reset();
  buffer_.clear();
  parser_.clear();
  // What is so whatever the module remembers: its antennas, and how warm it is.
  std::vector<std::uint8_t> present;
  for (const std::uint8_t port : air_.antennas()) {
    if (settings_.has_antenna(port)) present.push_back(port);
  }
  const std::int8_t temperature = settings_.temperature_celsius;
  settings_ = Settings(profile_, std::move(present), field_.channels_khz);
  settings_.temperature_celsius = temperature;
  next_rate_.reset();
  program_ = profile_.starts_in_bootloader ? Program::kBootloader : Program::kApplication;
  constexpr std::uint32_t kFactoryRate = 115'200;
  line_.replace(line_.descriptor());
  line_.change_rate(kFactoryRate);
  interrupted_ = true;
}

ModuleCounters Module::counters() const {
  return {.commands = commands_.load(),
          .faults = faults_.load(),
          .records = records_.load(),
          .lost_records = lost_records_.load(),
          .pins = pins_.load()};
}

bool Module::take_input() {
  const auto room = parser_.room();
  const std::size_t count = line_.read(room);
  const auto now = Clock::now();
  if (count == 0) {
    if (now - last_input_ < kQuiet || !parser_.give_up()) return false;
    // What follows the false start may be a whole frame.
  } else {
    last_input_ = now;
    parser_.added(count);
    // Who has lost its power, or hangs, hears nothing.
    if (silent()) {
      parser_.clear();
      return true;
    }
  }
  while (const auto command = parser_.next()) handle(*command);
  pins_.store(settings_.pin_levels());
  return true;
}

void Module::handle(const Frame& command) {
  commands_.fetch_add(1, std::memory_order_relaxed);
  // The data would go with the next bytes, and the answer may take long.
  const std::vector<std::uint8_t> data(command.data.begin(), command.data.end());
  reply(command.opcode, answer_to({.opcode = command.opcode, .status = 0, .data = data}));
  // The reply leaves at the old rate.
  if (const auto rate = std::exchange(next_rate_, std::nullopt)) line_.change_rate(*rate);
}

void Module::reply(std::uint8_t opcode, const Answer& answer) {
  if (silent()) return;
  if (answer.status != status::kSuccess) faults_.fetch_add(1, std::memory_order_relaxed);
  line_.send(radio::mercury::encode_reply(
      {.opcode = opcode, .status = answer.status, .data = answer.data}, settings_.sends_crc()));
  line_.flush();
}

Answer Module::answer_to(const Frame& command) {
  const std::uint8_t of_stream = stream_is_silion_ ? op::kSilion : op::kContinuous;
  if (stream_ && command.opcode != of_stream) return fault(status::kInvalidOpcode);
  switch (command.opcode) {
    case op::kVersion:
      return command.data.empty() ? version() : fault(status::kDataCount);
    case op::kSetBaudRate:
      return set_baud(command.data);
    case op::kCurrentProgram:
      if (!command.data.empty()) return fault(status::kDataCount);
      return {.data = {static_cast<std::uint8_t>(program_)}};
    default:
      break;
  }
  return program_ == Program::kBootloader ? bootloader_answer(command)
                                          : application_answer(command);
}

Answer Module::version() const {
  constexpr std::uint32_t kBootloader = 0x20190723;
  constexpr std::uint32_t kFirmwareDate = 0x20240101;
  constexpr std::uint32_t kFirmware = 0x01090203;
  const bool boots = program_ == Program::kApplication;
  return {.data = ByteWriter()
                      .u32(kBootloader)
                      .bytes(profile_.hardware)
                      .u32(kFirmwareDate)
                      .u32(kFirmware)
                      .u32(boots ? kGen2Mask : 0)
                      .take()};
}

Answer Module::set_baud(std::span<const std::uint8_t> data) {
  if (data.size() != 4) return fault(status::kDataCount);
  const std::uint32_t rate = ByteReader(data).u32();
  if (std::find(kRates.begin(), kRates.end(), rate) == kRates.end()) {
    return fault(status::kBaudRate);
  }
  next_rate_ = rate;
  return {};
}

Answer Module::bootloader_answer(const Frame& command) {
  constexpr std::size_t kPassword = 4;
  switch (command.opcode) {
    case op::kBootApplication:
      if (!command.data.empty()) return fault(status::kDataCount);
      program_ = Program::kApplication;
      return version();
    case op::kEraseFlash:
      if (command.data.size() != kPassword + 1) return fault(status::kDataCount);
      image_.clear();
      return {};
    case op::kWriteFlash: {
      constexpr std::size_t kHead = kPassword + 5;
      if (command.data.size() <= kHead) return fault(status::kDataCount);
      ByteReader reader(command.data.subspan(kPassword));
      if (reader.u32() != image_.size()) return fault(0x0300);
      const auto piece = command.data.subspan(kHead);
      image_.insert(image_.end(), piece.begin(), piece.end());
      return {};
    }
    case op::kVerifyImage:
      return image_.empty() ? fault(0x0200) : Answer{};
    default:
      return fault(status::kInvalidOpcode);
  }
}

Answer Module::application_answer(const Frame& command) {
  const auto data = command.data;
  switch (command.opcode) {
    case op::kBootBootloader:
      program_ = Program::kBootloader;
      return {};
    case op::kHardware:
      return product_data(data);
    case op::kSearch:
      return search(data);
    case op::kReadSingle:
      return read_single(data);
    case op::kGetBuffer:
      return buffer_.answer(data);
    case op::kClearBuffer:
      if (!data.empty()) return fault(status::kDataCount);
      buffer_.clear();
      return {};
    case op::kContinuous:
      if (profile_.asynchronous) break;
      return continuous(data);
    case op::kSilion:
      if (!profile_.asynchronous) break;
      return asynchronous(data);
    case op::kReadData:
    case op::kWriteData:
    case op::kWriteEpc:
    case op::kLock:
    case op::kKill:
    case op::kTagSpecific:
    case op::kBlockErase:
      return access(command);
    default:
      break;
  }
  if (auto answer = settings_.handle(command)) return std::move(*answer);
  return fault(status::kInvalidOpcode);
}

Answer Module::product_data(std::span<const std::uint8_t> data) const {
  constexpr std::uint8_t kSerialNumber = 0x40;
  if (data.size() != 2) return fault(status::kDataCount);
  Answer answer{.data = {data.begin(), data.end()}};
  if (data[1] == kSerialNumber) {
    constexpr std::string_view kNumber = "EMULATED0001";
    answer.data.push_back(static_cast<std::uint8_t>(kNumber.size()));
    answer.data.insert(answer.data.end(), kNumber.begin(), kNumber.end());
  } else if (data[1] == 0) {
    answer.data.insert(answer.data.end(), profile_.hardware.begin(), profile_.hardware.end());
  } else {
    return fault(status::kBadParameter);
  }
  return answer;
}

std::uint16_t Module::begin_air() {
  if (hot_) return status::kOverTemperature;
  if (reflects_) return status::kHighReturnLoss;
  return air_.begin(settings_);
}

Answer Module::search(std::span<const std::uint8_t> data) {
  const auto request = radio::mercury::decode_search(data);
  if (!request) return fault(status::kBadParameter);
  if ((request->flags & search_flag::kStream) != 0) return fault(status::kBadParameter);
  if (request->select.multi && !profile_.multi_select) return fault(status::kBadParameter);
  std::uint32_t added = 0;
  std::uint32_t seen = 0;
  radio::mercury::SearchReply counts;
  bool full = false;
  interrupted_ = false;
  auto& radio = air_.radio();
  if (const std::uint16_t refused = begin_air(); refused != 0) return fault(refused);
  radio::RoundResult slots;
  const std::uint64_t from = radio.now_ns();
  const std::uint64_t until = from + request->timeout_ms * kNsPerMs;
  const bool configured =
      (request->flags & search_flag::kConfiguredAntennas) == search_flag::kConfiguredAntennas;
  std::vector<std::uint8_t> ports = settings_.search_list();
  if (!configured) ports.resize(1);
  bool enough = false;
  const auto on_tag = [&](const KeptRecord& kept) {
    ++seen;
    if (request->embedded) {
      auto& count =
          kept.record.data_fault == 0 ? counts.embedded_succeeded : counts.embedded_failed;
      ++count;
    }
    const auto now = buffer_.keep(kept, settings_);
    full = now == RecordBuffer::Kept::kFull;
    if (now == RecordBuffer::Kept::kNew) ++added;
    enough = full || (request->stop_after_tags && seen >= *request->stop_after_tags);
    return !enough;
  };
  bool any_antenna = false;
  while (!enough && radio.now_ns() < until && !stopped()) {
    const std::uint64_t before = radio.now_ns();
    for (std::size_t i = 0; i < ports.size() && !enough; ++i) {
      if (!settings_.has_antenna(ports[i])) continue;
      any_antenna = true;
      air_.switch_on(ports[i], [this] { return !stopped(); });
      const std::uint64_t left = until > radio.now_ns() ? until - radio.now_ns() : 0;
      const std::uint64_t told = settings_.on_time_ms(ports[i]) * kNsPerMs;
      const std::uint64_t share = told != 0 ? std::min(told, left) : left / (ports.size() - i);
      const std::uint16_t refused = air_.visit(
          settings_, *request,
          {.port = ports[i],
           .from_ns = from,
           .until_ns = radio.now_ns() + share,
           .fresh_carrier = true},
          [this] { return !stopped(); }, on_tag, slots);
      if (refused != 0) return fault(refused);
    }
    if (!any_antenna) return fault(status::kNoAntenna);
    if (radio.now_ns() == before) break;
  }
  if (full) return fault(status::kBufferFull);
  if (seen == 0) return fault(status::kNoTags);
  counts.new_records = added;
  return {.data = encode_search_reply(*request, counts)};
}

Answer Module::read_single(std::span<const std::uint8_t> data) {
  if (data.size() < 2) return fault(status::kDataCount);
  SearchRequest request;
  request.select.multi = false;
  ByteReader reader(data);
  request.timeout_ms = reader.u16();
  if (!reader.at_end()) {
    // One select; without metadata.
    const std::uint8_t option = reader.u8();
    if ((option & radio::mercury::option::kMetadata) != 0) return fault(status::kBadParameter);
    request.select = read_selects(reader, false, option);
    if (!reader.ok() || !reader.at_end()) return fault(status::kBadParameter);
  }
  std::optional<KeptRecord> found;
  radio::RoundResult slots;
  if (const std::uint16_t refused = begin_air(); refused != 0) return fault(refused);
  const std::uint64_t from = air_.now_ns();
  const std::uint16_t refused = air_.visit(
      settings_, request,
      {.port = settings_.search_list().front(),
       .from_ns = from,
       .until_ns = from + request.timeout_ms * kNsPerMs},
      [&] { return !found && !stopped(); },
      [&](const KeptRecord& kept) {
        found = kept;
        return false;
      },
      slots);
  if (refused != 0) return fault(refused);
  if (!found) return fault(status::kNoTags);
  ByteWriter writer;
  return {.data = writer.bytes(found->epc).u16(found->record.crc).take()};
}

Answer Module::continuous(std::span<const std::uint8_t> data) {
  const auto request = radio::mercury::decode_continuous(data);
  if (!request) return fault(status::kBadParameter);
  using Action = radio::mercury::ContinuousRequest::Action;
  switch (request->action) {
    case Action::kStart: {
      if ((request->search->flags & search_flag::kStream) == 0) return fault(status::kBadParameter);
      if (request->search->select.multi && !profile_.multi_select) {
        return fault(status::kBadParameter);
      }
      Answer answer = start(*request->search);
      if (answer.status == status::kSuccess) {
        answer.data = {static_cast<std::uint8_t>(Action::kStart), op::kSearch};
      }
      return answer;
    }
    case Action::kStop:
      // Also without a stream: a host that does not know begins with it.
      stream_.reset();
      interrupted_ = true;
      return {.data = {static_cast<std::uint8_t>(Action::kStop)}};
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
  if (stream_) return fault(status::kBadParameter);
  if (search.embedded && !embedded_operations(*search.embedded, search.select)) {
    return fault(status::kBadParameter);
  }
  if (const std::uint16_t refused = air_.begin(settings_); refused != 0) return fault(refused);
  if (std::exchange(late_start_, false)) line_.hold(options_.stall_time);
  stream_ = search;
  stream_is_silion_ = false;
  stream_from_ns_ = air_.now_ns();
  return {};
}

Answer Module::asynchronous(std::span<const std::uint8_t> data) {
  using radio::mercury::SilionCommand;
  const auto message = radio::mercury::decode_silion(data);
  if (!message) return fault(status::kBadParameter);
  if (message->command == SilionCommand::kStop) {
    stream_.reset();
    interrupted_ = true;
    return {.data = radio::mercury::encode_silion(SilionCommand::kStop)};
  }
  auto search = radio::mercury::decode_silion_start(message->data);
  if (!search) return fault(status::kBadParameter);
  // Nobody tells it a cycle: one is as long as it may say nothing.
  search->timeout_ms = static_cast<std::uint16_t>(options_.heartbeat.count());
  Answer answer = start(*search);
  if (answer.status != status::kSuccess) return answer;
  stream_is_silion_ = true;
  answer.data = radio::mercury::encode_silion(SilionCommand::kStart);
  return answer;
}

Answer Module::access(const Frame& command) {
  if (hot_) return fault(status::kOverTemperature);
  if (reflects_) return fault(status::kHighReturnLoss);
  return access_answer(command, profile_, settings_, air_, [this] { return !stopped(); });
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
  const auto& ports = settings_.search_list();
  const std::uint64_t now = radio.now_ns();
  // Times of asynchronous reading go on from its start.
  const std::uint64_t from = stream_is_silion_ ? stream_from_ns_ : now;
  const std::uint64_t length = request.timeout_ms * kNsPerMs;
  bool any = false;
  for (std::size_t i = 0; i < ports.size() && stream_; ++i) {
    if (!settings_.has_antenna(ports[i])) send_report(status::kNoAntenna, {});
    if (!settings_.has_antenna(ports[i]) || reflects_) continue;
    air_.switch_on(ports[i], [this] { return look_around(); });
    const std::uint64_t told = settings_.on_time_ms(ports[i]) * kNsPerMs;
    const std::uint64_t share = told != 0 ? told : length / ports.size();
    const std::uint64_t until = radio.now_ns() + share;
    bool fresh = true;
    while (radio.now_ns() < until && look_around()) {
      any = true;
      radio::RoundResult slots;
      const std::uint16_t refused = air_.visit(
          settings_, request,
          {.port = ports[i],
           .from_ns = from,
           .until_ns = until,
           .one_round = true,
           .fresh_carrier = fresh},
          [this] { return look_around(); },
          [this](const KeptRecord& kept) { return send_record(kept); }, slots);
      fresh = false;
      // It was stopped meanwhile: nothing comes after the answer to that.
      if (!stream_) return;
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
  if (std::exchange(overflowed_, false)) send_report(status::kBufferFull, {});
  if (!stream_is_silion_) {
    const auto elapsed_ms = static_cast<std::uint32_t>((radio.now_ns() - from) / kNsPerMs);
    send_report(status::kNoTags, cycle_end_report(request, elapsed_ms));
  } else if ((request.flags & search_flag::kHeartbeat) != 0) {
    send_report(status::kSuccess, radio::mercury::encode_heartbeat(request.flags));
  }
  const std::uint64_t off = request.off_ms.value_or(settings_.off_time_ms()) * kNsPerMs;
  const std::uint64_t until = radio.now_ns() + off;
  while (radio.now_ns() < until && look_around()) {
    (void)radio.idle_until(std::min(until, radio.now_ns() + kPauseStepNs));
  }
}

bool Module::send_record(const KeptRecord& kept) {
  if (silent()) return true;
  const std::size_t most = profile_.buffer_records * kRecordBytes;
  while (options_.waits_for_line && line_.waiting() > most && look_around()) {
    line_.wait(kIdleWait);
  }
  if (!stream_) return false;
  if (line_.waiting() <= most) excused_ = 0;
  excused_ = std::max(excused_, lag_bytes());
  if (no_room_ > 0 || line_.waiting() > most + excused_) {
    if (no_room_ > 0) --no_room_;
    lost_records_.fetch_add(1, std::memory_order_relaxed);
    overflowed_ = true;
    return true;
  }
  records_.fetch_add(1, std::memory_order_relaxed);
  send_report(status::kSuccess, stream_is_silion_ ? silion_tag_report(*stream_, kept, profile_)
                                                  : tag_report(*stream_, kept, profile_));
  return true;
}

std::size_t Module::lag_bytes() const {
  constexpr std::uint64_t kBitsOfByte = 10;
  constexpr std::uint64_t kLongestNs = 1'000'000'000;
  if (!options_.line_paced || !field_.paced || field_.start_ns) return 0;
  const auto real = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  const std::uint64_t air = air_.now_ns();
  const std::uint64_t late = real > air ? std::min(real - air, kLongestNs) : 0;
  return static_cast<std::size_t>(late * line_.baud() / kBitsOfByte / kLongestNs);
}

void Module::send_report(std::uint16_t status, std::vector<std::uint8_t> data) {
  if (silent()) return;
  const std::uint8_t opcode = stream_is_silion_ ? op::kSilion : op::kSearch;
  line_.send(radio::mercury::encode_reply({.opcode = opcode, .status = status, .data = data},
                                          settings_.sends_crc()));
  line_.flush();
}

}  // namespace singulate::emulator::mercury
