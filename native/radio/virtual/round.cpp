#include "radio/virtual/round.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gen2/portable_math.h"

namespace singulate::radio {

namespace {

// How often it is asked whether the round goes on.
constexpr std::uint64_t kWatchNs = 1'000'000;
// How often the field is looked at while things move in it: 20 ms are 3 cm of a forklift.
constexpr std::uint64_t kFieldTickNs = 20'000'000;
// ACKs to a tag whose EPC does not come through, before it is sent back.
constexpr int kAcks = 3;
// ln(10) / 1000: hundredths of a dB to a ratio of powers.
constexpr double kNepersPerCdb = 0.00230258509299404568;
// While the carrier waits for its channel: how often it is asked whether the round goes on.
constexpr std::uint64_t kWaitNs = 5'000'000;

std::uint64_t nanoseconds(gen2::Picoseconds time) { return time / 1000 + 1; }

gen2::Query query_for(const gen2::LinkProfile& profile, const RoundRequest& request) {
  return {.divide_ratio = profile.divide_ratio,
          .coding = profile.coding,
          .extended_preamble = profile.extended_preamble,
          .select = request.select_filter,
          .session = request.session,
          .target = request.target,
          .q = 0};
}

}  // namespace

Round::Round(VirtualRadio& radio, const RoundRequest& request, TagSink& sink)
    : radio_(radio),
      request_(request),
      sink_(sink),
      carrier_(radio.carrier_for(request)),
      times_(radio.link(request.session).times),
      policy_(*radio.link(request.session).policy),
      query_(query_for(*radio.profile_, request)),
      synced_ns_(radio.clock_.now_ns()),
      slot_ns_(nanoseconds(radio.link(request.session).longest_slot)) {
  if (request.selects != nullptr) {
    selects_ns_ = nanoseconds(longest_selects(times_.link(), *request.selects));
  }
  if (request.access.empty()) return;
  // Operations are not begun when their time is nearly over. Rather than not at all they may be
  // cut short: a slot never asks for more than half a stay.
  const std::uint64_t access =
      nanoseconds(longest_access(times_.link(), request.access, radio.longest_bank_words_));
  const std::uint64_t now = radio.clock_.now_ns();
  const std::uint64_t time = request.deadline_ns > now ? request.deadline_ns - now : 0;
  access_ns_ = std::min(access, time / 2);
  slot_ns_ = std::max(slot_ns_, std::min(slot_ns_ + access, radio.hopper_.stay_ns() / 2));
}

RoundResult Round::run() {
  if (begin()) frames();
  close_last_slot();
  sit_out();
  if (!catch_up(true)) result_.end = RoundEnd::kInterrupted;
  return result_;
}

bool Round::begin() {
  const bool fresh = request_.fresh_carrier || !radio_.is_on_for(request_) ||
                     stay_ends_within(selects_ns_ + slot_ns_);
  if (fresh) return restart_carrier();
  const std::uint64_t first = selects_ns_ + nanoseconds(times_.query(query_) + times_.rn16());
  if (!has_time(first)) return false;
  radio_.illuminate(carrier_, false);
  send_selects();
  return true;
}

void Round::frames() {
  next_q_ = first_q(request_.tag_population);
  while (go_on()) {
    if (must_restart()) {
      if (!restart_carrier()) return;
      // In S0 all tags come back: those that were read are expected again.
      if (request_.session == gen2::Session::kS0) {
        next_q_ = first_q(std::max<std::uint64_t>(request_.tag_population, result_.single_slots));
      }
    }
    if (!has_time(nanoseconds(times_.query(query_) + times_.rn16()))) return;
    open_frame(next_q_);
    FrameCounts frame{.q = next_q_};
    const FrameEnd end = run_frame(frame);
    result_.empty_slots += frame.empty;
    result_.single_slots += frame.single;
    result_.collided_slots += frame.collided;
    if (end == FrameEnd::kStopped) return;
    if (end == FrameEnd::kStayOver) {
      if (policy_.wants_truth()) policy_.set_tags_left(radio_.population_.left());
      next_q_ = policy_.after_cut(frame);
    }
    if (end == FrameEnd::kLastSlot) {
      // Every tag had a slot for itself: nobody is left.
      if (frame.collided == 0) {
        result_.end = RoundEnd::kComplete;
        return;
      }
      if (policy_.wants_truth()) policy_.set_tags_left(radio_.population_.left());
      next_q_ = policy_.after_frame(frame);
    }
  }
}

unsigned Round::first_q(std::uint64_t expected) {
  if (policy_.wants_truth()) {
    policy_.set_tags_left(radio_.population_.would_answer(query_, now_ns()));
  }
  return policy_.first_q(static_cast<std::uint32_t>(expected));
}

void Round::open_frame(unsigned q) {
  const unsigned from = query_.q;
  query_.q = static_cast<std::uint8_t>(q);
  if (by_query_ || q > from + 1 || from > q + 1) {
    send(query_, times_.query(query_));
    radio_.population_.query(query_, now_ns());
    if (!queried_) result_.held_back = radio_.population_.held_back();
    queried_ = true;
    by_query_ = false;
  } else {
    const gen2::QueryAdjust adjust{.session = request_.session,
                                   .change = q > from   ? gen2::QChange::kUp
                                             : q < from ? gen2::QChange::kDown
                                                        : gen2::QChange::kSame};
    send(adjust, times_.query_adjust(adjust));
    radio_.population_.query_adjust(adjust, now_ns());
  }
  acknowledged_ = false;
}

Round::FrameEnd Round::run_frame(FrameCounts& frame) {
  run_slot(0, frame);
  for (std::uint32_t slot = 1; slot < frame.size(); ++slot) {
    if (const auto q = policy_.after_slot(frame)) {
      next_q_ = *q;
      return FrameEnd::kBrokenOff;
    }
    if (!go_on()) return FrameEnd::kStopped;
    if (must_restart()) return FrameEnd::kStayOver;
    if (!has_time(nanoseconds(times_.collided_slot()))) return FrameEnd::kStopped;
    send_query_rep();
    radio_.population_.query_rep(now_ns());
    run_slot(slot, frame);
  }
  return FrameEnd::kLastSlot;
}

void Round::run_slot(std::uint32_t slot, FrameCounts& frame) {
  Population::Slot heard = radio_.population_.answer(slot);
  acknowledged_ = false;
  if (heard.heard == 0) {
    ++frame.empty;
    pay(times_.silence());
    return;
  }
  pay(times_.rn16());
  if (radio_.observer_ != nullptr) report_replies(heard);
  if (request_.min_rssi_cdbm || radio_.receiver_noise_.any()) heard = leave_out_weak();
  if (heard.heard == 0) {
    ++frame.empty;
    return;
  }
  if (const auto tag = understood(heard)) acknowledged_ = read(*tag);
  ++(acknowledged_ ? frame.single : frame.collided);
}

Population::Slot Round::leave_out_weak() {
  Population::Slot strong;
  for (const std::uint32_t i : radio_.population_.answering()) {
    if (radio_.population_.reach()[i] != Reach::kHeard) continue;
    const Signal signal = radio_.field_.signal(carrier_, radio_.field_seconds(), i);
    if (radio_.receiver_noise_.any() && margin_db(signal) < ReceiverNoise::kNoticedDb) continue;
    if (request_.min_rssi_cdbm && signal.rssi_cdbm < *request_.min_rssi_cdbm) {
      ++result_.too_weak;
      continue;
    }
    ++strong.heard;
    strong.tag = i;
  }
  return strong;
}

std::optional<std::uint32_t> Round::understood(const Population::Slot& slot) {
  const auto tag = slot.heard == 1 ? std::optional(slot.tag) : captured();
  return tag && !lost(*tag) ? tag : std::nullopt;
}

std::optional<std::uint32_t> Round::captured() {
  if (!radio_.capture_ratio_) return std::nullopt;
  double sum = 0;
  double strongest = 0;
  std::uint32_t tag = 0;
  for (const std::uint32_t i : radio_.population_.answering()) {
    const Signal signal = radio_.field_.signal(carrier_, radio_.field_seconds(), i);
    const double milliwatts = gen2::portable_exp(signal.rssi_cdbm * kNepersPerCdb);
    sum += milliwatts;
    if (milliwatts <= strongest) continue;
    strongest = milliwatts;
    tag = i;
  }
  const bool heard = radio_.population_.reach()[tag] == Reach::kHeard;
  return heard && strongest > (sum - strongest) * *radio_.capture_ratio_ ? std::optional(tag)
                                                                         : std::nullopt;
}

std::optional<gen2::BitFrame> Round::exchange(std::uint32_t tag, const gen2::AnyCommand& command) {
  const gen2::LinkTiming& link = times_.link();
  // Cut short: the carrier goes off before the reply could come.
  if (cut_short_ || !still_fits(longest_exchange(link, command, radio_.longest_bank_words_))) {
    cut_short_ = true;
    return std::nullopt;
  }
  const gen2::BitFrame frame = gen2::encode(command);
  follow_movement();
  send(command, link.command_time(frame));
  const double power_dbm = radio_.field_.tag_power_dbm(carrier_, radio_.field_seconds(), tag);
  const auto reply = radio_.population_.ear(tag).hear(frame, now_ns(),
                                                      radio_.population_.can_write(tag, power_dbm));
  const auto bits = reply ? static_cast<unsigned>(reply->frame.size()) : 0U;
  gen2::Picoseconds since = link.after_reply(bits);
  if (reply && reply->delayed) {
    since = link.t2();
    pay(link.listen_delayed(bits, reply->delay_us * gen2::kPicosecondsPerUs));
  } else if (reply) {
    pay(link.listen(bits));
  } else {
    // What may take its time is waited for until it cannot come any more.
    pay(gen2::reply_is_delayed(command) ? gen2::LinkTiming::kLongestWrite : link.silence());
  }
  if (reply) report_reply(reply->frame, since);
  if (!reply || radio_.population_.reach()[tag] != Reach::kHeard || lost(tag)) return std::nullopt;
  return reply->frame;
}

bool Round::lost(std::uint32_t tag) {
  double share = radio_.reply_loss_;
  if (radio_.receiver_noise_.any()) {
    const Signal signal = radio_.field_.signal(carrier_, radio_.field_seconds(), tag);
    share = 1 - (1 - share) * (1 - ReceiverNoise::loss(margin_db(signal)));
  }
  return share > 0 && radio_.noise_.unit() < share;
}

double Round::margin_db(const Signal& signal) const {
  return signal.rssi_cdbm / 100.0 - radio_.profile_->sensitivity_dbm -
         radio_.receiver_noise_.rise_db(radio_.field_seconds());
}

void Round::report_replies(const Population::Slot& slot) {
  const auto answering = radio_.population_.answering();
  const gen2::Picoseconds since = times_.link().after_reply(gen2::kRn16Bits);
  if (answering.size() > 1) {
    radio_.observer_->collision(now_ns() - since / 1000,
                                static_cast<std::uint32_t>(answering.size()));
  } else if (slot.heard == 1) {
    report_reply(gen2::encode_rn16(radio_.population_.tag(slot.tag).rn16()), since);
  }
}

std::optional<Round::Pending::Backscattered> Round::truncated(std::uint32_t tag) const {
  const auto from = radio_.population_.tag(tag).truncation();
  if (!from) return std::nullopt;
  const TagMemory::Packet packet = radio_.population_.packet(tag);
  Pending::Backscattered rest;
  rest.packet.crc = radio_.population_.memory(tag).stored_crc();
  // What lies after the mask, and zeros up to a whole word.
  const unsigned first = *from - gen2::kEpcWord * 16;
  gen2::BitFrame bits;
  for (unsigned bit = first; bit < packet.epc.size() * 8; ++bit) {
    bits.append((static_cast<unsigned>(packet.epc[bit / 8]) >> (7U - bit % 8U)) & 1U, 1);
  }
  // Five zeros before it, the CRC after it.
  constexpr unsigned kAround = 5 + 16;
  rest.bits = static_cast<unsigned>(bits.size()) + kAround;
  for (std::size_t at = 0; at < bits.size(); at += 16) {
    rest.epc.push_back(static_cast<std::uint8_t>(bits.read(at, 16) >> 8U));
    rest.epc.push_back(static_cast<std::uint8_t>(bits.read(at, 16) & 0xFFU));
  }
  return rest;
}

bool Round::read(std::uint32_t tag) {
  const auto cut = truncated(tag);
  const TagMemory::Packet packet = radio_.population_.packet(tag);
  const std::size_t bytes =
      cut ? cut->epc.size() : packet.epc.size() + std::size_t{packet.xpc_words} * 2;
  const unsigned bits = cut ? cut->bits : gen2::epc_reply_bits(bytes);
  const gen2::Picoseconds end = times_.query_rep() + times_.silence();
  if (!has_time(nanoseconds(longest_ack(times_, bytes) + end) + access_ns_)) return false;
  for (int attempt = 0; attempt < kAcks; ++attempt) {
    if (attempt > 0 && !still_fits(longest_ack(times_, bytes))) break;
    const std::uint16_t rn16 = radio_.population_.tag(tag).rn16();
    send(gen2::Ack{rn16}, times_.ack(rn16));
    radio_.population_.ack(tag);
    pay(times_.link().t1() + times_.link().reply_time(bits));
    if (radio_.observer_ != nullptr) {
      const std::array<std::uint16_t, 1> xpc{packet.xpc_w1};
      report_reply(
          cut ? gen2::encode_truncated_reply(
                    packet.epc, *radio_.population_.tag(tag).truncation() - gen2::kEpcWord * 16,
                    cut->packet.crc)
              : gen2::encode_epc_reply(packet.pc, packet.epc, {xpc.data(), packet.xpc_words}),
          0);
    }
    Pending read{.time_ns = now_ns(),
                 .tag = tag,
                 .frequency_khz = carrier_.frequency_khz,
                 .signal = radio_.field_.signal(carrier_, radio_.field_seconds(), tag),
                 .backscattered = cut};
    pay(times_.link().after_reply(bits));
    if (lost(tag)) continue;
    if (!request_.access.empty()) {
      // It may write to what was backscattered.
      if (!cut) {
        read.backscattered = {.packet = packet, .epc = {packet.epc.begin(), packet.epc.end()}};
      }
      read.access = access(tag);
    }
    if (radio_.clock_.paced()) {
      pending_.push_back(std::move(read));
    } else if (!deliver(read)) {
      sink_closed_ = true;
    }
    return true;
  }
  send(gen2::Nak{}, times_.nak());
  radio_.population_.nak();
  pay(times_.silence());
  return false;
}

std::vector<AccessResult> Round::access(std::uint32_t tag) {
  cut_short_ = false;
  AccessSession session([&](const gen2::AnyCommand& command) { return exchange(tag, command); });
  auto results = session.run(radio_.population_.tag(tag).rn16(), request_.access);
  if (cut_short_) {
    for (AccessResult& result : results) {
      const bool undone =
          result.status == AccessStatus::kNoReply || result.status == AccessStatus::kSkipped;
      if (undone) result.status = AccessStatus::kNoTime;
    }
  }
  return results;
}

bool Round::has_time(std::uint64_t ahead_ns) {
  if (in_time(ahead_ns)) return true;
  result_.end = RoundEnd::kDeadline;
  out_of_time_ = true;
  return false;
}

void Round::sit_out() {
  if (!out_of_time_ || sink_closed_) return;
  // In steps, for the watch and for interrupts.
  while (now_ns() < request_.deadline_ns && wanted()) {
    const std::uint64_t next = std::min(now_ns() + kWaitNs, request_.deadline_ns);
    if (radio_.on_ && stay_ends_within(next - now_ns())) radio_.carrier_off(now_ns());
    radio_.clock_.advance_to(next);
  }
}

bool Round::go_on() {
  if (out_of_time_ || !wanted()) return false;
  if (radio_.on_) follow_movement();
  return true;
}

bool Round::wanted() {
  const std::uint64_t now = now_ns();
  if (sink_closed_ || radio_.clock_.interrupted()) {
    result_.end = RoundEnd::kInterrupted;
    return false;
  }
  if (now >= request_.deadline_ns || out_of_time_) {
    result_.end = RoundEnd::kDeadline;
    if (now >= request_.deadline_ns) return false;
  }
  if (request_.watch != nullptr && now - watched_ns_ >= kWatchNs) {
    watched_ns_ = now;
    if (!request_.watch->goes_on()) {
      result_.end = RoundEnd::kWatch;
      return false;
    }
  }
  if (radio_.clock_.paced() && now >= catch_up_ns() && !catch_up()) {
    result_.end = RoundEnd::kInterrupted;
    return false;
  }
  return true;
}

void Round::follow_movement() {
  if (radio_.field_.anything_changes() && now_ns() - radio_.illuminated_ns_ >= kFieldTickNs) {
    radio_.illuminate(carrier_, true);
  }
}

bool Round::restart_carrier() {
  constexpr std::uint64_t kSwitchNs = kCarrierFallNs + kCarrierOffNs + kCarrierRiseNs;
  const std::uint64_t first = selects_ns_ + nanoseconds(times_.query(query_) + times_.rn16());
  // A round that has no room for a slot does not disturb the carrier either.
  if (!has_time(kSwitchNs + radio_.hopper_.listen_ns() + first)) return false;
  close_last_slot();
  radio_.carrier_off(now_ns());
  radio_.clock_.advance_ns(kCarrierFallNs + kCarrierOffNs);
  ChannelHopper& hopper = radio_.hopper_;
  const std::uint64_t listening = hopper.listen_ns();
  if (stay_ends_within(listening + kCarrierRiseNs + selects_ns_ + slot_ns_)) hopper.next();
  for (;;) {
    if (!wait_until(hopper.free_ns(now_ns())) || !wait_until(now_ns() + listening)) return false;
    if (!hopper.found_busy()) break;
    hopper.next();
  }
  carrier_ = radio_.carrier_for(request_);
  radio_.carrier_on(request_, carrier_);
  // Tags that lost their power have lost what the Selects told them.
  send_selects();
  by_query_ = true;
  return true;
}

bool Round::still_fits(gen2::Picoseconds step) const {
  const gen2::Picoseconds end = times_.nak() + times_.query_rep() + 2 * times_.silence();
  return !stay_ends_within(nanoseconds(step + end)) && in_time(nanoseconds(step + end));
}

bool Round::wait_until(std::uint64_t time_ns) {
  while (now_ns() < time_ns) {
    if (!wanted()) return false;
    const std::uint64_t next = std::min(now_ns() + kWaitNs, request_.deadline_ns);
    radio_.clock_.advance_to(std::min(next, time_ns));
  }
  return true;
}

void Round::send_selects() {
  if (request_.selects == nullptr || request_.selects->selects.empty()) return;
  const gen2::LinkTiming& link = times_.link();
  const auto& selects = request_.selects->selects;
  for (const gen2::Select& select : selects) {
    send(select, link.command_time(gen2::encode(select)));
    radio_.population_.select(select, now_ns());
    if (&select != &selects.back()) pay(link.t4());
  }
  const gen2::Picoseconds asked = request_.selects->delay_us * gen2::kPicosecondsPerUs;
  pay(std::max(asked, link.t4()));
  follow_movement();
}

void Round::close_last_slot() {
  if (!acknowledged_) return;
  acknowledged_ = false;
  send_query_rep();
  radio_.population_.query_rep(now_ns());
  pay(times_.silence());
}

std::uint64_t Round::catch_up_ns() const {
  const std::uint64_t furthest = synced_ns_ + kMostCollectNs;
  if (pending_.empty() && !radio_.in_batch_) return furthest;
  std::uint64_t due = radio_.batch_ns_ + radio_.collect_ns_.load(std::memory_order_relaxed);
  if (!radio_.in_batch_) due = std::max(due, pending_.front().time_ns);
  return std::min(due, furthest);
}

bool Round::catch_up(bool round_ends) {
  if (!radio_.clock_.paced()) return !sink_closed_ && !radio_.clock_.interrupted();
  const std::uint64_t before = now_ns();
  const bool on_time = radio_.clock_.wait();
  synced_ns_ = now_ns();
  if (synced_ns_ > before) {
    // The machine was held up for so long that the clock jumped. Nothing was sent meanwhile.
    radio_.carrier_off(before);
    acknowledged_ = false;
  }
  // Also when interrupted: what was read counts. None of it lies more than a moment ahead.
  bool wanted = true;
  if (!pending_.empty() && !radio_.in_batch_) {
    radio_.in_batch_ = true;
    sink_.begin_batch();
  }
  for (const Pending& read : pending_) wanted = deliver(read) && wanted;
  pending_.clear();
  // The few reads between the last batch and the end of the round belong to the next one.
  const std::uint64_t collected = synced_ns_ - std::min(synced_ns_, radio_.batch_ns_);
  const bool joins = round_ends && on_time && wanted && 2 * collected < radio_.collect_ns_;
  if (radio_.in_batch_ && !joins) {
    radio_.in_batch_ = false;
    radio_.batch_ns_ = synced_ns_;
    sink_.end_batch();
  }
  if (!wanted) sink_closed_ = true;
  return on_time && wanted;
}

bool Round::deliver(const Pending& read) {
  TagMemory::Packet packet;
  if (read.backscattered) {
    packet = read.backscattered->packet;
    packet.epc = read.backscattered->epc;
  } else {
    packet = radio_.population_.packet(read.tag);
  }
  return sink_.on_read({
      .time_ns = read.time_ns,
      .frequency_khz = read.frequency_khz,
      .rssi_cdbm = read.signal.rssi_cdbm,
      .phase_cdeg = read.signal.phase_cdeg,
      .pc = packet.pc,
      .crc = packet.crc,
      .antenna = request_.antenna,
      .xpc_w1 = packet.xpc_w1,
      .xpc_words = static_cast<std::uint8_t>(packet.xpc_words),
      .epc = packet.epc,
      .access = read.access,
  });
}

}  // namespace singulate::radio
