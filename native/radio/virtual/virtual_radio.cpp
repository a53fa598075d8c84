#include "radio/virtual/virtual_radio.h"

#include <algorithm>

#include "gen2/portable_math.h"
#include "radio/virtual/round.h"

namespace singulate::radio {

namespace {

constexpr std::int32_t kMinPowerCdbm = 0;
constexpr std::int32_t kMaxPowerCdbm = 3300;

// Its random numbers have nothing to do with those of the tags.
constexpr std::uint64_t kNoiseSeed = 0x6E6F697365;
// Sent with an EPC; and in the bank of it: CRC, PC and those.
constexpr std::size_t kXpcWords = 2;
constexpr std::size_t kWordsAroundEpc = 4;

Capabilities describe(const VirtualOptions& options) {
  Capabilities result;
  result.module = "virtual";
  result.model = "simulated radio";
  result.firmware = "1.0";
  std::vector<const VirtualAntenna*> antennas;
  for (const VirtualAntenna& antenna : options.antennas) antennas.push_back(&antenna);
  std::sort(antennas.begin(), antennas.end(),
            [](const auto* a, const auto* b) { return a->port < b->port; });
  for (const VirtualAntenna* antenna : antennas) {
    result.antennas.push_back(antenna->port);
    result.beams.push_back(static_cast<std::uint16_t>(antenna->beams.size()));
  }
  result.min_transmit_power_cdbm = kMinPowerCdbm;
  result.max_transmit_power_cdbm = kMaxPowerCdbm;
  for (const gen2::LinkProfile& profile : gen2::link_profiles()) {
    result.link_profiles.emplace_back(profile.name);
  }
  result.paced = options.paced;
  result.features = *find_features(options.imitate);
  if (!result.features.has(Feature::kBeams)) result.beams.clear();
  return result;
}

std::vector<std::uint8_t> ports_of(const VirtualOptions& options) {
  std::vector<std::uint8_t> ports;
  for (const VirtualAntenna& antenna : options.antennas) ports.push_back(antenna.port);
  return ports;
}

}  // namespace

VirtualRadio::VirtualRadio(const VirtualOptions& options)
    : capabilities_(describe(options)),
      ports_(ports_of(options)),
      field_(options),
      population_(options),
      hopper_(options.channels_khz, options.channel_rule, options.seed),
      clock_(options.paced, options.start_ns),
      collect_ns_(kMostCollectNs),
      inputs_(options.inputs),
      reply_loss_(options.reply_loss),
      receiver_noise_(options.interference),
      frame_policy_(options.frame_policy),
      q_step_(options.q_step),
      noise_(options.seed ^ kNoiseSeed) {
  if (options.capture_db) {
    capture_ratio_ = gen2::portable_exp(*options.capture_db * gen2::kNepersPerDb);
  }
  std::size_t epc_words = 0;
  for (const VirtualTagModel& model : options.models) {
    epc_words = std::max<std::size_t>(epc_words, model.epc_words);
    longest_bank_words_ = std::max<std::size_t>(longest_bank_words_, model.user_words);
  }
  for (const VirtualGroup& group : options.groups) {
    for (const VirtualTag& tag : group.tags) {
      epc_words = std::max(epc_words, tag.epc.size() / 2);
      longest_bank_words_ = std::max(longest_bank_words_, tag.tid.size() / 2);
    }
  }
  longest_epc_bytes_ = 2 * (epc_words + kXpcWords);
  longest_bank_words_ = std::max(longest_bank_words_, epc_words + kWordsAroundEpc);
}

Status VirtualRadio::configure(const RadioSettings& settings) {
  if (auto status = apply(settings); !status.ok()) return status;
  // It was off since the last inventory ended.
  carrier_off(clock_.now_ns());
  clock_.start();
  in_batch_ = false;
  return {};
}

Status VirtualRadio::change(const RadioSettings& settings) {
  const auto before = on_ ? power_cdbm(on_->antenna, on_->beam) : std::nullopt;
  if (auto status = apply(settings); !status.ok()) return status;
  if (on_ && power_cdbm(on_->antenna, on_->beam) != before) carrier_off(clock_.now_ns());
  return {};
}

Status VirtualRadio::apply(const RadioSettings& settings) {
  const gen2::LinkProfile* profile = gen2::find_link_profile(settings.link_profile);
  if (profile == nullptr) {
    return Error{ErrorCode::kBadSettings, "no link profile " + settings.link_profile};
  }
  for (const RadioSettings::Antenna& antenna : settings.antennas) {
    if (std::find(ports_.begin(), ports_.end(), antenna.port) == ports_.end()) {
      return Error{ErrorCode::kBadSettings, "no antenna " + std::to_string(antenna.port)};
    }
  }
  settings_ = settings;
  // What was learned of a link is kept as long as the link is.
  if (profile == profile_) return {};
  profile_ = profile;
  links_.clear();
  for (unsigned session = 0; session < gen2::kSessions; ++session) {
    links_.push_back(std::make_unique<Link>(*profile, static_cast<gen2::Session>(session),
                                            longest_epc_bytes_, frame_policy_, q_step_));
  }
  return {};
}

bool VirtualRadio::idle_until(std::uint64_t time_ns) {
  carrier_off(clock_.now_ns());
  clock_.advance_to(time_ns);
  return clock_.wait();
}

bool VirtualRadio::collect(std::uint64_t latency_ns) {
  if (!clock_.paced()) return false;
  collect_ns_.store(std::clamp(latency_ns, kLeastCollectNs, kMostCollectNs),
                    std::memory_order_relaxed);
  return true;
}

std::optional<bool> VirtualRadio::input_high(std::uint8_t port) {
  for (const InputScript& script : inputs_) {
    if (script.port == port) return high_at(script, field_seconds());
  }
  return std::nullopt;
}

std::optional<std::uint64_t> VirtualRadio::next_input_change_ns() const {
  std::optional<double> next;
  for (const InputScript& script : inputs_) {
    const auto change = next_change(script, field_seconds());
    if (change && (!next || *change < *next)) next = change;
  }
  if (!next) return std::nullopt;
  return clock_.origin_ns() + static_cast<std::uint64_t>(*next * 1e9);
}

Result<RoundResult> VirtualRadio::run_round(const RoundRequest& request, TagSink& sink) {
  if (!in_command_) {
    const Status known = check_round(request, capabilities_.features);
    if (!known.ok()) return known.error();
  }
  if (profile_ == nullptr || !power_cdbm(request.antenna, request.beam)) {
    return Error{ErrorCode::kBadSettings,
                 "antenna " + std::to_string(request.antenna) + " is not configured"};
  }
  if (const std::size_t beams = field_.beams(index_of(request.antenna)); request.beam > beams) {
    return Error{ErrorCode::kBadSettings, "antenna " + std::to_string(request.antenna) +
                                              " has no beam " + std::to_string(request.beam) +
                                              "; allowed: 0.." + std::to_string(beams)};
  }
  if (request.selects != nullptr) {
    // Twice, because a stay must have room for some slots after them.
    const std::uint64_t selects_ns =
        longest_selects(link(request.session).times.link(), *request.selects) / 1000;
    if (2 * selects_ns > hopper_.stay_ns()) {
      return Error{ErrorCode::kBadSettings,
                   "the Selects take " + std::to_string(selects_ns / 1'000'000) +
                       " ms with their delay; allowed: half of the time on a channel, " +
                       std::to_string(hopper_.stay_ns() / 2'000'000) + " ms"};
    }
  }
  take_observer();
  RoundResult result = Round(*this, request, sink).run();
  if (!capabilities_.features.has(Feature::kRoundStatistics)) {
    result.empty_slots = result.single_slots = result.collided_slots = 0;
  }
  return result;
}

Result<AccessResult> VirtualRadio::access_tag(const TagAccess& access) {
  in_command_ = true;
  auto result = RadioModule::access_tag(access);
  in_command_ = false;
  return result;
}

void VirtualRadio::take_observer() {
  AirObserver* const next = next_observer_.load(std::memory_order_acquire);
  if (next == observer_) return;
  observer_ = next;
  if (observer_ != nullptr && on_) observer_->carrier_is(hopper_.channel_khz(), on_->antenna);
}

void VirtualRadio::carrier_off(std::uint64_t time_ns) {
  if (!on_) return;
  on_.reset();
  population_.carrier_off(time_ns);
  const std::uint64_t fallen_ns = time_ns + kCarrierFallNs;
  hopper_.carrier_off(fallen_ns);
  if (observer_ != nullptr) observer_->carrier_off(fallen_ns);
}

void VirtualRadio::carrier_on(const RoundRequest& request, const Carrier& carrier) {
  on_ = On{.antenna = request.antenna, .beam = request.beam};
  hopper_.carrier_on(clock_.now_ns());
  if (observer_ != nullptr) {
    observer_->carrier_on(clock_.now_ns(), carrier.frequency_khz, request.antenna);
  }
  clock_.advance_ns(kCarrierRiseNs);
  illuminate(carrier, false);
}

void VirtualRadio::illuminate(const Carrier& carrier, bool changed_only) {
  field_.illuminate(carrier, field_seconds(), changed_only, population_.reach());
  population_.apply_power(clock_.now_ns());
  illuminated_ns_ = clock_.now_ns();
}

std::size_t VirtualRadio::index_of(std::uint8_t port) const {
  return static_cast<std::size_t>(std::find(ports_.begin(), ports_.end(), port) - ports_.begin());
}

std::optional<std::int32_t> VirtualRadio::power_cdbm(std::uint8_t port, std::uint16_t beam) const {
  for (const RadioSettings::Antenna& antenna : settings_.antennas) {
    if (antenna.port == port && antenna.beam == beam) return antenna.transmit_power_cdbm;
  }
  return std::nullopt;
}

Carrier VirtualRadio::carrier_for(const RoundRequest& request) const {
  const double power_dbm = power_cdbm(request.antenna, request.beam).value_or(0) / 100.0;
  return field_.carrier(index_of(request.antenna), request.beam, power_dbm, hopper_.channel_khz(),
                        profile_->sensitivity_dbm);
}

}  // namespace singulate::radio
