#include "radio/virtual/tag_memory.h"

#include <algorithm>

#include "gen2/crc.h"

namespace singulate::radio {

using gen2::Bank;
using gen2::TagError;

namespace {

// USER memory that is not empty shows in UMI: bits 03h..07h of its first word.
constexpr std::uint16_t kUmiBits = 0x1F00;
// Word from which Untraceable hides TID "above 20h".
constexpr std::uint32_t kTidHiddenFrom = 2;
constexpr std::size_t kMostWords = 255;

std::uint16_t words_of(std::size_t bytes) { return static_cast<std::uint16_t>(bytes / 2); }

}  // namespace

TagMemory::TagMemory(const VirtualTag& tag, const VirtualTagModel& model)
    : model_(&model),
      epc_words_(std::max(model.epc_words, words_of(tag.epc.size()))),
      tid_words_(words_of(tag.tid.size())),
      user_words_(std::max(model.user_words, words_of(tag.user.size()))),
      lock_bits_(tag.lock & gen2::kLockBits) {
  bytes_.resize(byte_of(Bank::kUser, user_words_) + (blocks() + 7) / 8);
  bytes_.shrink_to_fit();
  const auto fill = [this](Bank bank, std::uint32_t address, std::span<const std::uint8_t> from) {
    std::copy(from.begin(), from.end(),
              bytes_.begin() + static_cast<std::ptrdiff_t>(byte_of(bank, address)));
  };
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned shift = half == 0 ? 16U : 0U;
    set_word(Bank::kReserved, half, static_cast<std::uint16_t>(tag.kill_password >> shift));
    set_word(Bank::kReserved, 2 + half, static_cast<std::uint16_t>(tag.access_password >> shift));
  }
  set_word(Bank::kEpc, gen2::kPcWord, gen2::pc_for_epc_bytes(tag.epc.size()));
  fill(Bank::kEpc, gen2::kEpcWord, tag.epc);
  fill(Bank::kTid, 0, tag.tid);
  fill(Bank::kUser, 0, tag.user);
  renew();
  power_up();
}

std::uint32_t TagMemory::bank_words(Bank bank) const {
  switch (bank) {
    case Bank::kReserved:
      return gen2::kReservedWords;
    case Bank::kEpc:
      return gen2::kEpcWord + epc_words_;
    case Bank::kTid:
      return tid_words_;
    default:
      return user_words_;
  }
}

std::size_t TagMemory::byte_of(Bank bank, std::uint32_t address) const {
  std::size_t before = 0;
  for (unsigned b = 0; b < static_cast<unsigned>(bank); ++b) {
    before += bank_words(static_cast<Bank>(b));
  }
  return (before + address) * 2;
}

std::uint16_t TagMemory::word(Bank bank, std::uint32_t address) const {
  const std::size_t at = byte_of(bank, address);
  return static_cast<std::uint16_t>(bytes_[at] << 8U | bytes_[at + 1]);
}

void TagMemory::set_word(Bank bank, std::uint32_t address, std::uint16_t value) {
  const std::size_t at = byte_of(bank, address);
  bytes_[at] = static_cast<std::uint8_t>(value >> 8U);
  bytes_[at + 1] = static_cast<std::uint8_t>(value & 0xFFU);
}

std::uint16_t TagMemory::xpc_w1(bool selected) const {
  unsigned bits = 0;
  if (selected) bits |= gen2::kXpcSli;
  if (untraceable_) bits |= gen2::kXpcUntraceable;
  if (kill_password() != 0) bits |= gen2::kXpcKillable;
  return static_cast<std::uint16_t>(bits);
}

std::uint16_t TagMemory::stored_pc(bool selected) const {
  unsigned pc = word(Bank::kEpc, gen2::kPcWord);
  if (user_words_ > 0 && !user_hidden_ && (word(Bank::kUser, 0) & kUmiBits) != 0) {
    pc |= gen2::kPcUmi;
  }
  const auto known = static_cast<std::uint16_t>(pc);
  if (has_xpc() && gen2::xi_of(known, xpc_w1(selected))) pc |= gen2::kPcXi;
  return static_cast<std::uint16_t>(pc);
}

