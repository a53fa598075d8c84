// The rules of conformance find what they are there for: for each of them a module that breaks it.
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "driver_conformance.h"
#include "radio/virtual/virtual_radio.h"
#include "simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::AccessResult;
using radio::AccessStatus;
using radio::Capabilities;
using radio::Error;
using radio::ErrorCode;
using radio::Feature;
using radio::LinkState;
using radio::RadioSettings;
using radio::Result;
using radio::RoundEnd;
using radio::RoundRequest;
using radio::RoundResult;
using radio::Status;
using radio::TagRead;
using radio::TagSink;

using singulate::test::kMs;

namespace {

// A good module, of which each case spoils one method. It can be lost, and has a pin of each kind.
class Spoilt : public radio::RadioModule {
 public:
  explicit Spoilt(radio::VirtualOptions field)
      : good_(with_row(std::move(field))), capabilities_(good_.capabilities()) {}

  Status open() override {
    if (pulled) {
      fault_ = "no module";
      return Error{ErrorCode::kModule, "no module"};
    }
    fault_.clear();
    return good_.open();
  }
  void close() override { good_.close(); }
  [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
  Status configure(const RadioSettings& settings) override { return good_.configure(settings); }
  Status change(const RadioSettings& settings) override { return good_.change(settings); }
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    if (!pulled) {
      if (!fault_.empty()) ++reconnects_;
      fault_.clear();
      return good_.run_round(request, sink);
    }
    fault_ = "the line is gone";
    // Slowly: an interrupt from another thread finds it at it.
    while (good_.now_ns() < request.deadline_ns) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (!good_.idle_until(good_.now_ns() + 20 * kMs))
        return RoundResult{.end = RoundEnd::kInterrupted};
    }
    return RoundResult{.end = RoundEnd::kDeadline};
  }
  Result<AccessResult> access_tag(const radio::TagAccess& access) override {
    return good_.access_tag(access);
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return good_.now_ns(); }
  bool idle_until(std::uint64_t time_ns) override { return good_.idle_until(time_ns); }
  void interrupt() override { good_.interrupt(); }
  bool set_output(std::uint8_t port, bool high) override {
    if (port == 1) output = high;
    return port == 1;
  }
  std::optional<bool> input_high(std::uint8_t port) override {
    return port == 1 ? std::optional(input) : std::nullopt;
  }
  [[nodiscard]] std::optional<LinkState> link() const override {
    return LinkState{.connected = fault_.empty(), .fault = fault_, .reconnects = reconnects_};
  }

  bool pulled = false;
  bool input = false;
  bool output = false;

 protected:
  radio::VirtualRadio& good() { return good_; }
  Capabilities& told() { return capabilities_; }
  std::uint64_t& reconnects() { return reconnects_; }

 private:
  static radio::VirtualOptions with_row(radio::VirtualOptions field) {
    field.imitate = "m7e";
    return field;
  }

  radio::VirtualRadio good_;
  Capabilities capabilities_;
  std::string fault_;
  std::uint64_t reconnects_ = 0;
};

template <typename Module>
class Around final : public test::Subject {
 public:
  explicit Around(const radio::VirtualOptions& field) : module_(field) {}
  radio::RadioModule& module() override { return module_; }
  [[nodiscard]] bool has_cable() const override { return true; }
  void pull() override { module_.pulled = true; }
  void put_back() override { module_.pulled = false; }
  [[nodiscard]] bool has_pins() const override { return true; }
  void set_world_input(bool high) override { module_.input = high; }
  bool world_output() override { return module_.output; }

 private:
  Module module_;
};

template <typename Module>
std::vector<std::string> breaches(std::string_view rule) {
  return test::breaches_of(
      {"broken", [](const auto& field) { return std::make_unique<Around<Module>>(field); }}, rule);
}

// Changes reads on their way.
class Through : public TagSink {
 public:
  using Change = std::function<void(TagRead&)>;
  Through(TagSink& sink, Change change) : sink_(sink), change_(std::move(change)) {}
  bool on_read(const TagRead& read) override {
    TagRead changed = read;
    change_(changed);
    return sink_.on_read(changed);
  }

 private:
  TagSink& sink_;
  Change change_;
};

