// A module that speaks the Mercury protocol, on a serial line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "radio/mercury/connection.h"
#include "radio/mercury/family.h"
#include "radio/mercury/pins.h"
#include "radio/mercury/round_reports.h"
#include "radio/mercury/round_search.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

// How patient the driver is.
struct MercuryTimes {
  std::chrono::milliseconds answer{1000};
  // To a command at a rate that may not be the module's.
  std::chrono::milliseconds probe{100};
  // Of a stream: behind each cycle it tells its time, and may change the antenna.
  std::chrono::milliseconds on_cycle{500};
  // So long behind the end of a cycle nothing was heard: the module is lost.
  std::chrono::milliseconds silence{2000};
  // Between two tries to find it again; doubled up to the longest.
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{2000};
};

struct MercuryOptions {
  std::string path;                   // of the tty
  std::uint32_t baud = 0;             // that the module has; 0 = looked for
  std::uint32_t work_baud = 921'600;  // that it is raised to, if it can
  std::uint8_t region = 0;            // number of the protocol; 0 = as the module has it
  // Pins of the module that are inputs and outputs of the reader, in the order of their ports.
  std::vector<std::uint8_t> input_pins{};
  std::vector<std::uint8_t> output_pins{};
  MercuryTimes times{};
};

class MercuryRadio final : public RadioModule {
 public:
  explicit MercuryRadio(MercuryOptions options)
      : options_(std::move(options)), pins_(options_.input_pins, options_.output_pins) {
    capabilities_.module = "mercury";
  }
  ~MercuryRadio() override { close(); }
  MercuryRadio(const MercuryRadio&) = delete;
  MercuryRadio& operator=(const MercuryRadio&) = delete;
  MercuryRadio(MercuryRadio&&) = delete;
  MercuryRadio& operator=(MercuryRadio&&) = delete;

  Status open() override;
  void close() override;
  [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
  Status configure(const RadioSettings& settings) override;
  Status change(const RadioSettings& settings) override;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override;
  Result<AccessResult> access_tag(const TagAccess& access) override;
  [[nodiscard]] std::uint64_t now_ns() const override;
  bool idle_until(std::uint64_t time_ns) override;
  void interrupt() override;
  bool set_output(std::uint8_t port, bool high) override;
  Status tend_lines() override;
  std::optional<bool> input_high(std::uint8_t port) override { return pins_.input_high(port); }
  Result<double> temperature_celsius() override;
  Result<bool> antenna_connected(std::uint8_t port) override;
  [[nodiscard]] std::optional<LinkState> link() const override;
  [[nodiscard]] std::optional<RegionState> region() const override { return region_; }
  Status set_region(std::uint8_t number, const std::vector<std::uint32_t>& channels_khz) override;

  // Bytes and frames of the line, for people who look for trouble.
  [[nodiscard]] const ParserCounters& line() const { return connection_.counters(); }
  // How often the module was lost and found again.
  [[nodiscard]] std::uint64_t reconnects() const { return reconnects_.load(); }

 private:
  // What the rounds of a stream ask for; its value of the Gen2 parameter.
  enum class Targets : std::uint16_t { kA = 0x0100, kB = 0x0101, kBoth = 0x0000 };
  // What a running stream was started for.
  struct StreamKey {
    std::uint8_t antenna = 0;
    gen2::Session session{};
    Targets targets = Targets::kA;
    std::uint16_t tag_population = 0;
    std::vector<std::uint8_t> search{};  // its bytes
    std::uint32_t delay_us = 0;
    friend bool operator==(const StreamKey&, const StreamKey&) = default;
  };

  Status open_at(std::span<const std::uint32_t> rates);
  Status find_module(std::span<const std::uint32_t> rates);
  Status boot();
  Status raise_baud();
  Status read_capabilities();
  Status apply();
  // What holds whatever is read: protocol, filter, region.
  Status prepare();
  Status apply_region();
  Status read_region();
  // The module does not answer any more, or its line is gone.
  void lose(const std::string& fault);
  void found();
  // Sends a parameter of Gen2 if the module does not have the value already.
  Status set_gen2(std::uint8_t key, std::vector<std::uint8_t> value);
  Status set_link(const std::string& profile);
  // One that works at the rate that it starts with may have lost its power, and all that it was
  // told, and nobody would hear of it.
  Status check_unforgotten();
  Status start_stream(const StreamKey& key, const RoundRequest& request);
  // The same, of a module that may have been lost and is found again. False: the round is over.
  Result<bool> begin_stream(const StreamKey& key, const RoundRequest& request,
                            RoundReports& reports);
  Result<std::vector<std::uint8_t>> ask_start(const SearchRequest& search);
  Result<Reply> ask_start_once(const SearchRequest& search);
  // What was on its way is delivered to the round, if one runs. A module that does not stop is
  // lost.
  void stop_stream();
  // When a search for the module is not to go on.
  using Over = std::function<bool()>;
  // Tries for ever to find the module again, and to set it as it was. False: it is over.
  bool recover(const Over& over);
  // Why a round is to end now; nothing: it goes on.
  [[nodiscard]] std::optional<RoundEnd> end_of(const RoundRequest& request) const;
  Result<RoundResult> run_stream(const RoundRequest& request, const StreamKey& key,
                                 RoundReports& reports);
  // What the stream of a round is to ask for. It ends where the carrier must go off for it.
  Targets targets_for(const RoundRequest& request);
  // Outputs that changed, and the inputs. A stream in which nothing else could be heard of them is
  // stopped for it, and begins anew.
  void tend_while_reading(RoundReports& reports);
  // The list of antennas is this one.
  Status set_antenna(std::uint8_t port);
  Status prepare_access(const TagAccess& access);
  [[nodiscard]] SearchForm search_form() const {
    return {.multi_select = family_.multi_select,
            .round_summaries = takes_extras_ && !family_.asynchronous,
            .temperature = takes_extras_ && !family_.asynchronous,
            .asynchronous = family_.asynchronous,
            .on_cycle = options_.times.on_cycle,
            .pins = pins_.has_inputs()};
  }
  void publish(const RoundReports& reports);

  MercuryOptions options_;
  Pins pins_;
  Connection connection_;
  std::uint32_t baud_ = 0;
  Family family_;
  Capabilities capabilities_;
  RadioSettings settings_;
  bool settings_sent_ = false;
  RegionState region_;
  std::vector<std::uint32_t> channels_khz_;                 // of the region; none = the module's
  std::map<std::uint8_t, std::vector<std::uint8_t>> gen2_;  // as the module has it
  std::optional<StreamKey> stream_;
  std::uint64_t looked_at_inputs_ns_ = 0;
  bool last_was_fresh_ = false;  // the round before wanted its tags back in S0
  StreamState stream_state_;
  // Of the round that runs: who takes what comes at any time.
  Connection::OnReport on_report_;
  // The firmware takes the flags of round summaries and statistics; found out by the first stream.
  bool takes_extras_ = true;
  unsigned failed_raises_ = 0;
  std::atomic<bool> interrupted_ = false;
  std::atomic<std::uint64_t> reconnects_ = 0;
  unsigned looks_ = 0;      // for a module that was lost
  bool was_found_ = false;  // it has been there at least once
  bool opened_ = false;     // between open() and close(), found or lost
  std::atomic<bool> connected_ = false;
  mutable std::mutex fault_mutex_;
  std::string fault_;
  std::string complaint_;
  std::optional<double> temperature_;
  std::atomic<std::uint64_t> overflows_ = 0;
};

}  // namespace singulate::radio::mercury