TagMemory::Packet TagMemory::packet(bool selected) const {
  const std::uint16_t stored = word(Bank::kEpc, gen2::kPcWord);
  Packet packet;
  packet.epc = {bytes_.data() + byte_of(Bank::kEpc, gen2::kEpcWord),
                std::size_t{gen2::pc_words(stored)} * 2};
  if (!has_xpc()) {
    packet.pc = pc_;
    packet.crc = crc_;
    return packet;
  }
  packet.xpc_w1 = xpc_w1(selected);
  packet.pc = gen2::packet_pc(stored_pc(selected), packet.xpc_w1);
  packet.xpc_words = (packet.pc & gen2::kPcXi) != 0 ? 1 : 0;
  gen2::Crc16 crc;
  crc.word(packet.pc);
  if (packet.xpc_words > 0) crc.word(packet.xpc_w1);
  for (const std::uint8_t byte : packet.epc) crc.byte(byte);
  packet.crc = crc.value();
  return packet;
}

void TagMemory::renew() {
  pc_ = stored_pc(false);
  const std::size_t bytes = std::size_t{gen2::pc_words(pc_)} * 2;
  crc_ = gen2::packet_crc(pc_, {bytes_.data() + byte_of(Bank::kEpc, gen2::kEpcWord), bytes});
}

void TagMemory::power_up() {
  // Over the stored words, whatever the packet makes of them.
  const std::uint16_t pc = stored_pc(false);
  const std::size_t bytes = std::size_t{gen2::pc_words(pc)} * 2;
  const std::span<const std::uint8_t> epc{bytes_.data() + byte_of(Bank::kEpc, gen2::kEpcWord),
                                          bytes};
  set_word(Bank::kEpc, gen2::kStoredCrcWord, gen2::packet_crc(pc, epc));
}

bool TagMemory::hidden(Bank bank, std::uint32_t address) const {
  switch (bank) {
    case Bank::kEpc:
      return epc_hidden_ && address < gen2::kXpcW1Word &&
             address >= gen2::kEpcWord + gen2::pc_words(word(Bank::kEpc, gen2::kPcWord));
    case Bank::kTid:
      return tid_visibility_ == gen2::TidVisibility::kHideAll ||
             (tid_visibility_ == gen2::TidVisibility::kHideAbove20h && address >= kTidHiddenFrom);
    case Bank::kUser:
      return user_hidden_;
    default:
      return false;
  }
}

std::optional<std::uint16_t> TagMemory::visible_word(Bank bank, std::uint32_t address,
                                                     const AccessRight& right) const {
  if (!right.secured && hidden(bank, address)) return std::nullopt;
  if (bank == Bank::kEpc) {
    if (address == gen2::kPcWord) return stored_pc(right.selected);
    if (address == gen2::kXpcW1Word && has_xpc()) return xpc_w1(right.selected);
  }
  if (address >= bank_words(bank)) return std::nullopt;
  return word(bank, address);
}

bool TagMemory::matches(const gen2::Select& select, bool selected) const {
  // Bank 0 is reserved for future use: nothing to compare with.
  if (select.bank == Bank::kReserved) return select.mask.bits == 0;
  // Without a mask every tag matches that has memory where the pointer leads.
  if (select.mask.bits == 0) {
    return select.pointer == 0 || (select.pointer / 16 <= 0xFFFF &&
                                   visible_word(select.bank, select.pointer / 16,
                                                {.secured = false, .selected = selected}));
  }
  std::uint16_t current = 0;
  for (unsigned i = 0; i < select.mask.bits; ++i) {
    const std::uint64_t address = std::uint64_t{select.pointer} + i;
    if (i == 0 || address % 16 == 0) {
      if (address / 16 > 0xFFFF) return false;
      const auto found = visible_word(select.bank, static_cast<std::uint32_t>(address / 16),
                                      {.secured = false, .selected = selected});
      if (!found) return false;
      current = *found;
    }
    const bool one = ((static_cast<unsigned>(current) >> (15U - address % 16U)) & 1U) != 0;
    if (one != select.mask.bit(i)) return false;
  }
  return true;
}

