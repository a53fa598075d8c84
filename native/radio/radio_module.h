// The one interface a radio module implements. docs/drivers.md explains how.
//
// Order: made -> open() -> open -> configure() -> inventory -> close(). In an inventory rounds,
// change(), idle_until() and access_tag() follow each other in any order. It ends without a call of
// its own: with idle_until(now), which switches the carrier off. The next one begins with
// configure(). close() may come at any time between two calls, and open() after it.
//
// Who calls: RadioHost (native/inventory/radio_host.h) and the inventory loop, which is a part of
// its work. Threads, of which there are two:
//
// - The host's thread. It makes all calls but those below, one at a time, so they need no locks,
//   and may wait for the module: a request to it and its answer (a second, say), or as long as the
//   call says. Nobody else waits meanwhile, but what is asked for next is done after it.
// - Another thread, the event loop of the service. It makes the calls that say "from any thread":
//   interrupt(), collect(), set_output(), input_high(), link(), region_name(). They come at any
//   moment, before open(), after close() and during any other call, and several of them may follow
//   each other. They never ask the module and never wait for another call: each takes
//   microseconds. What they share with the other calls is atomic, or has a lock that is held for as
//   long. The loop makes some of these calls on the host's thread too.
//
// The object is made on the event loop, which also opens modules that cannot be lost. When the
// host's thread has ended it is closed, maybe once more, and destroyed there.
//
// Errors: nothing throws. A method that failed leaves the module so that the same call may come
// again; the text reaches users as it is: one line, without a final stop.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gen2/select.h"
#include "gen2/session.h"
#include "radio/access_op.h"
#include "radio/capabilities.h"
#include "radio/result.h"
#include "radio/tag_read.h"

namespace singulate::radio {

// What stays the same for all rounds of an inventory. Already validated against
// the capabilities.
struct RadioSettings {
  struct Antenna {
    std::uint8_t port = 0;
    std::uint16_t beam = 0;                // of an array antenna, from 1; 0 = as a whole
    std::int32_t transmit_power_cdbm = 0;  // hundredths of a dBm, conducted
  };
  std::string link_profile;  // one of the capabilities' names
  std::vector<Antenna> antennas;
};

inline constexpr std::uint64_t kNoDeadline = std::numeric_limits<std::uint64_t>::max();

// What is sent before the Query of a round.
struct SelectList {
  std::vector<gen2::Select> selects{};
  // From the end of the last Select to the start of the Query; less than T4 means T4.
  std::uint32_t delay_us = 0;
};

// May end a round early. Called on the thread of the round, every millisecond of air time or so.
class RoundWatch {
 public:
  RoundWatch() = default;
  RoundWatch(const RoundWatch&) = delete;
  RoundWatch& operator=(const RoundWatch&) = delete;
  RoundWatch(RoundWatch&&) = delete;
  RoundWatch& operator=(RoundWatch&&) = delete;
  virtual ~RoundWatch() = default;

  virtual bool goes_on() = 0;
};

// An antenna, and how long a module that goes through antennas by itself stays on it.
struct TimedVisit {
  std::uint8_t antenna = 0;   // port
  std::uint16_t time_ms = 0;  // from 1

