#include "radio/virtual/tag_ear.h"

#include <algorithm>
#include <array>

#include "gen2/replies.h"

namespace singulate::radio {

using gen2::TagError;

namespace {

// A delayed reply comes within 20 ms (T5).
constexpr std::uint32_t kLongestDelayUs = 20'000;

}  // namespace

void TagEar::power_up(std::uint64_t now_ns) {
  if (tag_.powered()) return;
  tag_.power_up(now_ns);
  memory_.power_up();
}

std::optional<TagReply> TagEar::hear(const gen2::BitFrame& frame, std::uint64_t now_ns,
                                     bool power_to_write) {
  if (!tag_.powered() || tag_.state() == TagState::kKilled) return {};
  const auto command = gen2::decode_command(frame);
  if (!command) return {};
  now_ns_ = now_ns;
  power_to_write_ = power_to_write;
  cover_ = tag_.take_cover();
  return std::visit([this](const auto& one) { return on(one); }, *command);
}

void TagEar::hear_select(const gen2::Select& command, std::uint64_t now_ns) {
  if (!tag_.powered() || tag_.state() == TagState::kKilled) return;
  now_ns_ = now_ns;
  (void)tag_.take_cover();
  (void)on(command);
}

// --- Inventory.

TagEar::Reply TagEar::rn16_if(bool replies) const {
  if (!replies) return {};
  return TagReply{.frame = gen2::encode_rn16(tag_.rn16())};
}

TagEar::Reply TagEar::on(const gen2::Query& command) {
  return rn16_if(tag_.query(command, now_ns_));
}

TagEar::Reply TagEar::on(const gen2::QueryRep& command) {
  if (tag_.half() != Tag::Half::kNone) {
    tag_.fall_back();
    return {};
  }
  return rn16_if(tag_.query_rep(command.session, now_ns_));
}

TagEar::Reply TagEar::on(const gen2::QueryAdjust& command) {
  if (tag_.half() != Tag::Half::kNone) {
    tag_.fall_back();
    return {};
  }
  return rn16_if(tag_.query_adjust(command.session, command.change, now_ns_));
}

TagEar::Reply TagEar::on(const gen2::Ack& command) {
  if (tag_.half() != Tag::Half::kNone) {
    tag_.fall_back();
    return {};
  }
  return tag_.ack(command.rn16) ? epc() : Reply{};
}

TagEar::Reply TagEar::epc() const {
  const TagMemory::Packet packet = memory_.packet(tag_.selected());
  if (const auto from = tag_.truncation()) {
    // The address counts from the start of the EPC bank, the EPC begins after CRC and PC.
    return TagReply{.frame = gen2::encode_truncated_reply(packet.epc, *from - gen2::kEpcWord * 16,
                                                          memory_.stored_crc())};
  }
  const std::array<std::uint16_t, 1> xpc{packet.xpc_w1};
  return TagReply{
      .frame = gen2::encode_epc_reply(packet.pc, packet.epc, {xpc.data(), packet.xpc_words})};
}

TagEar::Reply TagEar::on(const gen2::Nak& /*command*/) {
  tag_.nak();
  return {};
}

TagEar::Reply TagEar::on(const gen2::Select& command) {
  if (tag_.half() != Tag::Half::kNone) {
    tag_.fall_back();
    return {};
  }
  const unsigned epc_end =
      (gen2::kEpcWord * 16) + static_cast<unsigned>(memory_.packet(tag_.selected()).epc.size()) * 8;
  const std::uint64_t mask_end = std::uint64_t{command.pointer} + command.mask.bits;
  if (command.truncate) {
    // Only for SL and a mask that lies in the EPC; otherwise the command is no valid Select.
    const bool valid = command.target == gen2::SelectTarget::kSl &&
                       command.bank == gen2::Bank::kEpc && command.pointer >= gen2::kEpcWord * 16 &&
                       mask_end <= epc_end;
    if (!valid) return {};
  }
  const bool matches = memory_.matches(command, tag_.selected());
  tag_.select(command.target, gen2::flag_change(command.action, matches), now_ns_);
  tag_.set_truncation(command.truncate && matches ? std::optional(static_cast<unsigned>(mask_end))
                                                  : std::nullopt);
  return {};
}

// --- Access.

AccessRight TagEar::right() const {
  return {.secured = tag_.state() == TagState::kSecured,
          .selected = tag_.selected(),
          .power_to_write = power_to_write_};
}

bool TagEar::accepts(std::uint16_t handle, Tag::Half may_follow) {
  // Only one that has a handle can be meant; one that waits for its ACK or Req_RN gives up.
  tag_.t2_expired();
  const bool here = tag_.state() == TagState::kOpen || tag_.state() == TagState::kSecured;
  if (!here || handle != tag_.rn16()) return false;
  if (tag_.half() == Tag::Half::kNone || tag_.half() == may_follow) return true;
  tag_.fall_back();
  return false;
}

TagEar::Reply TagEar::handle() const {
  return TagReply{.frame = gen2::encode_handle_reply(tag_.rn16())};
}

TagEar::Reply TagEar::error(TagError error) const {
  return TagReply{.frame = gen2::encode_error_reply(error, tag_.rn16())};
}

TagEar::Reply TagEar::written(TagMemory::Failure failure, std::size_t words) const {
  TagReply reply{.frame = failure ? gen2::encode_error_reply(*failure, tag_.rn16())
                                  : gen2::encode_done_reply(tag_.rn16()),
                 .delayed = true};
  if (!failure) {
    const std::uint64_t us = words * std::uint64_t{memory_.model().write_us_per_word};
    reply.delay_us = static_cast<std::uint32_t>(std::min<std::uint64_t>(us, kLongestDelayUs));
  }
  return reply;
}

TagEar::Reply TagEar::on(const gen2::ReqRn& command) {
  if (tag_.state() == TagState::kReply) {
    tag_.fall_back();
    return {};
  }
  const auto rn16 = tag_.req_rn(command.handle, memory_.access_password() != 0);
  if (!rn16) return {};
  return TagReply{.frame = gen2::encode_handle_reply(*rn16)};
}

TagEar::Reply TagEar::on(const gen2::Read& command) {
  if (!accepts(command.handle)) return {};
  gen2::WordList words;
  if (const auto failure =
          memory_.read(command.bank, command.word_pointer, command.word_count, right(), words)) {
    return error(*failure);
  }
  return TagReply{.frame = gen2::encode_done_reply(tag_.rn16(), {words.words.data(), words.count})};
}

TagEar::Reply TagEar::on(const gen2::Write& command) {
  if (!accepts(command.handle) || !cover_) return {};
  const std::array<std::uint16_t, 1> word{gen2::cover(command.covered_data, *cover_)};
  return written(memory_.write(command.bank, command.word_pointer, word, right()), 1);
}

TagEar::HalfResult TagEar::take_half(Tag::Half which, std::uint32_t password, std::uint16_t half) {
  const bool second = tag_.half() == which;
  const auto expected = static_cast<std::uint16_t>(second ? password & 0xFFFFU : password >> 16U);
  if (half != expected) {
    tag_.fall_back();
    return HalfResult::kWrong;
  }
  tag_.set_half(second ? Tag::Half::kNone : which);
  return second ? HalfResult::kBoth : HalfResult::kFirst;
}

TagEar::Reply TagEar::on(const gen2::Kill& command) {
  if (!accepts(command.handle, Tag::Half::kKill) || !cover_) return {};
  const std::uint32_t password = memory_.kill_password();
  std::uint16_t half = gen2::cover(command.covered_half, *cover_);
  // Whatever is sent to a tag without a kill password: it is refused, at the end.
  if (password == 0) half = 0;
  switch (take_half(Tag::Half::kKill, password, half)) {
    case HalfResult::kWrong:
      return {};
    case HalfResult::kFirst:
      return handle();
    default:
      break;
  }
  if (password == 0) return written(TagError::kInsufficientPrivileges, 0);
  if (!power_to_write_) return written(TagError::kInsufficientPower, 0);
  const Reply last = written({}, 1);
  tag_.kill();
  return last;
}

TagEar::Reply TagEar::on(const gen2::Access& command) {
  if (!accepts(command.handle, Tag::Half::kAccess) || !cover_) return {};
  const std::uint16_t half = gen2::cover(command.covered_half, *cover_);
  switch (take_half(Tag::Half::kAccess, memory_.access_password(), half)) {
    case HalfResult::kWrong:
      return {};
    case HalfResult::kBoth:
      tag_.secure();
      return handle();
    default:
      return handle();
  }
}

TagEar::Reply TagEar::on(const gen2::Lock& command) {
  if (!accepts(command.handle)) return {};
  return written(memory_.lock(command.payload, right()), 1);
}

TagEar::Reply TagEar::on(const gen2::BlockWrite& command) {
  if (!memory_.model().block_write || command.data.count == 0) return {};
  if (!accepts(command.handle)) return {};
  const std::span<const std::uint16_t> words{command.data.words.data(), command.data.count};
  return written(memory_.write(command.bank, command.word_pointer, words, right()), words.size());
}

TagEar::Reply TagEar::on(const gen2::BlockErase& command) {
  if (!memory_.model().block_write || command.word_count == 0) return {};
  if (!accepts(command.handle)) return {};
  const std::array<std::uint16_t, 255> zeros{};
  const std::span<const std::uint16_t> words{zeros.data(), command.word_count};
  return written(memory_.write(command.bank, command.word_pointer, words, right()), words.size());
}

TagEar::Reply TagEar::on(const gen2::BlockPermalock& command) {
  if (!memory_.model().block_permalock || !accepts(command.handle)) return {};
  if (command.lock) return written(memory_.permalock(command, right()), 1);
  gen2::WordList words;
  if (const auto failure = memory_.read_permalocks(command, words)) return error(*failure);
  return TagReply{.frame = gen2::encode_done_reply(tag_.rn16(), {words.words.data(), words.count})};
}

// No chip of the simulation has files.
TagEar::Reply TagEar::on(const gen2::FileOpen& command) {
  (void)accepts(command.handle);
  return {};
}

TagEar::Reply TagEar::on(const gen2::Untraceable& command) {
  if (!memory_.model().untraceable || !accepts(command.handle)) return {};
  return written(memory_.hide(command, right()), 1);
}

}  // namespace singulate::radio
