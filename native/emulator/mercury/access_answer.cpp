#include "emulator/mercury/access_answer.h"

#include <utility>
#include <vector>

#include "emulator/mercury/bank_reads.h"
#include "emulator/mercury/words.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::AccessKind;
using radio::mercury::ByteWriter;
using radio::mercury::Frame;
namespace metadata = radio::mercury::metadata;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

Answer access_answer(const Frame& command, const Profile& profile, const Settings& settings,
                     Air& air, const Air::Watch& watch) {
  const auto bank = [](std::uint8_t byte) { return static_cast<gen2::Bank>(byte & 3U); };
  const auto done = [](const AccessAnswer& answer) { return Answer{.status = answer.status}; };
  switch (command.opcode) {
    case op::kReadData: {
      const auto read = radio::mercury::decode_read(command.data);
      if (!read) break;
      const AccessAnswer answer =
          air.access(settings, read->select, read->timeout_ms, reads_of(*read), false, watch);
      if (!answer.tag) return {.status = answer.status};
      const BankData words = data_of_reads(*read, answer.results);
      if (words.status != status::kSuccess) return {.status = answer.status};
      // Fields of the metadata, then the raw data to the end.
      ByteWriter writer;
      const std::uint16_t fields = profile.metadata_for(read->metadata.value_or(0));
      if (read->select.multi) writer.u8(radio::mercury::option::kMultiSelect);
      const unsigned with_fields = read->metadata ? radio::mercury::option::kMetadata : 0U;
      writer.u8(option_of(read->select) | with_fields);
      if (read->metadata) writer.u16(fields);
      if ((fields & metadata::kRssi) != 0) {
        writer.u8(static_cast<std::uint8_t>(answer.tag->rssi_dbm));
      }
      if ((fields & metadata::kProtocol) != 0) writer.u8(radio::mercury::kGen2);
      if ((fields & metadata::kData) != 0) writer.u16(0);
      return {.data = writer.bytes(words.data).take()};
    }
    case op::kWriteData: {
      const auto write = radio::mercury::decode_write(command.data);
      if (!write || write->data.empty() || write->data.size() % 2 != 0) break;
      return done(air.access(settings, write->select, write->timeout_ms,
                             {{.kind = AccessKind::kWrite,
                               .bank = bank(write->bank),
                               .word_pointer = write->word_address,
                               .words = words_of(write->data)}},
                             true, watch));
    }
    case op::kWriteEpc: {
      const auto write = radio::mercury::decode_write_epc(command.data);
      if (!write || write->epc.empty() || write->epc.size() % 2 != 0) break;
      std::vector<std::uint16_t> words{gen2::pc_for_epc_bytes(write->epc.size())};
      for (const std::uint16_t word : words_of(write->epc)) words.push_back(word);
      return done(air.access(settings, write->select, write->timeout_ms,
                             {{.kind = AccessKind::kWrite,
                               .bank = gen2::Bank::kEpc,
                               .word_pointer = gen2::kPcWord,
                               .words = std::move(words)}},
                             true, watch));
    }
    case op::kLock: {
      auto lock = radio::mercury::decode_lock(command.data);
      if (!lock) break;
      lock->select.access_password = lock->access_password;
      return done(air.access(
          settings, lock->select, lock->timeout_ms,
          {{.kind = AccessKind::kLock, .lock = {.mask = lock->mask, .action = lock->action}}}, true,
          watch));
    }
    case op::kKill: {
      const auto kill = radio::mercury::decode_kill(command.data);
      if (!kill) break;
      return done(air.access(settings, kill->select, kill->timeout_ms,
                             {{.kind = AccessKind::kKill, .password = kill->kill_password}}, true,
                             watch));
    }
    case op::kTagSpecific: {
      const auto write = radio::mercury::decode_block_write(command.data);
      if (!write || write->data.empty()) break;
      return done(air.access(settings, write->select, write->timeout_ms,
                             {{.kind = AccessKind::kBlockWrite,
                               .bank = bank(write->bank),
                               .word_pointer = write->word_address,
                               .words = words_of(write->data)}},
                             true, watch));
    }
    case op::kBlockErase: {
      const auto erase = radio::mercury::decode_block_erase(command.data);
      if (!erase || erase->words == 0) break;
      // An erased word reads as zero.
      return done(air.access(settings, erase->select, erase->timeout_ms,
                             {{.kind = AccessKind::kWrite,
                               .bank = bank(erase->bank),
                               .word_pointer = erase->word_address,
                               .words = std::vector<std::uint16_t>(erase->words, 0)}},
                             true, watch));
    }
    default:
      break;
  }
  return bad_parameter();
}

}  // namespace singulate::emulator::mercury
