// The inventory commands as bits (reference section 3.1), one struct per command.
// encode() gives the frame without preamble; decode() gives nothing if the frame
// has another length or code, a wrong CRC, or a value that tags ignore.
#pragma once

#include <cstdint>
#include <optional>

#include "gen2/bit_frame.h"
#include "gen2/session.h"

namespace singulate::gen2 {

// Starts a round. 22 bits, ends with CRC-5.
struct Query {
  DivideRatio divide_ratio = DivideRatio::k64Over3;
  Coding coding = Coding::kMiller4;
  bool extended_preamble = false;  // TRext
  SelectFilter select = SelectFilter::kAll;
  Session session = Session::kS0;
  Target target = Target::kA;
  std::uint8_t q = 0;  // 0..15: frames of 2^q slots

  friend bool operator==(const Query&, const Query&) = default;
};

// Next slot. 4 bits.
struct QueryRep {
  Session session = Session::kS0;

  friend bool operator==(const QueryRep&, const QueryRep&) = default;
};

// New frame with the same or a neighbouring Q. 9 bits.
struct QueryAdjust {
  Session session = Session::kS0;
  QChange change = QChange::kSame;

  friend bool operator==(const QueryAdjust&, const QueryAdjust&) = default;
};

// Answers a tag's RN16. 18 bits.
struct Ack {
  std::uint16_t rn16 = 0;

  friend bool operator==(const Ack&, const Ack&) = default;
};

// Sends tags in reply, acknowledged, open or secured back to arbitrate. 8 bits.
struct Nak {
  friend bool operator==(const Nak&, const Nak&) = default;
};

BitFrame encode(const Query& command);
BitFrame encode(const QueryRep& command);
BitFrame encode(const QueryAdjust& command);
BitFrame encode(const Ack& command);
BitFrame encode(const Nak& command);

std::optional<Query> decode_query(const BitFrame& frame);
std::optional<QueryRep> decode_query_rep(const BitFrame& frame);
std::optional<QueryAdjust> decode_query_adjust(const BitFrame& frame);
std::optional<Ack> decode_ack(const BitFrame& frame);
std::optional<Nak> decode_nak(const BitFrame& frame);

}  // namespace singulate::gen2