gen2::LockState TagMemory::lock_of(Bank bank, std::uint32_t address) const {
  const auto field = bank == Bank::kReserved ? (address < 2 ? gen2::LockField::kKillPassword
                                                            : gen2::LockField::kAccessPassword)
                     : bank == Bank::kEpc    ? gen2::LockField::kEpc
                     : bank == Bank::kTid    ? gen2::LockField::kTid
                                             : gen2::LockField::kUser;
  return gen2::lock_state(lock_bits_, field);
}

TagMemory::Failure TagMemory::read(Bank bank, std::uint32_t pointer, unsigned word_count,
                                   const AccessRight& right, gen2::WordList& into) const {
  std::size_t count = word_count;
  if (count == 0) {
    std::uint32_t end = bank_words(bank);
    const std::uint32_t announced =
        gen2::kEpcWord + gen2::pc_words(word(Bank::kEpc, gen2::kPcWord));
    if (bank == Bank::kEpc && pointer < announced) end = announced;
    if (pointer >= end) return TagError::kMemoryOverrun;
    count = std::min<std::size_t>(end - pointer, kMostWords);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t address = std::uint64_t{pointer} + i;
    if (address > 0xFFFF) return TagError::kMemoryOverrun;
    const auto found = visible_word(bank, static_cast<std::uint32_t>(address), right);
    if (!found) return TagError::kMemoryOverrun;
    // Only passwords are kept from being read.
    if (bank == Bank::kReserved &&
        !gen2::allows(lock_of(bank, static_cast<std::uint32_t>(address)), right.secured)) {
      return TagError::kMemoryLocked;
    }
    into.words[i] = *found;
  }
  into.count = static_cast<std::uint8_t>(count);
  return {};
}

TagMemory::Failure TagMemory::refuse_write(Bank bank, std::uint32_t address, std::uint16_t value,
                                           const AccessRight& right) const {
  if (!visible_word(bank, address, right)) return TagError::kMemoryOverrun;
  if (!gen2::allows(lock_of(bank, address), right.secured)) return TagError::kMemoryLocked;
  if (bank == Bank::kEpc) {
    // The tag computes these words itself.
    if (address == gen2::kStoredCrcWord || address == gen2::kXpcW1Word) {
      return TagError::kMemoryLocked;
    }
    if (address == gen2::kPcWord && gen2::pc_words(value) > epc_words_) {
      return TagError::kMemoryOverrun;
    }
  }
  if (bank == Bank::kUser && permalocked(address / kBlockWords)) return TagError::kMemoryLocked;
  return {};
}

TagMemory::Failure TagMemory::write(Bank bank, std::uint32_t pointer,
                                    std::span<const std::uint16_t> words,
                                    const AccessRight& right) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t address = std::uint64_t{pointer} + i;
    if (address > 0xFFFF) return TagError::kMemoryOverrun;
    if (const Failure failure =
            refuse_write(bank, static_cast<std::uint32_t>(address), words[i], right)) {
      return failure;
    }
  }
  if (!right.power_to_write) return TagError::kInsufficientPower;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto address = static_cast<std::uint32_t>(pointer + i);
    const bool is_pc = bank == Bank::kEpc && address == gen2::kPcWord;
    set_word(bank, address,
             is_pc ? static_cast<std::uint16_t>(words[i] & gen2::kPcWritable) : words[i]);
  }
  renew();
  return {};
}

