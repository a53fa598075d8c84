#include "radio/virtual/tag.h"

namespace singulate::radio {

namespace {

// Section 7.1: S1 500 ms < t < 5 s. S2, S3 and SL without power: > 2 s, no upper limit is
// given; 20 s is a tag's own business.
constexpr double kS1MinUs = 0.5e6;
constexpr double kS1MaxUs = 5e6;
constexpr double kOffMinUs = 2e6;
constexpr double kOffMaxUs = 20e6;

std::uint32_t between(Random& random, double low, double high) {
  return static_cast<std::uint32_t>(low + (high - low) * random.unit());
}

}  // namespace

Tag::Tag(std::uint64_t seed)
    : random_(seed),
      s1_persistence_us_(between(random_, kS1MinUs, kS1MaxUs)),
      off_persistence_us_(between(random_, kOffMinUs, kOffMaxUs)) {}

void Tag::power_up(std::uint64_t now_ns) {
  if (powered_) return;
  powered_ = true;
  const bool lost = now_ns - off_since_ns_ > off_persistence_us_ * std::uint64_t{1000};
  if (lost) flags_ &= 0b0'0011;  // S2, S3 and SL
}

void Tag::power_down(std::uint64_t now_ns) {
  if (!powered_) return;
  powered_ = false;
  if (state_ != TagState::kKilled) state_ = TagState::kReady;
  half_ = Half::kNone;
  has_cover_ = false;
  truncate_from_ = kWhole;
  off_since_ns_ = now_ns;
  flags_ &= 0b1'1110;  // S0 does not persist
}

bool Tag::query(const gen2::Query& command, std::uint64_t now_ns) {
  if (state_ == TagState::kKilled) return false;
  // The flag is inverted before the match is evaluated, in the same session only.
  if (in_session() && command.session == session_) leave(now_ns);
  state_ = TagState::kReady;
  half_ = Half::kNone;
  expire_s1(now_ns);
  if (is_b(command.session) != (command.target == gen2::Target::kB)) return false;
  if (command.select == gen2::SelectFilter::kSelected && !selected()) return false;
  if (command.select == gen2::SelectFilter::kNotSelected && selected()) return false;
  session_ = command.session;
  selected_round_ = command.select == gen2::SelectFilter::kSelected;
  return draw(command.q);
}

bool Tag::query_rep(gen2::Session session, std::uint64_t now_ns) {
  if (!in_round() || session != session_) return false;
  switch (state_) {
    case TagState::kArbitrate:
      slot_ = static_cast<std::uint16_t>((slot_ - 1) & kMute);
      if (slot_ != 0) return false;
      reply();
      return true;
    case TagState::kReply:
      fall_back();
      return false;
    default:
      leave(now_ns);
      return false;
  }
}

bool Tag::query_adjust(gen2::Session session, gen2::QChange change, std::uint64_t now_ns) {
  if (!in_round() || session != session_) return false;
  if (in_session()) {
    leave(now_ns);
    return false;
  }
  unsigned q = q_;
  if (change == gen2::QChange::kUp && q < gen2::kMaxQ) ++q;
  if (change == gen2::QChange::kDown && q > 0) --q;
  return draw(q);
}

bool Tag::ack(std::uint16_t rn16) {
  if (state_ != TagState::kReply && !in_session()) return false;
  if (rn16 != rn16_) {
    fall_back();
    return false;
  }
  if (state_ == TagState::kReply) state_ = TagState::kAcknowledged;
  return true;
}

void Tag::nak() {
  if (state_ == TagState::kReply || in_session()) fall_back();
}

void Tag::select(gen2::SelectTarget target, gen2::FlagChange change, std::uint64_t now_ns) {
  if (state_ == TagState::kKilled) return;
  expire_s1(now_ns);
  state_ = TagState::kReady;
  half_ = Half::kNone;
  if (change == gen2::FlagChange::kNone) return;
  if (target == gen2::SelectTarget::kSl) {
    const bool asserted =
        change == gen2::FlagChange::kNegate ? !selected() : change == gen2::FlagChange::kAssertOrA;
    flags_ = static_cast<std::uint8_t>(asserted ? flags_ | kSl : flags_ & ~kSl);
    return;
  }
  const auto session = static_cast<gen2::Session>(target);
  const bool to_b = change == gen2::FlagChange::kNegate ? !is_b(session)
                                                        : change == gen2::FlagChange::kDeassertOrB;
  set_flag(session, to_b ? gen2::Target::kB : gen2::Target::kA, now_ns);
}

std::optional<std::uint16_t> Tag::req_rn(std::uint16_t handle, bool has_access_password) {
  if (!in_session() || handle != rn16_) return std::nullopt;
  if (state_ == TagState::kAcknowledged) {
    rn16_ = random_.bits(16);
    state_ = has_access_password ? TagState::kOpen : TagState::kSecured;
    return rn16_;
  }
  cover_ = random_.bits(16);
  has_cover_ = true;
  return cover_;
}

std::optional<std::uint16_t> Tag::take_cover() {
  if (!has_cover_) return std::nullopt;
  has_cover_ = false;
  return cover_;
}

std::optional<unsigned> Tag::truncation() const {
  return selected_round_ && truncate_from_ != kWhole ? std::optional<unsigned>(truncate_from_)
                                                     : std::nullopt;
}

void Tag::t2_expired() {
  if (state_ == TagState::kReply || state_ == TagState::kAcknowledged) fall_back();
}

bool Tag::draw(unsigned q) {
  q_ = static_cast<std::uint8_t>(q);
  slot_ = random_.bits(q);
  if (slot_ == 0) {
    reply();
    return true;
  }
  state_ = TagState::kArbitrate;
  return false;
}

void Tag::reply() {
  slot_ = 0;
  rn16_ = random_.bits(16);
  state_ = TagState::kReply;
}

void Tag::fall_back() {
  half_ = Half::kNone;
  slot_ = kMute;
  state_ = TagState::kArbitrate;
}

void Tag::leave(std::uint64_t now_ns) {
  set_flag(session_, is_b(session_) ? gen2::Target::kA : gen2::Target::kB, now_ns);
  state_ = TagState::kReady;
  half_ = Half::kNone;
}

gen2::Target Tag::flag(gen2::Session session, std::uint64_t now_ns) const {
  Tag later = *this;
  if (state_ == TagState::kReady) later.expire_s1(now_ns);
  return later.is_b(session) ? gen2::Target::kB : gen2::Target::kA;
}

void Tag::set_flag(gen2::Session session, gen2::Target target, std::uint64_t now_ns) {
  const unsigned bit = 1U << static_cast<unsigned>(session);
  const unsigned flags = target == gen2::Target::kB ? flags_ | bit : flags_ & ~bit;
  flags_ = static_cast<std::uint8_t>(flags);
  if (session == gen2::Session::kS1) s1_set_ns_ = now_ns;
}

void Tag::expire_s1(std::uint64_t now_ns) {
  if (is_b(gen2::Session::kS1) && now_ns - s1_set_ns_ >= s1_persistence_us_ * std::uint64_t{1000}) {
    set_flag(gen2::Session::kS1, gen2::Target::kA, now_ns);
  }
}

}  // namespace singulate::radio
