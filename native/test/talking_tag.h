// A single tag for tests, spoken to with whole frames as an interrogator does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gen2/any_command.h"
#include "gen2/replies.h"
#include "radio/virtual/tag.h"
#include "radio/virtual/tag_ear.h"
#include "radio/virtual/tag_memory.h"
#include "third_party/doctest/doctest.h"

namespace singulate::test {

// A chip with everything: EPC of 96 bits in room for 128, TID, 8 words of USER, passwords.
inline radio::VirtualTagModel full_model() {
  return {.name = "full",
          .epc_words = 8,
          .user_words = 8,
          .write_us_per_word = 1000,
          .block_write = true,
          .block_permalock = true,
          .untraceable = false};
}

inline radio::VirtualTag full_tag() {
  return {.epc = {0x30, 0x08, 0x33, 0xB2, 0xDD, 0xD9, 0x01, 0x40, 0x00, 0x00, 0x00, 0x01},
          .tid = {0xE2, 0x80, 0x11, 0x60, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07},
          .kill_password = 0x12345678,
          .access_password = 0xCAFEBABE,
          .lock = gen2::lock_bits(gen2::LockField::kTid, gen2::LockState::kNever)};
}

class TalkingTag {
 public:
  explicit TalkingTag(const radio::VirtualTag& tag = full_tag(),
                      const radio::VirtualTagModel& model = full_model())
      : model_(model), state(1), memory(tag, model_), ear(state, memory) {
    ear.power_up(0);
  }

  std::optional<radio::TagReply> say(const gen2::AnyCommand& command) {
    return ear.hear(gen2::encode(command), now_ns, power_to_write);
  }
  // Singulates the tag: it is in acknowledged.
  void singulate(gen2::Session session = gen2::Session::kS0) {
    const auto target = state.flag(session, now_ns);
    REQUIRE(say(gen2::Query{.session = session, .target = target}));
    REQUIRE(say(gen2::Ack{state.rn16()}));
  }
  // Singulates it and asks for the handle: it is in open, without an access password in secured.
  void open(gen2::Session session = gen2::Session::kS0) {
    singulate(session);
    handle = number(say(gen2::ReqRn{state.rn16()}));
  }
  void secure(std::uint32_t password = full_tag().access_password) {
    open();
    say_half_access(static_cast<std::uint16_t>(password >> 16U));
    say_half_access(static_cast<std::uint16_t>(password & 0xFFFFU));
    REQUIRE(state.state() == radio::TagState::kSecured);
  }
  // A new RN16 to cover the next word with.
  std::uint16_t cover() { return number(say(gen2::ReqRn{handle})); }
  std::optional<radio::TagReply> say_half_access(std::uint16_t half) {
    return say(gen2::Access{.covered_half = gen2::cover(half, cover()), .handle = handle});
  }
  std::optional<radio::TagReply> say_half_kill(std::uint16_t half) {
    return say(gen2::Kill{.covered_half = gen2::cover(half, cover()), .handle = handle});
  }
  // The error of an access command; nothing: it was done. The reply must be well formed.
  std::optional<gen2::TagError> outcome(const gen2::AnyCommand& command) {
    return error_of(say(command));
  }
  std::optional<gen2::TagError> write(gen2::Bank bank, std::uint32_t pointer, std::uint16_t word) {
    return outcome(gen2::Write{.bank = bank,
                               .word_pointer = pointer,
                               .covered_data = gen2::cover(word, cover()),
                               .handle = handle});
  }
  std::optional<gen2::TagError> lock(gen2::LockField field, gen2::LockState to) {
    return outcome(gen2::Lock{.payload = {.mask = gen2::lock_bits(field, gen2::LockState::kNever),
                                          .action = gen2::lock_bits(field, to)},
                              .handle = handle});
  }
  // The word at an address, or the error.
  std::optional<std::uint16_t> word(gen2::Bank bank, std::uint32_t pointer) {
    const auto reply =
        say(gen2::Read{.bank = bank, .word_pointer = pointer, .word_count = 1, .handle = handle});
    REQUIRE(reply);
    const auto read = gen2::decode_access_reply(reply->frame);
    REQUIRE(read);
    return read->error ? std::nullopt : std::optional(read->words[0]);
  }
  std::optional<gen2::TagError> read_error(gen2::Bank bank, std::uint32_t pointer,
                                           std::uint8_t count = 1) {
    return outcome(
        gen2::Read{.bank = bank, .word_pointer = pointer, .word_count = count, .handle = handle});
  }

 private:
  std::uint16_t number(const std::optional<radio::TagReply>& reply) {
    REQUIRE(reply);
    const auto value = gen2::decode_handle_reply(reply->frame);
    REQUIRE(value);
    return *value;
  }
  std::optional<gen2::TagError> error_of(const std::optional<radio::TagReply>& reply) {
    REQUIRE(reply);
    const auto decoded = gen2::decode_access_reply(reply->frame);
    REQUIRE(decoded);
    CHECK(decoded->handle == handle);
    return decoded->error;
  }

  radio::VirtualTagModel model_;

 public:
  radio::Tag state;
  radio::TagMemory memory;
  radio::TagEar ear;
  std::uint64_t now_ns = 0;
  std::uint16_t handle = 0;
  bool power_to_write = true;
};

}  // namespace singulate::test
