// A module on the other end of a serial line: it boots, answers commands, and reads tags.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "emulator/mercury/air.h"
#include "emulator/mercury/bootloader.h"
#include "emulator/mercury/faults.h"
#include "emulator/mercury/line.h"
#include "emulator/mercury/profile.h"
#include "emulator/mercury/pty_port.h"
#include "emulator/mercury/record_buffer.h"
#include "emulator/mercury/settings.h"
#include "radio/mercury/frame_parser.h"

namespace singulate::emulator::mercury {

struct ModuleOptions {
  bool line_paced = true;
  // A stream waits for the line, as long as its field does (one that is not paced); otherwise
  // what finds no room is lost, as in a real module.
  bool waits_for_line = false;
  // On a pseudo-terminal: a host at another baud rate hears and says nothing sensible.
  bool heeds_host_rate = false;
  // What unplug and replug move; without one these are no faults of this module. It outlives it.
  Cable* cable = nullptr;
  // How long a fault lasts that ends by itself.
  std::chrono::milliseconds stall_time{120};
  std::chrono::milliseconds hang_time{400};
  // Of asynchronous reading: so often the module says that it is there.
  std::chrono::milliseconds heartbeat{200};
};

struct ModuleCounters {
  std::uint64_t commands = 0;
  std::uint64_t faults = 0;   // answers with a status
  std::uint64_t records = 0;  // sent in streams
  std::uint64_t lost_records = 0;
  std::uint8_t pins = 0;  // which of them are high; a bit each, from the lowest
};

class Module {
 public:
  // The descriptor is the module's end of the line; it stays the caller's. The field must be
  // without fault (check_virtual_options).
  Module(const Profile& profile, const radio::VirtualOptions& field, int descriptor,
         ModuleOptions options);

  // Until stop(). On a thread of its own.
  void run();
  // One pass of run(): what was posted, one cycle of a stream, or what has come on the line. True:
  // there was something to do.
  bool step();
  // From any thread.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }

  // Done soon on the thread of run(), between two commands or in the middle of a stream. From any
  // thread.
  void post(std::function<void(Module&)> work);

  // A fault by its name (faults.h), soon. From any thread. False: there is none of that name, or
  // this module cannot have it.
  bool inject(std::string_view fault);

  // For posted work: events of the hardware.
  [[nodiscard]] Settings& settings() { return settings_; }
  [[nodiscard]] Line& line() { return line_; }
  // As after a loss of power: nothing of what was told remains.
  void power_cycle();
  // Answers to nothing and sends nothing until then.
  void fall_silent(std::chrono::nanoseconds duration) { silent_until_ = Clock::now() + duration; }

  // From any thread.
  [[nodiscard]] ModuleCounters counters() const;

 private:
  enum class Program : std::uint8_t { kBootloader = 0x11, kApplication = 0x12 };

  void strike(Fault fault);
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool silent() const { return Clock::now() < silent_until_; }
  void do_posted();
  // Reads and answers what has come. True: something had.
  bool take_input();
  void handle_commands();
  void handle(const radio::mercury::Frame& command);
  Answer answer_to(const radio::mercury::Frame& command);
  [[nodiscard]] Answer version() const;
  Answer application_answer(const radio::mercury::Frame& command);
  // Nothing may be sent, or the settings cannot be: a status. 0 otherwise.
  std::uint16_t begin_air();
  Answer set_baud(std::span<const std::uint8_t> data);
  Answer search(std::span<const std::uint8_t> data);
  Answer read_single(std::span<const std::uint8_t> data);
  Answer continuous(std::span<const std::uint8_t> data);
  Answer start(const radio::mercury::SearchRequest& search);
  Answer asynchronous(std::span<const std::uint8_t> data);
  Answer statistics(std::span<const std::uint8_t> data);
  Answer access(const radio::mercury::Frame& command);
  void reply(std::uint8_t opcode, const Answer& answer);

  // One on-cycle of continuous reading, and the off time after it.
  void stream_cycle();
  bool send_record(const KeptRecord& kept);
  // A stream that has no room for its records, or as many as were asked for, says so and is over.
  bool end_stream_if_over();
  // What the line could have taken while the machine held the module up: no fault of its own.
  [[nodiscard]] std::size_t lag_bytes() const;
  void send_report(std::uint16_t status, std::vector<std::uint8_t> data);
  // While a round runs or a pause lasts. False: it shall end.
  bool look_around();
  // The stop of a stream, asked for with that opcode; not yet if it comes in the middle of a round,
  // whose reads are sent before it is answered.
  Answer stop_stream(std::uint8_t opcode);
  // After a round. True: the stream was stopped in it, and is over.
  bool finish_stop();

  const Profile& profile_;
  const radio::VirtualOptions field_;
  const ModuleOptions options_;
  Line line_;
  radio::mercury::FrameParser parser_{radio::mercury::Kind::kCommand};
  Clock::time_point last_input_ = Clock::now();
  Air air_;
  Settings settings_;
  Program program_;
  RecordBuffer buffer_;
  Bootloader bootloader_;
  std::optional<radio::mercury::SearchRequest> stream_;
  bool stream_is_silion_ = false;
  std::uint64_t stream_from_ns_ = 0;
  std::optional<std::uint32_t> next_rate_;
  bool interrupted_ = false;  // the running round shall end: something has changed
  bool in_round_ = false;
  std::vector<std::uint8_t> stops_due_;  // opcodes of stops that are answered after the round
  bool overflowed_ = false;
  bool hot_ = false;
  bool late_start_ = false;  // the next start is answered late
  bool reflects_ = false;
  std::size_t excused_ = 0;
  bool no_room_ = false;           // for the next record
  std::uint32_t stream_tags_ = 0;  // records of the stream so far
  Clock::time_point silent_until_{};

  std::atomic<bool> stopped_ = false;
  std::mutex posted_mutex_;
  std::vector<std::function<void(Module&)>> posted_;
  std::atomic<bool> has_posted_ = false;
  std::atomic<std::uint64_t> commands_ = 0;
  std::atomic<std::uint8_t> pins_ = 0;
  std::atomic<std::uint64_t> faults_ = 0;
  std::atomic<std::uint64_t> records_ = 0;
  std::atomic<std::uint64_t> lost_records_ = 0;
};

}  // namespace singulate::emulator::mercury
