#include "radio/mercury/silion.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

constexpr std::string_view kMarker = "Moduletech";
constexpr std::string_view kHeartbeat = "XTSJ";
constexpr std::uint8_t kTerminator = 0xBB;
constexpr std::size_t kCommandBytes = 2;
constexpr std::size_t kEndBytes = 2;  // check sum, terminator
constexpr std::uint8_t kAlive = 0x01;

bool begins_with(std::span<const std::uint8_t> data, std::string_view text) {
  return data.size() >= text.size() &&
         std::equal(text.begin(), text.end(), data.begin(), [](char one, std::uint8_t byte) {
           return static_cast<std::uint8_t>(one) == byte;
         });
}

ByteWriter marked(std::string_view text) {
  ByteWriter bytes;
  for (const char one : text) bytes.u8(static_cast<std::uint8_t>(one));
  return bytes;
}

// The low byte of the sum.
std::uint8_t check_sum(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint8_t>(std::accumulate(bytes.begin(), bytes.end(), 0U) & 0xFFU);
}

}  // namespace

std::vector<std::uint8_t> encode_silion(SilionCommand command, std::span<const std::uint8_t> data) {
  const auto summed = ByteWriter().u16(static_cast<std::uint16_t>(command)).bytes(data).take();
  return marked(kMarker).bytes(summed).u8(check_sum(summed)).u8(kTerminator).take();
}

std::optional<SilionMessage> decode_silion(std::span<const std::uint8_t> data) {
  if (!begins_with(data, kMarker)) return std::nullopt;
  const auto rest = data.subspan(kMarker.size());
  if (rest.size() < kCommandBytes + kEndBytes || rest.back() != kTerminator) return std::nullopt;
  const auto summed = rest.first(rest.size() - kEndBytes);
  if (check_sum(summed) != rest[rest.size() - kEndBytes]) return std::nullopt;
  const auto command = static_cast<SilionCommand>(ByteReader(summed).u16());
  if (command != SilionCommand::kStart && command != SilionCommand::kStop) return std::nullopt;
  return SilionMessage{.command = command, .data = summed.subspan(kCommandBytes)};
}

std::vector<std::uint8_t> encode_silion_start(const SearchRequest& search) {
  ByteWriter bytes;
  unsigned flags = search.flags;
  if (search.embedded) flags |= search_flag::kEmbedded;
  bytes.u16(search.metadata.value_or(0)).u8(option_of(search.select)).u16(flags);
  write_selects(bytes, search.select);
  if (search.embedded) {
    const auto& [opcode, data] = *search.embedded;
    bytes.u8(1).u8(static_cast<std::uint32_t>(data.size())).u8(opcode).bytes(data);
  }
  return encode_silion(SilionCommand::kStart, bytes.view());
}

std::optional<SearchRequest> decode_silion_start(std::span<const std::uint8_t> data) {
  ByteReader bytes(data);
  SearchRequest search;
  search.metadata = bytes.u16();
  const std::uint8_t option = bytes.u8();
  search.flags = bytes.u16();
  search.select = read_selects(bytes, false, option);
  if ((search.flags & search_flag::kEmbedded) != 0) {
    if (bytes.u8() != 1) bytes.fail();
    const std::uint8_t length = bytes.u8();
    EmbeddedOp embedded{.opcode = bytes.u8()};
    const auto content = bytes.take(length);
    embedded.data.assign(content.begin(), content.end());
    search.embedded = std::move(embedded);
  }
  if (!bytes.ok() || !bytes.at_end()) return std::nullopt;
  return search;
}

std::vector<std::uint8_t> encode_heartbeat(std::uint16_t flags) {
  return marked(kHeartbeat).u16(flags).u8(kAlive).take();
}

std::vector<std::uint8_t> encode_silion_tag(const TagRecord& record, std::uint16_t metadata) {
  ByteWriter bytes;
  bytes.u16(metadata);
  write_tag_record(bytes, record, metadata, AntennaForm::kNibbles, LengthForm::kBytes8);
  return bytes.take();
}

Report read_silion_report(const Frame& frame) {
  if (frame.status == status::kNoTags) return CycleEnd{};
  if (frame.status != status::kSuccess) return Fault{.status = frame.status};
  if (begins_with(frame.data, kHeartbeat)) return CycleEnd{};
  // An answer to a command that nobody waits for any more.
  if (begins_with(frame.data, kMarker)) return Unreadable{};
  // The vendor's document has a length in bits, readers send one in bytes: the record that ends
  // with the frame is the right one.
  for (const LengthForm length : {LengthForm::kBytes8, LengthForm::kBits16}) {
    ByteReader bytes(frame.data);
    const std::uint16_t metadata = bytes.u16();
    const auto record = read_tag_record(bytes, metadata, AntennaForm::kNibbles, length);
    if (record && bytes.at_end()) return *record;
  }
  return Unreadable{};
}

}  // namespace singulate::radio::mercury