struct RoundsUnopened : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& /*request*/, TagSink& /*sink*/) override {
    return RoundResult{};
  }
};
struct WithoutModel : Spoilt {
  explicit WithoutModel(const radio::VirtualOptions& field) : Spoilt(field) {
    told().model.clear();
  }
};
struct OtherFirmware : Spoilt {
  using Spoilt::Spoilt;
  Status configure(const RadioSettings& settings) override {
    told().firmware += "+";
    return Spoilt::configure(settings);
  }
};
struct OpensOnce : Spoilt {
  using Spoilt::Spoilt;
  void close() override { closed = true; }
  Status open() override { return closed ? Error{ErrorCode::kModule, "in use"} : Spoilt::open(); }
  bool closed = false;
};
struct TakesAnySettings : Spoilt {
  using Spoilt::Spoilt;
  Status configure(const RadioSettings& settings) override {
    const Status known = Spoilt::configure(settings);
    return known.ok() ? known : Status{};
  }
};
struct NeverChanges : Spoilt {
  using Spoilt::Spoilt;
  Status change(const RadioSettings& /*settings*/) override {
    return Error{ErrorCode::kBadSettings, "busy"};
  }
};
struct ClockOfItsOwn : Spoilt {
  using Spoilt::Spoilt;
  [[nodiscard]] std::uint64_t now_ns() const override { return Spoilt::now_ns() - test::kStart; }
};
struct ClockGoesBack : Spoilt {
  using Spoilt::Spoilt;
  Status configure(const RadioSettings& settings) override {
    back += 1'000'000 * kMs;
    return Spoilt::configure(settings);
  }
  [[nodiscard]] std::uint64_t now_ns() const override { return Spoilt::now_ns() - back; }
  std::uint64_t back = 0;
};
struct IdlesShort : Spoilt {
  using Spoilt::Spoilt;
  bool idle_until(std::uint64_t /*time_ns*/) override { return true; }
};
struct FeelsHot : Spoilt {
  using Spoilt::Spoilt;
  Result<double> temperature_celsius() override { return 200.0; }
};
struct AnyRegion : Spoilt {
  using Spoilt::Spoilt;
  Status set_region(std::uint8_t /*number*/, const std::vector<std::uint32_t>& /*khz*/) override {
    return {};
  }
};
struct NamesTwice : Spoilt {
  using Spoilt::Spoilt;
  [[nodiscard]] std::optional<radio::RegionState> region() const override {
    return radio::RegionState{.present = 0, .supported = {1, 2}};
  }
  [[nodiscard]] std::string_view region_name(std::uint8_t number) const override {
    return number == 0 ? "" : "fcc";
  }
};
// Says how its line is when the round is over.
struct AnswersLate : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    const std::lock_guard lock(mutex_);
    return Spoilt::run_round(request, sink);
  }
  [[nodiscard]] std::optional<LinkState> link() const override {
    const std::lock_guard lock(mutex_);
    return Spoilt::link();
  }

 private:
  mutable std::mutex mutex_;
};
struct WrongCrc : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    Through through(sink, [](TagRead& read) { read.crc ^= 1U; });
    return Spoilt::run_round(request, through);
  }
};
struct ReadsTheFuture : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    Through through(sink, [](TagRead& read) { read.time_ns += 1000 * kMs; });
    return Spoilt::run_round(request, through);
  }
};
struct ReadsInDisorder : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    Through through(sink, [this](TagRead& read) { read.time_ns -= ++count % 2 * 50 * kMs; });
    return Spoilt::run_round(request, through);
  }
  std::uint64_t count = 0;
};
struct NoDeadline : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest longer = request;
    longer.deadline_ns = radio::kNoDeadline;
    auto result = Spoilt::run_round(longer, sink);
    (void)idle_until(now_ns() + 10'000 * kMs);
    return result;
  }
};
struct EndsEarly : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    if (request.deadline_ns <= now_ns() + 30 * kMs) return RoundResult{.end = RoundEnd::kDeadline};
    return Spoilt::run_round(request, sink);
  }
};
struct NoWatch : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest unwatched = request;
    unwatched.watch = nullptr;
    return Spoilt::run_round(unwatched, sink);
  }
};
struct FillsSinks : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    class Deaf : public TagSink {
     public:
      explicit Deaf(TagSink& sink) : sink_(sink) {}
      bool on_read(const TagRead& read) override {
        (void)sink_.on_read(read);
        return true;
      }

