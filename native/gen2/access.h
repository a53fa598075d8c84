// The access commands as bits (reference section 3.1), one struct per command. All end with
// the tag's handle (the RN16 for the first Req_RN) and CRC-16. Pointers are word addresses in
// the bank, sent as EBV: 8 bits more for each further block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gen2/bit_frame.h"
#include "gen2/lock.h"
#include "gen2/memory.h"

namespace singulate::gen2 {

// Cover coding: a word XORed with the RN16 that was just obtained by Req_RN. Its own inverse.
constexpr std::uint16_t cover(std::uint16_t word, std::uint16_t rn16) {
  return static_cast<std::uint16_t>(word ^ rn16);
}

// 40 bits. In acknowledged the handle is the RN16 of the reply.
struct ReqRn {
  std::uint16_t handle = 0;

  friend bool operator==(const ReqRn&, const ReqRn&) = default;
};

// 58 bits.
struct Read {
  Bank bank = Bank::kTid;
  std::uint32_t word_pointer = 0;
  std::uint8_t word_count = 0;  // 0 = to the end of the bank
  std::uint16_t handle = 0;

  friend bool operator==(const Read&, const Read&) = default;
};

// 66 bits.
struct Write {
  Bank bank = Bank::kUser;
  std::uint32_t word_pointer = 0;
  std::uint16_t covered_data = 0;
  std::uint16_t handle = 0;

  friend bool operator==(const Write&, const Write&) = default;
};

// 59 bits. Twice: the higher half of the password, then the lower one.
struct Kill {
  std::uint16_t covered_half = 0;
  std::uint8_t rfu = 0;  // three bits
  std::uint16_t handle = 0;

  friend bool operator==(const Kill&, const Kill&) = default;
};

// 60 bits.
struct Lock {
  LockPayload payload{};
  std::uint16_t handle = 0;

  friend bool operator==(const Lock&, const Lock&) = default;
};

// 56 bits. Twice, as Kill.
struct Access {
  std::uint16_t covered_half = 0;
  std::uint16_t handle = 0;

  friend bool operator==(const Access&, const Access&) = default;
};

// 0..255 words.
struct WordList {
  std::array<std::uint16_t, 255> words{};  // zeros after the last
  std::uint8_t count = 0;

  friend bool operator==(const WordList&, const WordList&) = default;
};

// 58 bits and the data, which is not covered.
struct BlockWrite {
  Bank bank = Bank::kUser;
  std::uint32_t word_pointer = 0;
  WordList data{};
  std::uint16_t handle = 0;

  friend bool operator==(const BlockWrite&, const BlockWrite&) = default;
};

// 58 bits.
struct BlockErase {
  Bank bank = Bank::kUser;
  std::uint32_t word_pointer = 0;
  std::uint8_t word_count = 0;
  std::uint16_t handle = 0;

  friend bool operator==(const BlockErase&, const BlockErase&) = default;
};

// 67 bits to read the permalocks of block_range times 16 blocks; 16 more for each to set them.
struct BlockPermalock {
  bool lock = false;  // Read/Lock: false reads
  Bank bank = Bank::kUser;
  std::uint32_t block_pointer = 0;  // in units of 16 blocks
  std::uint8_t block_range = 1;     // in units of 16 blocks
  WordList mask{};                  // block_range words if lock, else none
  std::uint16_t handle = 0;

  friend bool operator==(const BlockPermalock&, const BlockPermalock&) = default;
};

// 52 bits.
struct FileOpen {
  std::uint16_t file = 0;  // ten bits
  std::uint16_t handle = 0;

  friend bool operator==(const FileOpen&, const FileOpen&) = default;
};

enum class TidVisibility : std::uint8_t { kFull = 0, kHideAbove20h = 1, kHideAll = 2, kRfu = 3 };
enum class RangeChange : std::uint8_t { kFull = 0, kToggle = 1, kReduced = 2, kRfu = 3 };

// 62 bits.
struct Untraceable {
  bool untraceable = false;     // the new value of U in XPC_W1
  bool hide_epc = false;        // hides the EPC after its new length
  std::uint8_t epc_length = 0;  // the new L, 0..31 words
  TidVisibility tid = TidVisibility::kFull;
  bool hide_user = false;
  RangeChange range = RangeChange::kFull;
  std::uint16_t handle = 0;

  friend bool operator==(const Untraceable&, const Untraceable&) = default;
};

BitFrame encode(const ReqRn& command);
BitFrame encode(const Read& command);
BitFrame encode(const Write& command);
BitFrame encode(const Kill& command);
BitFrame encode(const Lock& command);
BitFrame encode(const Access& command);
BitFrame encode(const BlockWrite& command);
BitFrame encode(const BlockErase& command);
BitFrame encode(const BlockPermalock& command);
BitFrame encode(const FileOpen& command);
BitFrame encode(const Untraceable& command);

// Nothing for another code or length, or a wrong CRC.
std::optional<ReqRn> decode_req_rn(const BitFrame& frame);
std::optional<Read> decode_read(const BitFrame& frame);
std::optional<Write> decode_write(const BitFrame& frame);
std::optional<Kill> decode_kill(const BitFrame& frame);
std::optional<Lock> decode_lock(const BitFrame& frame);
std::optional<Access> decode_access(const BitFrame& frame);
std::optional<BlockWrite> decode_block_write(const BitFrame& frame);
std::optional<BlockErase> decode_block_erase(const BitFrame& frame);
std::optional<BlockPermalock> decode_block_permalock(const BitFrame& frame);
std::optional<FileOpen> decode_file_open(const BitFrame& frame);
std::optional<Untraceable> decode_untraceable(const BitFrame& frame);

}  // namespace singulate::gen2
