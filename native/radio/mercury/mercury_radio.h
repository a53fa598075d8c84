// A module that speaks the Mercury protocol, on a serial line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radio/mercury/antenna_ports.h"
#include "radio/mercury/complaints.h"
#include "radio/mercury/connection.h"
#include "radio/mercury/mercury_options.h"
#include "radio/mercury/module_finder.h"
#include "radio/mercury/module_settings.h"
#include "radio/mercury/pins.h"
#include "radio/mercury/region_names.h"
#include "radio/mercury/round_reports.h"
#include "radio/mercury/round_search.h"
#include "radio/mercury/stream_key.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

class MercuryRadio final : public RadioModule {
 public:
  explicit MercuryRadio(MercuryOptions options)
      : options_(std::move(options)), pins_(options_.input_pins, options_.output_pins) {
    capabilities_.module = kModuleKind;
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
  bool collect(std::uint64_t latency_ns) override;
  bool set_output(std::uint8_t port, bool high) override;
  Status tend_lines() override;
  std::optional<bool> input_high(std::uint8_t port) override { return pins_.input_high(port); }
  Result<double> temperature_celsius() override;
  Result<bool> antenna_connected(std::uint8_t port) override;
  [[nodiscard]] std::optional<LinkState> link() const override;
  [[nodiscard]] std::optional<RegionState> region() const override { return settings_.region(); }
  [[nodiscard]] std::string_view region_name(std::uint8_t number) const override {
    return mercury::region_name(number);
  }
  Status set_region(std::uint8_t number, const std::vector<std::uint32_t>& channels_khz) override;

  // How often the module was lost and found again.
  [[nodiscard]] std::uint64_t reconnects() const { return reconnects_.load(); }

 private:
  // How often one that waits looks at its deadline and its watch.
  static constexpr std::chrono::milliseconds kLook{2};
  // How often inputs are looked at where no record tells them.
  static constexpr std::chrono::milliseconds kInputLook{50};

  Status open_at(std::span<const std::uint32_t> rates);
  // What a module that was just found can do, and what holds whatever is read.
  Status get_ready();
  Status prepare();
  // The module does not answer any more, or its line is gone.
  void lose(const std::string& fault);
  void found();
  // One that works at the rate that it starts with may have started again unheard.
  [[nodiscard]] Status check_unforgotten() const;
  Status start_stream(const StreamKey& key, const RoundRequest& request);
  // Starts a stream on a module that may have been lost and is found again. False: the round is
  // over.
  Result<bool> begin_stream(const StreamKey& key, const RoundRequest& request,
                            RoundReports& reports);
  [[nodiscard]] Result<SearchRequest> search_of(const RoundRequest& request,
                                                std::span<const TimedVisit> visits) const {
    return search_for(request, search_form(request, visits));
  }
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
  // How long reports that come now are let come together.
  [[nodiscard]] std::chrono::nanoseconds gather_of(std::uint64_t now_ns) const;
  // Why a stream that is to tell something after so long is of no use any more: one line; "" for
  // none.
  [[nodiscard]] std::string fault_of(const RoundReports& reports, std::uint64_t silence_ns) const;
  // The round on the ports that have an antenna.
  Result<RoundResult> run_visits(const RoundRequest& request, RoundReports& reports);
  Result<RoundResult> run_stream(const RoundRequest& request, const StreamKey& key,
                                 RoundReports& reports);
  // The ports of a round that are not known to be without antenna; all of them if none of the
  // mode's has one. None: there is nothing to be read.
  [[nodiscard]] std::vector<TimedVisit> visits_of(const RoundRequest& request) const;
  // What the stream of a round is to ask for. It ends where the carrier must go off for it.
  Targets targets_for(const RoundRequest& request, const std::vector<TimedVisit>& visits);
  // Stops reading to ask which ports have an antenna. An error but kModule: it does not tell.
  Result<std::vector<PortState>> ask_ports();
  // After a complaint. True: a port that is read is skipped from now on.
  bool find_missing();
  // Outputs that changed, and the inputs. A stream in which nothing else could be heard of them is
  // stopped for it, and begins again.
  void tend_while_reading(RoundReports& reports);
  Status prepare_access(const TagAccess& access);
  [[nodiscard]] SearchForm search_form(const RoundRequest& request,
                                       std::span<const TimedVisit> visits) const;
  // Of a stream with these visits.
  [[nodiscard]] std::chrono::milliseconds cycle_of(std::span<const TimedVisit> visits) const;
  void publish(const RoundReports& reports);
  void publish_ports();

  const MercuryOptions options_;
  Pins pins_;
  Connection connection_;
  std::atomic<bool> interrupted_ = false;
  ModuleFinder finder_{connection_, options_, interrupted_};
  ModuleSettings settings_{connection_, options_};
  Capabilities capabilities_;
  std::optional<StreamKey> stream_;
  std::uint64_t looked_at_inputs_ns_ = 0;
  bool last_was_fresh_ = false;  // the round before wanted its tags back in S0
  StreamState stream_state_;
  std::atomic<std::uint64_t> gather_ns_ = 4'000'000;  // until collect() says otherwise
  AntennaPorts ports_;
  // Of the round that runs: who takes what comes at any time.
  Connection::OnReport on_report_;
  // The firmware takes the flags of round summaries and statistics; found out by the first stream.
  bool takes_extras_ = true;
  std::atomic<std::uint64_t> reconnects_ = 0;
  bool was_found_ = false;  // it has been there at least once
  bool opened_ = false;     // between open() and close(), found or lost
  std::atomic<bool> connected_ = false;
  mutable std::mutex fault_mutex_;
  std::string fault_;
  std::string last_fault_;
  Complaints complaints_;
  std::string missing_;  // ports_ as text
  std::optional<double> temperature_;
  std::atomic<std::uint64_t> overflows_ = 0;
};

}  // namespace singulate::radio::mercury