  friend bool operator==(const TimedVisit&, const TimedVisit&) = default;
};

struct RoundRequest {
  std::uint8_t antenna = 0;  // port; of no meaning if the module sequences antennas
  std::uint16_t beam = 0;    // of an array antenna, from 1; 0 = the antenna as a whole
  gen2::Session session = gen2::Session::kS0;
  gen2::Target target = gen2::Target::kA;
  gen2::SelectFilter select_filter = gen2::SelectFilter::kAll;  // Sel of the Query
  const SelectList* selects = nullptr;                          // none
  // Done on each tag before it is reported.
  std::span<const AccessOp> access{};
  // Hundredths of a dBm: weaker replies are left alone, as if the tag were not there.
  std::optional<std::int16_t> min_rssi_cdbm{};
  std::uint16_t tag_population = 1;  // expected tags; 0 = unknown
  // True: the carrier was off before this round, so tags have lost their S0 flags.
  // False: the carrier has been on since the last round (same antenna).
  bool fresh_carrier = true;
  // Air clock. Nothing is sent that may not be over by then; a round that has not come to its end
  // lasts until then.
  std::uint64_t deadline_ns = kNoDeadline;
  RoundWatch* watch = nullptr;
  // The rounds of this antenna ask for A and B in turns: a module may do so by itself.
  bool both_targets = false;
  // Nothing follows at once: a module that reads on by itself stops after the round, and delivers
  // what it has read until then.
  bool stops_behind = false;
  // Nobody counts rounds: the call may last for more of them, until its deadline.
  bool several = false;
  // Only with Capabilities::cycles_antennas: the module goes through these once by itself, each
  // with the carrier switched on and for its time, and the call lasts as long. `antenna` is the
  // first of them then; everything else holds for all.
  std::span<const TimedVisit> cycle{};
};

// One tag, and what is done on it.
struct TagAccess {
  std::uint8_t antenna = 0;
  std::uint16_t beam = 0;
  std::span<const std::uint8_t> epc{};
  std::uint32_t password = 0;    // access password; 0 = none is given
  const AccessOp* op = nullptr;  // anything but kAccess
  std::uint64_t deadline_ns = kNoDeadline;
  RoundWatch* watch = nullptr;
  // Sent after the selects for the EPC, as far as the module has room for more: they deassert SL
  // on what is another tag with this EPC.
  std::span<const gen2::Select> also{};
};

enum class RoundEnd : std::uint8_t {
  kComplete,        // no tag answers any more
  kDeadline,        // RoundRequest::deadline_ns
  kWatch,           // RoundRequest::watch said so
  kInterrupted,     // interrupt(), or the sink said so
  kNoAntenna,       // the port has none, other ports of the settings have: nothing was sent
  kEndOfRecording,  // the module has nothing left to deliver, ever
};

struct RoundResult {
  std::uint64_t rounds = 1;  // of which the call consisted, as far as the module tells of them
  std::uint64_t empty_slots = 0;
  std::uint64_t single_slots = 0;
  std::uint64_t collided_slots = 0;
  std::uint64_t too_weak = 0;  // replies below RoundRequest::min_rssi_cdbm
  // Air clock: when the first command was sent; 0 = none was.
  std::uint64_t first_command_ns = 0;
  // Tags with power that do not answer the first Query: their inventoried flag is not the target,
  // or their SL flag not what is asked for. Only a simulation can know; 0 elsewhere.
  std::uint64_t held_back = 0;
  RoundEnd end = RoundEnd::kComplete;
};

// How the connection to a module is that can be lost.
struct LinkState {
  bool connected = false;
  std::string fault{};                // why it is not; one line
  std::string last_fault{};           // why it was not when it was lost last; one line
  std::uint64_t reconnects = 0;       // times that it was lost and found again
  std::uint64_t discarded_bytes = 0;  // of no frame, and what a link that begins again throws away
  std::uint64_t crc_errors = 0;       // frames that came damaged
  std::uint64_t overflows = 0;        // times that the module had no room for its reads
  // Of the module while it is connected, as "too hot", "no antenna on port 3"; one line. Stays as
  // it is for as long as it is so.
  std::string complaint{};
  std::optional<double> temperature_celsius{};  // as it told last while it read
};

// The region of a module, as its protocol numbers them.
struct RegionState {
  std::uint8_t present = 0;  // 0 = none
  std::vector<std::uint8_t> supported{};
};

class RadioModule {
 public:
  RadioModule() = default;
  RadioModule(const RadioModule&) = delete;
  RadioModule& operator=(const RadioModule&) = delete;
  RadioModule(RadioModule&&) = delete;
  RadioModule& operator=(RadioModule&&) = delete;
  virtual ~RadioModule() = default;

  // Connects to the module. kModule if it does not answer. May take seconds; interrupt() ends it.
  // When nothing reads: at the start, and whenever link() says that the module is lost. After an
  // error it comes again and again, ever later. Of modules that cannot be lost once, on the event
  // loop, where it must not wait, and an error ends the start of the service.
  virtual Status open() = 0;
  // Switches the carrier off and lets go of the module. No error if it is not open, and may come
  // twice. After interrupt(), when no other call runs. A module that does not answer is let go of
  // after one request.
  virtual void close() = 0;
  // Valid after open(), the same until close(): plans are validated with a copy of them. Before
  // that, what is known without the module. Does not ask it.
  [[nodiscard]] virtual const Capabilities& capabilities() const = 0;

  // After open(). Begins an inventory, or a one-off access without one: applies the settings,
  // forgets an earlier interrupt(). A recording rewinds here. May take some requests to the module.
  // An error refuses the start, with its text.
  virtual Status configure(const RadioSettings& settings) = 0;

