#include "gen2/commands.h"

#include "gen2/crc.h"

namespace singulate::gen2 {

namespace {

constexpr std::uint32_t kQueryRepCode = 0b00;
constexpr std::uint32_t kAckCode = 0b01;
constexpr std::uint32_t kQueryCode = 0b1000;
constexpr std::uint32_t kQueryAdjustCode = 0b1001;

constexpr std::uint32_t kNakCode = 0xC0;

constexpr unsigned kQueryBits = 22;
constexpr unsigned kQueryBitsBeforeCrc = 17;
constexpr unsigned kQueryRepBits = 4;
constexpr unsigned kQueryAdjustBits = 9;
constexpr unsigned kAckBits = 18;
constexpr unsigned kNakBits = 8;

}  // namespace

BitFrame encode(const Query& command) {
  BitFrame frame;
  frame.append(kQueryCode, 4);
  frame.append(static_cast<std::uint32_t>(command.divide_ratio), 1);
  frame.append(static_cast<std::uint32_t>(command.coding), 2);
  frame.append(command.extended_preamble ? 1 : 0, 1);
  frame.append(static_cast<std::uint32_t>(command.select), 2);
  frame.append(static_cast<std::uint32_t>(command.session), 2);
  frame.append(static_cast<std::uint32_t>(command.target), 1);
  frame.append(command.q, 4);
  frame.append(crc5(frame.read(0, kQueryBitsBeforeCrc), kQueryBitsBeforeCrc), 5);
  return frame;
}

BitFrame encode(const QueryRep& command) {
  BitFrame frame;
  frame.append(kQueryRepCode, 2);
  frame.append(static_cast<std::uint32_t>(command.session), 2);
  return frame;
}

BitFrame encode(const QueryAdjust& command) {
  BitFrame frame;
  frame.append(kQueryAdjustCode, 4);
  frame.append(static_cast<std::uint32_t>(command.session), 2);
  frame.append(static_cast<std::uint32_t>(command.change), 3);
  return frame;
}

BitFrame encode(const Ack& command) {
  BitFrame frame;
  frame.append(kAckCode, 2);
  frame.append(command.rn16, 16);
  return frame;
}

BitFrame encode(const Nak& /*command*/) {
  BitFrame frame;
  frame.append(kNakCode, kNakBits);
  return frame;
}

std::optional<Query> decode_query(const BitFrame& frame) {
  if (frame.size() != kQueryBits || frame.read(0, 4) != kQueryCode) return std::nullopt;
  // The residue over message and CRC-5 is 0.
  if (crc5(frame.read(0, kQueryBits), kQueryBits) != 0) return std::nullopt;
  return Query{
      .divide_ratio = static_cast<DivideRatio>(frame.read(4, 1)),
      .coding = static_cast<Coding>(frame.read(5, 2)),
      .extended_preamble = frame.bit(7),
      .select = static_cast<SelectFilter>(frame.read(8, 2)),
      .session = static_cast<Session>(frame.read(10, 2)),
      .target = static_cast<Target>(frame.read(12, 1)),
      .q = static_cast<std::uint8_t>(frame.read(13, 4)),
  };
}

std::optional<QueryRep> decode_query_rep(const BitFrame& frame) {
  if (frame.size() != kQueryRepBits || frame.read(0, 2) != kQueryRepCode) return std::nullopt;
  return QueryRep{.session = static_cast<Session>(frame.read(2, 2))};
}

std::optional<QueryAdjust> decode_query_adjust(const BitFrame& frame) {
  if (frame.size() != kQueryAdjustBits || frame.read(0, 4) != kQueryAdjustCode) {
    return std::nullopt;
  }
  const auto change = static_cast<QChange>(frame.read(6, 3));
  if (change != QChange::kSame && change != QChange::kUp && change != QChange::kDown) {
    return std::nullopt;
  }
  return QueryAdjust{.session = static_cast<Session>(frame.read(4, 2)), .change = change};
}

std::optional<Ack> decode_ack(const BitFrame& frame) {
  if (frame.size() != kAckBits || frame.read(0, 2) != kAckCode) return std::nullopt;
  return Ack{.rn16 = static_cast<std::uint16_t>(frame.read(2, 16))};
}

std::optional<Nak> decode_nak(const BitFrame& frame) {
  if (frame.size() != kNakBits || frame.read(0, kNakBits) != kNakCode) return std::nullopt;
  return Nak{};
}

}  // namespace singulate::gen2