     private:
      TagSink& sink_;
    } deaf(sink);
    return Spoilt::run_round(request, deaf);
  }
};
struct ForgetsInterrupts : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    auto result = Spoilt::run_round(request, sink);
    if (result.ok() && result.value().end == RoundEnd::kInterrupted) (void)configure(last);
    return result;
  }
  Status configure(const RadioSettings& settings) override {
    last = settings;
    return Spoilt::configure(settings);
  }
  RadioSettings last;
};
struct InterruptsLate : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    auto result = Spoilt::run_round(request, sink);
    if (result.ok() && result.value().end == RoundEnd::kInterrupted) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    }
    return result;
  }
};
struct IdlesOn : Spoilt {
  using Spoilt::Spoilt;
  bool idle_until(std::uint64_t time_ns) override {
    (void)Spoilt::idle_until(time_ns);
    return true;
  }
};
// All rounds in session 0: flags are lost with the carrier.
struct OneSession : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest other = request;
    other.session = gen2::Session::kS0;
    other.target = gen2::Target::kA;
    other.fresh_carrier = true;
    (void)Spoilt::run_round(other, sink);
    return Spoilt::run_round(other, sink);
  }
};
struct CarrierStays : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest other = request;
    other.session = gen2::Session::kS2;
    return Spoilt::run_round(other, sink);
  }
};
struct OneTarget : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest other = request;
    other.target = gen2::Target::kA;
    return Spoilt::run_round(other, sink);
  }
};
struct NeedsPopulation : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    if (request.tag_population == 0) return Error{ErrorCode::kBadSettings, "no tags"};
    return Spoilt::run_round(request, sink);
  }
};
struct CountsInSecret : Spoilt {
  explicit CountsInSecret(const radio::VirtualOptions& field) : Spoilt(field) {
    told().features.support[static_cast<std::size_t>(Feature::kRoundStatistics)] =
        radio::Support::kRefused;
  }
};
struct LeavesOutSelects : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest plain = request;
    plain.selects = nullptr;
    plain.select_filter = gen2::SelectFilter::kAll;
    return Spoilt::run_round(plain, sink);
  }
};
struct LeavesOutAccess : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest plain = request;
    plain.access = {};
    return Spoilt::run_round(plain, sink);
  }
};
struct FindsNobody : Spoilt {
  using Spoilt::Spoilt;
  Result<AccessResult> access_tag(const radio::TagAccess& /*access*/) override {
    return AccessResult{.status = AccessStatus::kNoReply};
  }
};
struct LeavesOutBeams : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    RoundRequest plain = request;
    plain.beam = 0;
    return Spoilt::run_round(plain, sink);
  }
};
struct Tongueless : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    auto result = Spoilt::run_round(request, sink);
    if (result.ok()) return result;
    return Error{result.error().code, "error 17.\n"};
  }
};
struct NeverConnected : Spoilt {
  using Spoilt::Spoilt;
  [[nodiscard]] std::optional<LinkState> link() const override { return LinkState{}; }
};
struct OpensNothing : Spoilt {
  using Spoilt::Spoilt;
  Status open() override { return good().open(); }
};
struct EndsWhenLost : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    if (pulled) return Error{ErrorCode::kModule, "the line is gone"};
    return Spoilt::run_round(request, sink);
  }
};
struct LosesInSecret : Spoilt {
  using Spoilt::Spoilt;
  [[nodiscard]] std::optional<LinkState> link() const override {
    return LinkState{.connected = true};
  }
};
struct CountsNoReconnects : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    auto result = Spoilt::run_round(request, sink);
    reconnects() = 0;
    return result;
  }
};
struct SearchesOn : Spoilt {
  using Spoilt::Spoilt;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override {
    auto result = Spoilt::run_round(request, sink);
    if (!pulled || !result.ok() || result.value().end != RoundEnd::kInterrupted) return result;
    return RoundResult{.end = RoundEnd::kDeadline};
  }
};
struct PinsEverywhere : Spoilt {
  using Spoilt::Spoilt;
  bool set_output(std::uint8_t /*port*/, bool /*high*/) override { return true; }
};
struct DeafPins : Spoilt {
  using Spoilt::Spoilt;
  bool set_output(std::uint8_t port, bool /*high*/) override { return port == 1; }
};

