// Continuous reading of the Silion dialect: op AA instead of op 2F.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radio/mercury/report.h"
#include "radio/mercury/search.h"

namespace singulate::radio::mercury {

enum class SilionCommand : std::uint16_t { kStart = 0xAA48, kStop = 0xAA49 };

// Data of op AA, in both directions.
std::vector<std::uint8_t> encode_silion(SilionCommand command,
                                        std::span<const std::uint8_t> data = {});

struct SilionMessage {
  SilionCommand command{};
  std::span<const std::uint8_t> data{};
};
// Nothing for another form, a wrong check sum or a command that is not known.
std::optional<SilionMessage> decode_silion(std::span<const std::uint8_t> data);

// What is read; times of the search have no place in it.
std::vector<std::uint8_t> encode_silion_start(const SearchRequest& search);
// Of the data of a kStart.
std::optional<SearchRequest> decode_silion_start(std::span<const std::uint8_t> data);

// The module says that it is still there.
std::vector<std::uint8_t> encode_heartbeat(std::uint16_t flags);
// The length of the tag's reply is told in bytes, as readers do, not in bits, as the vendor's
// document says.
std::vector<std::uint8_t> encode_silion_tag(const TagRecord& record, std::uint16_t metadata);

// frame.opcode must be op AA. A heartbeat is the end of a cycle. Takes both lengths of a reply.
Report read_silion_report(const Frame& frame);

}  // namespace singulate::radio::mercury