TagMemory::Failure TagMemory::lock(gen2::LockPayload payload, const AccessRight& right) {
  if (!right.secured) return TagError::kInsufficientPrivileges;
  const bool user =
      (payload.mask & gen2::lock_bits(gen2::LockField::kUser, gen2::LockState::kNever)) != 0;
  if (user && user_words_ == 0) return TagError::kMemoryOverrun;
  const auto after = gen2::apply_lock(lock_bits_, payload);
  if (!after) return TagError::kMemoryLocked;
  if (!right.power_to_write) return TagError::kInsufficientPower;
  lock_bits_ = *after;
  return {};
}

bool TagMemory::permalocked(std::uint32_t block) const {
  const std::uint8_t byte = bytes_[byte_of(Bank::kUser, user_words_) + block / 8];
  return ((static_cast<unsigned>(byte) >> (7U - block % 8U)) & 1U) != 0;
}

TagMemory::Failure TagMemory::refuse_blocks(const gen2::BlockPermalock& command) const {
  if (command.bank != Bank::kUser) return TagError::kNotSupported;
  const std::uint64_t end = (std::uint64_t{command.block_pointer} + command.block_range) * 16;
  const std::uint64_t there = (std::uint64_t{blocks()} + 15) / 16 * 16;
  return command.block_range == 0 || end > there ? Failure(TagError::kMemoryOverrun) : Failure{};
}

TagMemory::Failure TagMemory::read_permalocks(const gen2::BlockPermalock& command,
                                              gen2::WordList& into) const {
  if (const Failure failure = refuse_blocks(command)) return failure;
  into.count = command.block_range;
  for (std::uint32_t i = 0; i < command.block_range * 16U; ++i) {
    const std::uint32_t block = command.block_pointer * 16 + i;
    const unsigned one = block < blocks() && permalocked(block) ? 1U : 0U;
    into.words[i / 16] = static_cast<std::uint16_t>(into.words[i / 16] | (one << (15U - i % 16U)));
  }
  return {};
}

TagMemory::Failure TagMemory::permalock(const gen2::BlockPermalock& command,
                                        const AccessRight& right) {
  if (!right.secured) return TagError::kInsufficientPrivileges;
  if (const Failure failure = refuse_blocks(command)) return failure;
  const auto asked = [&](std::uint32_t i) {
    return ((static_cast<unsigned>(command.mask.words[i / 16]) >> (15U - i % 16U)) & 1U) != 0;
  };
  for (std::uint32_t i = 0; i < command.block_range * 16U; ++i) {
    if (asked(i) && command.block_pointer * 16 + i >= blocks()) return TagError::kMemoryOverrun;
  }
  if (!right.power_to_write) return TagError::kInsufficientPower;
  for (std::uint32_t i = 0; i < command.block_range * 16U; ++i) {
    if (!asked(i)) continue;
    const std::uint32_t block = command.block_pointer * 16 + i;
    std::uint8_t& byte = bytes_[byte_of(Bank::kUser, user_words_) + block / 8];
    byte = static_cast<std::uint8_t>(byte | (0x80U >> (block % 8U)));
  }
  return {};
}

TagMemory::Failure TagMemory::hide(const gen2::Untraceable& command, const AccessRight& right) {
  // The privilege comes with the access password: without one nobody has it.
  if (!right.secured || access_password() == 0) return TagError::kInsufficientPrivileges;
  if (command.tid == gen2::TidVisibility::kRfu) return TagError::kNotSupported;
  if (command.epc_length > std::min<unsigned>(epc_words_, gen2::kMaxEpcWordsWithXpc)) {
    return TagError::kMemoryOverrun;
  }
  if (!right.power_to_write) return TagError::kInsufficientPower;
  untraceable_ = command.untraceable;
  epc_hidden_ = command.hide_epc;
  tid_visibility_ = command.tid;
  user_hidden_ = command.hide_user;
  const unsigned rest = word(Bank::kEpc, gen2::kPcWord) & 0x07FFU;
  set_word(Bank::kEpc, gen2::kPcWord,
           static_cast<std::uint16_t>(unsigned{command.epc_length} << 11U | rest));
  renew();
  return {};
}

}  // namespace singulate::radio
