// Searches: op 22, alone or as what op 2F repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radio/mercury/byte_reader.h"
#include "radio/mercury/select_spec.h"

namespace singulate::radio::mercury {

// The one access operation that is done on each tag of a search.
struct EmbeddedOp {
  std::uint8_t opcode = 0;
  std::vector<std::uint8_t> data{};
};

struct SearchRequest {
  // search_flag; those that tell of the fields below are set by the encoder.
  std::uint16_t flags = 0;
  std::uint16_t timeout_ms = 0;  // of the search, or of the on-cycle of a stream
  std::optional<std::uint16_t> off_ms{};
  std::optional<std::uint16_t> metadata{};
  std::optional<std::uint32_t> stop_after_tags{};
  std::optional<std::uint16_t> statistics{};
  SelectPart select{};
  std::optional<EmbeddedOp> embedded{};
};

// Data of op 22.
std::vector<std::uint8_t> encode_search(const SearchRequest& request);
// Nothing if the data is no search.
std::optional<SearchRequest> decode_search(std::span<const std::uint8_t> data);

// Data of op 2F that starts continuous reading; search_flag::kStream is set.
std::vector<std::uint8_t> encode_stream_start(const SearchRequest& request);

// What op 2F asks for.
struct ContinuousRequest {
  enum class Action : std::uint8_t { kStart = 1, kStop = 2, kAuthentication = 3, kCommand = 4 };
  Action action = Action::kStop;
  std::optional<SearchRequest> search{};  // kStart
  std::uint8_t opcode = 0;                // kCommand: done while reading goes on
  std::span<const std::uint8_t> command_data{};
};
std::optional<ContinuousRequest> decode_continuous(std::span<const std::uint8_t> data);

// Data of op 2F that ends it.
inline constexpr std::uint8_t kStreamStop[] = {0x00, 0x00, 0x02};
// Data of op 2F that does a command while reading goes on.
std::vector<std::uint8_t> encode_within_stream(std::uint8_t opcode,
                                               std::span<const std::uint8_t> data);

// The beginning of everything that answers a search: [88] option flags2 [metadata2].
struct SearchHead {
  bool multi = false;
  std::uint8_t option = 0;
  std::uint16_t flags = 0;
  std::optional<std::uint16_t> metadata{};
};
SearchHead read_search_head(ByteReader& bytes);
// metadata: left out where the answer has none, whatever the request said.
void write_search_head(ByteWriter& bytes, const SearchHead& head);
SearchHead head_of(const SearchRequest& request);

// The reply of a search that is no stream.
struct SearchReply {
  std::uint32_t new_records = 0;
  std::optional<EmbeddedOp> embedded{};  // opcode only
  std::uint16_t embedded_succeeded = 0;
  std::uint16_t embedded_failed = 0;
};
std::vector<std::uint8_t> encode_search_reply(const SearchRequest& request,
                                              const SearchReply& reply);
std::optional<SearchReply> decode_search_reply(std::span<const std::uint8_t> data);

}  // namespace singulate::radio::mercury