  // Between two rounds of an inventory: goes on with other settings, with the carrier on where
  // nothing forces it off. Modules that cannot do better begin again. An error ends the inventory.
  // With AUTO_DETECT several come in a row.
  virtual Status change(const RadioSettings& settings) { return configure(settings); }

  // Runs one inventory round and delivers its reads in the order of their times,
  // none before its time. Blocks; returns at the latest a few milliseconds after the
  // deadline or an interrupt(). An error ends the inventory, and its text is the end reason that
  // users see: a module that can be lost waits for its way back here instead, and says so by
  // link().
  virtual Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) = 0;

  // Between two rounds: finds the tag again, whatever its flags are, and leaves those of S1 to S3
  // alone. By a round of its own, unless the module has a command. What the tag does or does not is
  // an AccessStatus: kNoReply if it is not there, kNoTime after the deadline. An error fails the
  // one-off access; where the loop does the operations of a plan with it, the inventory ends.
  virtual Result<AccessResult> access_tag(const TagAccess& access);

  // Air clock, nanoseconds since the Unix epoch. Never goes back, over close() and open() too.
  // Asked every millisecond or so: it does not ask the module.
  [[nodiscard]] virtual std::uint64_t now_ns() const = 0;

  // In an inventory or an access. The carrier off until that time of the air clock; off at once if
  // it is over. Blocks. False: interrupted. It says nothing of errors: the next round does.
  virtual bool idle_until(std::uint64_t time_ns) = 0;

  // Makes a running round return at once, and every further one, until the next
  // configure(). So with idle_until() and a running open(). From any thread; does not wait for
  // them, and may come when nothing runs.
  virtual void interrupt() = 0;

  // How long reads may be collected before they are delivered, nanoseconds; the first one after a
  // pause never waits. True: the module does that by itself, in batches (TagSink::begin_batch()).
  // From any thread, at any moment.
  virtual bool collect(std::uint64_t /*latency_ns*/) { return false; }

  // Sets a general purpose output of the module, 1..16: soon, and again when the module is lost and
  // found. False: it has none there. From any thread.
  virtual bool set_output(std::uint8_t /*port*/, bool /*high*/) { return false; }
  // After open(), while no inventory and no access runs, some twenty times a second: sends what
  // changed of the outputs, and looks at the inputs. run_round() and idle_until() do so by
  // themselves. One request or two; an error is passed over: link() says what is wrong.
  virtual Status tend_lines() { return {}; }
  // The level of a general purpose input of the module, 1..16; nothing if it has none there. From
  // any thread.
  virtual std::optional<bool> input_high(std::uint8_t /*port*/) { return std::nullopt; }
  // The air time at which a level of the module's own changes next, if that is known.
  [[nodiscard]] virtual std::optional<std::uint64_t> next_input_change_ns() const {
    return std::nullopt;
  }

  // Only with Capabilities::has_temperature, while no inventory runs. Celsius. May ask the module;
  // an error fails the question for its health.
  virtual Result<double> temperature_celsius();
  // Only with Capabilities::has_antenna_sense, while no inventory runs. May ask the module; an
  // error fails the question for its health. True if an antenna is on the port.
  virtual Result<bool> antenna_connected(std::uint8_t port);

  // Nothing: the module cannot be lost. From any thread.
  [[nodiscard]] virtual std::optional<LinkState> link() const { return std::nullopt; }

  // Nothing: it has no region of its own. Valid after open(). Does not ask the module.
  [[nodiscard]] virtual std::optional<RegionState> region() const { return std::nullopt; }
  // The name of a region that the module numbers so, as the reader has it ("fcc", "etsi-lower":
  // docs/drivers.md); "" = the reader has no name for it, and it cannot be chosen. Two regions have
  // two names. From any thread, the same for ever.
  [[nodiscard]] virtual std::string_view region_name(std::uint8_t /*number*/) const { return ""; }
  // number: one of RegionState::supported. After open(), between two inventories; may take some
  // requests. Holds until the end, also when the module is lost and found again.
  // channels: of the region, in kHz; none = as the module has them. An error refuses the region,
  // and the one before holds; kNotSupported if it can have no other.
  virtual Status set_region(std::uint8_t number, const std::vector<std::uint32_t>& channels_khz);
};

}  // namespace singulate::radio
