#include "radio/mercury/search.h"

#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

// Lengths of the oldest forms: a timeout alone; option, one byte of flags, timeout.
constexpr std::size_t kTimeoutOnly = 2;
constexpr std::size_t kShortFlags = 4;

std::uint16_t flags_of(const SearchRequest& request) {
  unsigned flags = request.flags;
  const auto tell = [&](std::uint16_t bit, bool there) { flags = there ? flags | bit : flags; };
  tell(search_flag::kDutyCycle, request.off_ms.has_value());
  tell(search_flag::kStopAfterTags, request.stop_after_tags.has_value());
  tell(search_flag::kStatistics, request.statistics.has_value());
  tell(search_flag::kEmbedded, request.embedded.has_value());
  return static_cast<std::uint16_t>(flags);
}

std::uint8_t full_option(const SearchRequest& request) {
  const unsigned metadata = request.metadata ? option::kMetadata : 0U;
  return static_cast<std::uint8_t>(option_of(request.select) | metadata);
}

}  // namespace

std::vector<std::uint8_t> encode_search(const SearchRequest& request) {
  ByteWriter bytes;
  if (request.select.multi) bytes.u8(option::kMultiSelect);
  bytes.u8(full_option(request)).u16(flags_of(request)).u16(request.timeout_ms);
  if (request.off_ms) bytes.u16(*request.off_ms);
  if (request.metadata) bytes.u16(*request.metadata);
  if (request.stop_after_tags) bytes.u32(*request.stop_after_tags);
  if (request.statistics) bytes.u16(*request.statistics);
  write_selects(bytes, request.select);
  if (request.embedded) {
    const auto& [opcode, data] = *request.embedded;
    bytes.u8(1).u8(static_cast<std::uint32_t>(data.size())).u8(opcode).bytes(data);
  }
  return bytes.take();
}

std::optional<SearchRequest> decode_search(std::span<const std::uint8_t> data) {
  SearchRequest request;
  request.select.multi = false;
  ByteReader bytes(data);
  if (data.size() == kTimeoutOnly) {
    request.timeout_ms = bytes.u16();
    return request;
  }
  std::uint8_t option = bytes.u8();
  const bool multi = option == option::kMultiSelect;
  if (multi) option = bytes.u8();
  request.flags = data.size() == kShortFlags ? bytes.u8() : bytes.u16();
  request.timeout_ms = bytes.u16();
  const auto has = [&](std::uint16_t flag) { return (request.flags & flag) != 0; };
  if (has(search_flag::kDutyCycle)) request.off_ms = bytes.u16();
  if ((option & option::kMetadata) != 0) request.metadata = bytes.u16();
  if (has(search_flag::kStopAfterTags)) request.stop_after_tags = bytes.u32();
  if (has(search_flag::kStatistics)) request.statistics = bytes.u16();
  request.select = read_selects(bytes, multi, option);
  if (has(search_flag::kEmbedded)) {
    if (bytes.u8() != 1) bytes.fail();
    const std::uint8_t length = bytes.u8();
    EmbeddedOp embedded{.opcode = bytes.u8()};
    const auto content = bytes.take(length);
    embedded.data.assign(content.begin(), content.end());
    request.embedded = std::move(embedded);
  }
  if (!bytes.ok() || !bytes.at_end()) return std::nullopt;
  return request;
}

std::vector<std::uint8_t> encode_stream_start(const SearchRequest& request) {
  SearchRequest stream = request;
  stream.flags = static_cast<std::uint16_t>(stream.flags | search_flag::kStream);
  const auto search = encode_search(stream);
  ByteWriter bytes;
  bytes.u16(0).u8(static_cast<std::uint8_t>(ContinuousRequest::Action::kStart)).u8(op::kSearch);
  // Of all searches together; there is one.
  bytes.u16(request.stop_after_tags ? search_flag::kStopAfterTags : 0);
  if (request.stop_after_tags) bytes.u32(*request.stop_after_tags);
  bytes.u8(kGen2).u8(static_cast<std::uint32_t>(search.size()));
  return bytes.u8(op::kSearch).bytes(search).take();
}

