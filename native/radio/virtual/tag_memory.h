// The memory of a tag: banks, passwords, locks, and what they make it say and refuse
// (reference section 8). Where the reference gives no error code the one that the standard's
// list describes is used; the tests name each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gen2/access.h"
#include "gen2/lock.h"
#include "gen2/memory.h"
#include "gen2/replies.h"
#include "gen2/select.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// What decides whether an access is allowed, beside the memory itself.
struct AccessRight {
  bool secured = false;        // the tag is in secured, not in open
  bool selected = false;       // SL is asserted: XPC_W1 shows it
  bool power_to_write = true;  // the carrier is strong enough to write
};

class TagMemory {
 public:
  using Failure = std::optional<gen2::TagError>;  // nothing: done

  // A word of permalock bits of BlockPermalock stands for 16 blocks of this many words.
  static constexpr unsigned kBlockWords = 4;

  // `model` must outlive the memory.
  TagMemory(const VirtualTag& tag, const VirtualTagModel& model);

  // --- What a reply to ACK carries.
  struct Packet {
    std::uint16_t pc = 0;
    std::uint16_t crc = 0;
    unsigned xpc_words = 0;
    std::uint16_t xpc_w1 = 0;
    std::span<const std::uint8_t> epc;  // as long as L says; valid until the next write
  };
  [[nodiscard]] Packet packet(bool selected) const;
  [[nodiscard]] std::uint16_t stored_crc() const { return word(gen2::Bank::kEpc, 0); }
  // Power-up: only then is the stored CRC computed again.
  void power_up();

  [[nodiscard]] bool matches(const gen2::Select& select, bool selected) const;

  [[nodiscard]] std::uint32_t kill_password() const { return password(0); }
  [[nodiscard]] std::uint32_t access_password() const { return password(2); }
  [[nodiscard]] const VirtualTagModel& model() const { return *model_; }
  // As it lies in memory, whatever is locked or hidden; computed words are not filled in.
  [[nodiscard]] std::span<const std::uint8_t> bytes(gen2::Bank bank) const {
    return std::span(bytes_).subspan(byte_of(bank, 0), std::size_t{2} * bank_words(bank));
  }
  [[nodiscard]] std::uint16_t lock_bits() const { return lock_bits_; }

  // --- Access commands. On failure nothing has changed.
  // Appends what was read. word_count 0: to the end of the bank (EPC: of what L announces).
  Failure read(gen2::Bank bank, std::uint32_t pointer, unsigned word_count,
               const AccessRight& right, gen2::WordList& into) const;
  // All words or none.
  Failure write(gen2::Bank bank, std::uint32_t pointer, std::span<const std::uint16_t> words,
                const AccessRight& right);
  Failure lock(gen2::LockPayload payload, const AccessRight& right);
  Failure read_permalocks(const gen2::BlockPermalock& command, gen2::WordList& into) const;
  Failure permalock(const gen2::BlockPermalock& command, const AccessRight& right);
  Failure hide(const gen2::Untraceable& command, const AccessRight& right);

 private:
  [[nodiscard]] std::uint32_t bank_words(gen2::Bank bank) const;
  [[nodiscard]] std::size_t byte_of(gen2::Bank bank, std::uint32_t address) const;
  // A word as it lies in memory; the computed bits of PC are not there.
  [[nodiscard]] std::uint16_t word(gen2::Bank bank, std::uint32_t address) const;
  void set_word(gen2::Bank bank, std::uint32_t address, std::uint16_t value);
  // A word as it is read: computed words and bits filled in. Nothing if there is none, or it
  // is hidden from all who ask.
  [[nodiscard]] std::optional<std::uint16_t> visible_word(gen2::Bank bank, std::uint32_t address,
                                                          const AccessRight& right) const;
  [[nodiscard]] bool hidden(gen2::Bank bank, std::uint32_t address) const;
  [[nodiscard]] gen2::LockState lock_of(gen2::Bank bank, std::uint32_t address) const;
  [[nodiscard]] Failure refuse_write(gen2::Bank bank, std::uint32_t address, std::uint16_t value,
                                     const AccessRight& right) const;
  [[nodiscard]] std::uint32_t password(std::uint32_t address) const {
    return std::uint32_t{word(gen2::Bank::kReserved, address)} << 16U |
           word(gen2::Bank::kReserved, address + 1);
  }
  [[nodiscard]] bool has_xpc() const { return model_->untraceable; }
  [[nodiscard]] std::uint16_t stored_pc(bool selected) const;
  [[nodiscard]] std::uint16_t xpc_w1(bool selected) const;
  [[nodiscard]] std::uint32_t blocks() const {
    return (user_words_ + kBlockWords - 1) / kBlockWords;
  }
  [[nodiscard]] bool permalocked(std::uint32_t block) const;
  [[nodiscard]] Failure refuse_blocks(const gen2::BlockPermalock& command) const;
  // After a change: the packet as it is sent without XPC.
  void renew();

  const VirtualTagModel* model_;
  std::vector<std::uint8_t> bytes_;  // Reserved, EPC, TID, USER, a bit for each USER block
  std::uint16_t epc_words_;          // room after the PC
  std::uint16_t tid_words_;
  std::uint16_t user_words_;
  std::uint16_t lock_bits_;
  std::uint16_t pc_ = 0;  // packet PC and CRC; of no meaning with XPC
  std::uint16_t crc_ = 0;
  bool untraceable_ = false;  // U
  bool epc_hidden_ = false;   // after what L announces
  bool user_hidden_ = false;
  gen2::TidVisibility tid_visibility_ = gen2::TidVisibility::kFull;
};

}  // namespace singulate::radio
