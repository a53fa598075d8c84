// The simulated radio: an interrogator that sends real commands and pays their exact air
// time slot by slot, to tags that are Gen2 state machines in a field.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gen2/link_profile.h"
#include "radio/air_clock.h"
#include "radio/radio_module.h"
#include "radio/virtual/air_observer.h"
#include "radio/virtual/channel_hopper.h"
#include "radio/virtual/field.h"
#include "radio/virtual/frame_policy.h"
#include "radio/virtual/longest_steps.h"
#include "radio/virtual/population.h"
#include "radio/virtual/receiver_noise.h"
#include "radio/virtual/slot_times.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// How the carrier goes off and on (reference section 2.3): together the 2.5 ms that a hop costs,
// and a switch of the antenna.
inline constexpr std::uint64_t kCarrierFallNs = 500'000;
inline constexpr std::uint64_t kCarrierOffNs = 1'000'000;   // at least
inline constexpr std::uint64_t kCarrierRiseNs = 1'000'000;  // until commands may be sent

// Paced: air time between two waits for real time, which are much of what this radio costs. The air
// is never further ahead than this: so late does the radio notice what happens outside.
inline constexpr std::uint64_t kMostCollectNs = 10'000'000;
inline constexpr std::uint64_t kLeastCollectNs = 1'000'000;

class VirtualRadio final : public RadioModule {
 public:
  // The options must be without fault (check_virtual_options).
  explicit VirtualRadio(const VirtualOptions& options);

  Status open() override { return {}; }
  void close() override { carrier_off(clock_.now_ns()); }
  [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
  // The field begins with the first inventory and goes on between inventories if paced.
  Status configure(const RadioSettings& settings) override;
  // The carrier goes off only if its antenna gets another power.
  Status change(const RadioSettings& settings) override;
  Result<RoundResult> run_round(const RoundRequest& request, TagSink& sink) override;
  // As a command of its own, which may be more than the rounds of an imitated module can.
  Result<AccessResult> access_tag(const TagAccess& access) override;
  [[nodiscard]] std::uint64_t now_ns() const override { return clock_.now_ns(); }
  bool idle_until(std::uint64_t time_ns) override;
  void interrupt() override { clock_.interrupt(); }
  bool collect(std::uint64_t latency_ns) override;
  std::optional<bool> input_high(std::uint8_t port) override;
  [[nodiscard]] std::optional<std::uint64_t> next_input_change_ns() const override;

  // From the next round on; none by default. From any thread. It must outlive the radio, also if it
  // is exchanged: the running round still tells it.
  void observe(AirObserver* observer) { next_observer_.store(observer, std::memory_order_release); }
  // The tags, in the order of the options. Only while no round runs.
  [[nodiscard]] const Population& population() const { return population_; }

 private:
  friend class Round;

  [[nodiscard]] double field_seconds() const {
    return static_cast<double>(clock_.elapsed_ns()) * 1e-9;
  }
  // The one that observe() was given last.
  void take_observer();
  // From that time on tags are without power. Nothing if it is off.
  void carrier_off(std::uint64_t time_ns);
  // Pays its rise; the field is looked at.
  void carrier_on(const RoundRequest& request, const Carrier& carrier);
  [[nodiscard]] bool is_on_for(const RoundRequest& request) const {
    return on_ && on_->antenna == request.antenna && on_->beam == request.beam;
  }
  void illuminate(const Carrier& carrier, bool changed_only);
  [[nodiscard]] Carrier carrier_for(const RoundRequest& request) const;
  [[nodiscard]] std::size_t index_of(std::uint8_t port) const;
  // Takes them if the radio can run them.
  Status apply(const RadioSettings& settings);
  // Of a configured antenna; nothing if it is not.
  [[nodiscard]] std::optional<std::int32_t> power_cdbm(std::uint8_t port, std::uint16_t beam) const;

  // What depends on the link profile and the session; made once for an inventory.
  struct Link {
    Link(const gen2::LinkProfile& profile, gen2::Session session, std::size_t epc_bytes,
         FramePolicyKind kind, double q_step)
        : times(profile, session),
          longest_slot(radio::longest_slot(times, epc_bytes)),
          policy(make_frame_policy(kind, times.costs(), q_step)) {}
    SlotTimes times;
    gen2::Picoseconds longest_slot;
    std::unique_ptr<FramePolicy> policy;
  };
  [[nodiscard]] Link& link(gen2::Session session) {
    return *links_[static_cast<std::size_t>(session)];
  }

  Capabilities capabilities_;
  bool in_command_ = false;          // the round is one of access_tag()
  std::vector<std::uint8_t> ports_;  // by antenna index
  Field field_;
  Population population_;
  ChannelHopper hopper_;
  AirClock clock_;
  // Paced: how long reads are collected at most. It is set from any thread.
  std::atomic<std::uint64_t> collect_ns_;
  // When the last batch of reads was ended, and whether one is open: a round may leave it so.
  std::uint64_t batch_ns_ = 0;
  bool in_batch_ = false;
  RadioSettings settings_;
  const gen2::LinkProfile* profile_ = nullptr;
  std::vector<std::unique_ptr<Link>> links_;  // by session
  std::vector<InputScript> inputs_;
  std::uint64_t illuminated_ns_ = 0;
  struct On {
    std::uint8_t antenna = 0;  // port
    std::uint16_t beam = 0;
  };
  std::optional<On> on_;             // the carrier
  AirObserver* observer_ = nullptr;  // of the thread of the rounds
  std::atomic<AirObserver*> next_observer_ = nullptr;
  std::size_t longest_epc_bytes_ = 0;    // that a tag can send, XPC words included
  std::size_t longest_bank_words_ = 0;   // that a tag can have
  std::optional<double> capture_ratio_;  // of powers
  double reply_loss_;
  ReceiverNoise receiver_noise_;
  FramePolicyKind frame_policy_;
  double q_step_;
  Random noise_;  // decides which replies are lost
};

}  // namespace singulate::radio