std::optional<ContinuousRequest> decode_continuous(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  bytes.u16();
  ContinuousRequest request{.action = static_cast<ContinuousRequest::Action>(bytes.u8())};
  switch (request.action) {
    case ContinuousRequest::Action::kStart: {
      if (bytes.u8() != op::kSearch) bytes.fail();
      const std::uint16_t flags = bytes.u16();
      std::optional<std::uint32_t> stop_after_tags;
      if ((flags & search_flag::kStopAfterTags) != 0) stop_after_tags = bytes.u32();
      if (bytes.u8() != kGen2) bytes.fail();
      const std::uint8_t length = bytes.u8();
      if (bytes.u8() != op::kSearch || length != bytes.left()) bytes.fail();
      request.search = decode_search(bytes.rest());
      if (!request.search) return std::nullopt;
      if (stop_after_tags) request.search->stop_after_tags = stop_after_tags;
      break;
    }
    case ContinuousRequest::Action::kCommand: {
      const std::uint8_t length = bytes.u8();
      request.opcode = bytes.u8();
      request.command_data = bytes.take(length);
      break;
    }
    case ContinuousRequest::Action::kStop:
    case ContinuousRequest::Action::kAuthentication:
      break;
    default:
      return std::nullopt;
  }
  if (!bytes.ok()) return std::nullopt;
  return request;
}

std::vector<std::uint8_t> encode_within_stream(std::uint8_t opcode,
                                               std::span<const std::uint8_t> data) {
  return ByteWriter()
      .u16(0)
      .u8(static_cast<std::uint8_t>(ContinuousRequest::Action::kCommand))
      .u8(static_cast<std::uint32_t>(data.size()))
      .u8(opcode)
      .bytes(data)
      .take();
}

SearchHead read_search_head(ByteReader& bytes) {
  SearchHead head;
  head.option = bytes.u8();
  head.multi = head.option == option::kMultiSelect;
  if (head.multi) head.option = bytes.u8();
  head.flags = bytes.u16();
  if ((head.option & option::kMetadata) != 0) head.metadata = bytes.u16();
  return head;
}

void write_search_head(ByteWriter& bytes, const SearchHead& head) {
  if (head.multi) bytes.u8(option::kMultiSelect);
  const unsigned kind = head.option & ~static_cast<unsigned>(option::kMetadata);
  bytes.u8(head.metadata ? kind | option::kMetadata : kind).u16(head.flags);
  if (head.metadata) bytes.u16(*head.metadata);
}

SearchHead head_of(const SearchRequest& request) {
  return {.multi = request.select.multi,
          .option = full_option(request),
          .flags = flags_of(request),
          .metadata = request.metadata};
}

std::vector<std::uint8_t> encode_search_reply(const SearchRequest& request,
                                              const SearchReply& reply) {
  ByteWriter bytes;
  SearchHead head = head_of(request);
  // The option is echoed with its metadata bit, but without the metadata.
  if (head.multi) bytes.u8(option::kMultiSelect);
  bytes.u8(head.option).u16(head.flags);
  bytes.integer(reply.new_records, (head.flags & search_flag::kLargeCount) != 0 ? 4 : 1);
  if (request.embedded) {
    bytes.u8(1).u8(request.embedded->opcode);
    bytes.u16(reply.embedded_succeeded).u16(reply.embedded_failed);
  }
  return bytes.take();
}

std::optional<SearchReply> decode_search_reply(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  // The option, after the mark of the multi-select form if that is meant.
  if (bytes.u8() == option::kMultiSelect) bytes.u8();
  const std::uint16_t flags = bytes.u16();
  SearchReply reply;
  reply.new_records = bytes.integer((flags & search_flag::kLargeCount) != 0 ? 4 : 1);
  if ((flags & search_flag::kEmbedded) != 0 && !bytes.at_end()) {
    bytes.u8();
    reply.embedded = EmbeddedOp{.opcode = bytes.u8()};
    reply.embedded_succeeded = bytes.u16();
    reply.embedded_failed = bytes.u16();
  }
  if (!bytes.ok()) return std::nullopt;
  return reply;
}

}  // namespace singulate::radio::mercury
