#include "gen2/access.h"

#include "gen2/ebv.h"

namespace singulate::gen2 {

namespace {

constexpr std::uint32_t kReqRn = 0xC1;
constexpr std::uint32_t kRead = 0xC2;
constexpr std::uint32_t kWrite = 0xC3;
constexpr std::uint32_t kKill = 0xC4;
constexpr std::uint32_t kLock = 0xC5;
constexpr std::uint32_t kAccess = 0xC6;
constexpr std::uint32_t kBlockWrite = 0xC7;
constexpr std::uint32_t kBlockErase = 0xC8;
constexpr std::uint32_t kBlockPermalock = 0xC9;
constexpr std::uint32_t kFileOpen = 0xD3;
constexpr std::uint32_t kUntraceable = 0xE200;

// The end that all have: handle and CRC-16.
BitFrame finished(BitFrame frame, std::uint16_t handle) {
  frame.append(handle, 16);
  append_crc16(frame);
  return frame;
}

BitFrame begun(std::uint32_t code) {
  BitFrame frame;
  frame.append(code, code > 0xFF ? 16 : 8);
  return frame;
}

// Walks through the fields of a frame. A field that is not there makes the whole frame wrong.
class Fields {
 public:
  Fields(const BitFrame& frame, std::uint32_t code)
      : frame_(frame), right_(take(code > 0xFF ? 16 : 8) == code) {}
  std::uint32_t take(unsigned bits) {
    const std::uint32_t value = frame_.read(position_, bits);
    position_ += bits;
    return value;
  }
  std::uint16_t word() { return static_cast<std::uint16_t>(take(16)); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(8)); }
  bool flag() { return take(1) != 0; }
  Bank bank() { return static_cast<Bank>(take(2)); }
  std::uint32_t ebv() {
    const auto value = read_ebv(frame_, position_);
    right_ = right_ && value.has_value();
    return value.value_or(0);
  }
  WordList words(std::uint8_t count) {
    WordList list{.count = count};
    for (unsigned i = 0; i < count; ++i) list.words[i] = word();
    return list;
  }
  // After the handle: what follows must be the CRC-16, and it must be right.
  [[nodiscard]] bool right() const {
    return right_ && frame_.size() == position_ + 16 && has_valid_crc16(frame_);
  }

 private:
  const BitFrame& frame_;
  std::size_t position_ = 0;
  bool right_ = false;
};

template <typename Command>
std::optional<Command> checked(const Fields& fields, const Command& command) {
  return fields.right() ? std::optional(command) : std::nullopt;
}

}  // namespace

BitFrame encode(const ReqRn& command) { return finished(begun(kReqRn), command.handle); }

BitFrame encode(const Read& command) {
  BitFrame frame = begun(kRead);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.word_pointer);
  frame.append(command.word_count, 8);
  return finished(frame, command.handle);
}

BitFrame encode(const Write& command) {
  BitFrame frame = begun(kWrite);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.word_pointer);
  frame.append(command.covered_data, 16);
  return finished(frame, command.handle);
}

BitFrame encode(const Kill& command) {
  BitFrame frame = begun(kKill);
  frame.append(command.covered_half, 16);
  frame.append(command.rfu, 3);
  return finished(frame, command.handle);
}

BitFrame encode(const Lock& command) {
  BitFrame frame = begun(kLock);
  frame.append(command.payload.mask, 10);
  frame.append(command.payload.action, 10);
  return finished(frame, command.handle);
}

BitFrame encode(const Access& command) {
  BitFrame frame = begun(kAccess);
  frame.append(command.covered_half, 16);
  return finished(frame, command.handle);
}

BitFrame encode(const BlockWrite& command) {
  BitFrame frame = begun(kBlockWrite);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.word_pointer);
  frame.append(command.data.count, 8);
  for (unsigned i = 0; i < command.data.count; ++i) frame.append(command.data.words[i], 16);
  return finished(frame, command.handle);
}

BitFrame encode(const BlockErase& command) {
  BitFrame frame = begun(kBlockErase);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.word_pointer);
  frame.append(command.word_count, 8);
  return finished(frame, command.handle);
}

BitFrame encode(const BlockPermalock& command) {
  BitFrame frame = begun(kBlockPermalock);
  frame.append(0, 8);
  frame.append(command.lock ? 1 : 0, 1);
  frame.append(static_cast<std::uint32_t>(command.bank), 2);
  append_ebv(frame, command.block_pointer);
  frame.append(command.block_range, 8);
  for (unsigned i = 0; i < command.mask.count; ++i) frame.append(command.mask.words[i], 16);
  return finished(frame, command.handle);
}