using Find = std::vector<std::string> (*)(std::string_view);
struct Broken {
  const char* rule;
  Find find;
};

const std::vector<Broken>& broken() {
  static const std::vector<Broken> kAll{
      {"nothing works before open() and configure()", breaches<RoundsUnopened>},
      {"it says what it is", breaches<WithoutModel>},
      {"capabilities are fixed from open() to close()", breaches<OtherFirmware>},
      {"it is closed, twice, and opened again", breaches<OpensOnce>},
      {"it takes its own settings, and no others", breaches<TakesAnySettings>},
      {"settings change between two rounds", breaches<NeverChanges>},
      {"the clock is that of the world, and never goes back", breaches<ClockOfItsOwn>},
      {"the clock is that of the world, and never goes back", breaches<ClockGoesBack>},
      {"idling lasts as long as it shall", breaches<IdlesShort>},
      {"it says what it senses, and no more", breaches<FeelsHot>},
      {"a region is one of its own", breaches<AnyRegion>},
      {"its reads are whole, and of tags that are there", breaches<WrongCrc>},
      {"reads come in the order of their times, none before its time", breaches<ReadsTheFuture>},
      {"reads come in the order of their times, none before its time", breaches<ReadsInDisorder>},
      {"a deadline that is over reads nothing", breaches<NoDeadline>},
      {"a round keeps its deadline", breaches<NoDeadline>},
      {"a round keeps its deadline", breaches<EndsEarly>},
      {"a watch ends a round", breaches<NoWatch>},
      {"a sink that is full ends a round", breaches<FillsSinks>},
      {"an interrupt holds until the next configure()", breaches<ForgetsInterrupts>},
      {"an interrupt ends a running round", breaches<InterruptsLate>},
      {"an interrupt ends idling", breaches<IdlesOn>},
      {"tags of a session are read once", breaches<OneSession>},
      {"without the carrier tags of S0 forget", breaches<CarrierStays>},
      {"both targets are read in turns", breaches<OneTarget>},
      {"an unknown number of tags is no hindrance", breaches<NeedsPopulation>},
      {"slots are counted, or nobody says so", breaches<CountsInSecret>},
      {"selects choose tags", breaches<LeavesOutSelects>},
      {"an operation is done on each tag of a round", breaches<LeavesOutAccess>},
      {"one tag is found again for an operation", breaches<FindsNobody>},
      {"what it cannot do is refused, and does no harm", breaches<LeavesOutBeams>},
      {"what it cannot do is refused, and does no harm", breaches<Tongueless>},
      {"it says whether it is connected", breaches<NeverConnected>},
      {"no module is one clear error", breaches<OpensNothing>},
      {"a module that is lost is found again, and reads on", breaches<EndsWhenLost>},
      {"a module that is lost is found again, and reads on", breaches<LosesInSecret>},
      {"a module that is lost is found again, and reads on", breaches<CountsNoReconnects>},
      {"an interrupt ends the search for a lost module", breaches<SearchesOn>},
      {"each region has a name of its own", breaches<NamesTwice>},
      {"calls from any thread do not wait for a round", breaches<AnswersLate>},
      {"there are no pins where there are none", breaches<PinsEverywhere>},
      {"pins follow the world, and the world them", breaches<DeafPins>},
  };
  return kAll;
}

}  // namespace

TEST_CASE("the module that is broken below keeps all rules while it is whole") {
  for (const auto rule : test::conformance_rules()) {
    const auto found = breaches<Spoilt>(rule);
    const std::string name(rule);
    CAPTURE(name);
    CHECK(found == std::vector<std::string>{});
  }
}

TEST_CASE("each rule of conformance finds a module that breaks it") {
  std::set<std::string_view> shown;
  for (std::size_t i = 0; i < broken().size(); ++i) {
    const Broken& one = broken()[i];
    const std::string name(one.rule);
    CAPTURE(name);
    CAPTURE(i);
    const auto found = one.find(one.rule);
    CHECK(!found.empty());
    CHECK(found != std::vector<std::string>{"there is no rule of that name"});
    shown.insert(one.rule);
  }
  for (const auto rule : test::conformance_rules()) {
    const std::string name(rule);
    CAPTURE(name);
    CHECK(shown.count(rule) == 1);
  }
}
