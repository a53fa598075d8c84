// Reads of several banks by one command: a bank byte that asks for whole banks beside the words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "radio/access_op.h"
#include "radio/mercury/access_command.h"

namespace singulate::emulator::mercury {

// What the tag is asked for, in the order of the answer.
std::vector<radio::AccessOp> reads_of(const radio::mercury::ReadCommand& command);

struct BankData {
  std::uint16_t status = 0;  // of a read of several banks: that of the first, if none could be read
  std::vector<std::uint8_t> data{};
};
// results: of reads_of(command). The words as they are; of several banks, for each of them: its
// number and a Gen2 error code in one byte, how many words, the words.
BankData data_of_reads(const radio::mercury::ReadCommand& command,
                       std::span<const radio::AccessResult> results);

}  // namespace singulate::emulator::mercury