BitFrame encode(const FileOpen& command) {
  BitFrame frame = begun(kFileOpen);
  frame.append(0, 2);
  frame.append(command.file, 10);
  return finished(frame, command.handle);
}

BitFrame encode(const Untraceable& command) {
  BitFrame frame = begun(kUntraceable);
  frame.append(0, 2);
  frame.append(command.untraceable ? 1 : 0, 1);
  frame.append(command.hide_epc ? 1 : 0, 1);
  frame.append(command.epc_length, 5);
  frame.append(static_cast<std::uint32_t>(command.tid), 2);
  frame.append(command.hide_user ? 1 : 0, 1);
  frame.append(static_cast<std::uint32_t>(command.range), 2);
  return finished(frame, command.handle);
}

std::optional<ReqRn> decode_req_rn(const BitFrame& frame) {
  Fields fields(frame, kReqRn);
  const ReqRn command{.handle = fields.word()};
  return checked(fields, command);
}

// The fields of the braced lists below are taken in their order: C++ says so.
std::optional<Read> decode_read(const BitFrame& frame) {
  Fields fields(frame, kRead);
  const Read command{.bank = fields.bank(),
                     .word_pointer = fields.ebv(),
                     .word_count = fields.byte(),
                     .handle = fields.word()};
  return checked(fields, command);
}

std::optional<Write> decode_write(const BitFrame& frame) {
  Fields fields(frame, kWrite);
  const Write command{.bank = fields.bank(),
                      .word_pointer = fields.ebv(),
                      .covered_data = fields.word(),
                      .handle = fields.word()};
  return checked(fields, command);
}

std::optional<Kill> decode_kill(const BitFrame& frame) {
  Fields fields(frame, kKill);
  const Kill command{.covered_half = fields.word(),
                     .rfu = static_cast<std::uint8_t>(fields.take(3)),
                     .handle = fields.word()};
  return checked(fields, command);
}

std::optional<Lock> decode_lock(const BitFrame& frame) {
  Fields fields(frame, kLock);
  const Lock command{.payload = {.mask = static_cast<std::uint16_t>(fields.take(10)),
                                 .action = static_cast<std::uint16_t>(fields.take(10))},
                     .handle = fields.word()};
  return checked(fields, command);
}

std::optional<Access> decode_access(const BitFrame& frame) {
  Fields fields(frame, kAccess);
  const Access command{.covered_half = fields.word(), .handle = fields.word()};
  return checked(fields, command);
}

std::optional<BlockWrite> decode_block_write(const BitFrame& frame) {
  Fields fields(frame, kBlockWrite);
  const BlockWrite command{.bank = fields.bank(),
                           .word_pointer = fields.ebv(),
                           .data = fields.words(fields.byte()),
                           .handle = fields.word()};
  return checked(fields, command);
}

std::optional<BlockErase> decode_block_erase(const BitFrame& frame) {
  Fields fields(frame, kBlockErase);
  const BlockErase command{.bank = fields.bank(),
                           .word_pointer = fields.ebv(),
                           .word_count = fields.byte(),
                           .handle = fields.word()};
  return checked(fields, command);
}

std::optional<BlockPermalock> decode_block_permalock(const BitFrame& frame) {
  Fields fields(frame, kBlockPermalock);
  const std::uint32_t rfu = fields.take(8);
  BlockPermalock command{.lock = fields.flag(),
                         .bank = fields.bank(),
                         .block_pointer = fields.ebv(),
                         .block_range = fields.byte()};
  if (command.lock) command.mask = fields.words(command.block_range);
  command.handle = fields.word();
  return rfu == 0 ? checked(fields, command) : std::nullopt;
}

std::optional<FileOpen> decode_file_open(const BitFrame& frame) {
  Fields fields(frame, kFileOpen);
  const std::uint32_t rfu = fields.take(2);
  const FileOpen command{.file = static_cast<std::uint16_t>(fields.take(10)),
                         .handle = fields.word()};
  return rfu == 0 ? checked(fields, command) : std::nullopt;
}

std::optional<Untraceable> decode_untraceable(const BitFrame& frame) {
  Fields fields(frame, kUntraceable);
  const std::uint32_t rfu = fields.take(2);
  const Untraceable command{.untraceable = fields.flag(),
                            .hide_epc = fields.flag(),
                            .epc_length = static_cast<std::uint8_t>(fields.take(5)),
                            .tid = static_cast<TidVisibility>(fields.take(2)),
                            .hide_user = fields.flag(),
                            .range = static_cast<RangeChange>(fields.take(2)),
                            .handle = fields.word()};
  return rfu == 0 ? checked(fields, command) : std::nullopt;
}

}  // namespace singulate::gen2
