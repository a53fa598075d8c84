// Random sequences of commands against a tag: whatever it hears, it keeps its rules.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "gen2/any_command.h"
#include "gen2/replies.h"
#include "radio/virtual/tag_ear.h"

namespace {

using namespace singulate;

void expect(bool truth) {
  if (!truth) std::abort();
}

// Takes values from the input; zeros when it is used up.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::uint16_t word() { return static_cast<std::uint16_t>(byte() << 8U | byte()); }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

gen2::BitFrame raw_frame(Source& source) {
  gen2::BitFrame frame;
  const unsigned bytes = source.byte() % 32;
  for (unsigned i = 0; i < bytes; ++i) frame.append(source.byte(), 8);
  frame.append(source.byte(), source.byte() % 9);
  if (source.byte() % 2 == 0) gen2::append_crc16(frame);
  return frame;
}

// Numbers that a right interrogator would know are often right, so that sequences get deep.
gen2::AnyCommand command(Source& source, const radio::Tag& tag, const radio::TagMemory& memory,
                         std::uint16_t& cover) {
  const std::uint8_t kind = source.byte();
  const std::uint16_t handle = source.byte() % 8 == 0 ? source.word() : tag.rn16();
  const auto bank = static_cast<gen2::Bank>(source.byte() % 4);
  const std::uint32_t pointer =
      source.byte() % 16 == 0 ? source.word() * 40000U : source.byte() % 40U;
  const bool second = tag.half() != radio::Tag::Half::kNone;
  const auto half = [&](std::uint32_t password) {
    const auto right = static_cast<std::uint16_t>(second ? password : password >> 16U);
    return gen2::cover(source.byte() % 8 == 0 ? source.word() : right, cover);
  };
  switch (kind % 18) {
    case 0:
    case 1:
      return gen2::Query{.select = static_cast<gen2::SelectFilter>(source.byte() % 4),
                         .session = static_cast<gen2::Session>(source.byte() % 4),
                         .target = static_cast<gen2::Target>(source.byte() % 2),
                         .q = static_cast<std::uint8_t>(source.byte() % 3)};
    case 2:
      return gen2::QueryRep{static_cast<gen2::Session>(source.byte() % 4)};
    case 3:
      return gen2::QueryAdjust{static_cast<gen2::Session>(source.byte() % 4), gen2::QChange::kDown};
    case 4:
      return gen2::Ack{handle};
    case 5:
      return gen2::Nak{};
    case 6: {
      gen2::Select select{.target = static_cast<gen2::SelectTarget>(source.byte() % 5),
                          .action = static_cast<std::uint8_t>(source.byte() % 8),
                          .bank = bank,
                          .pointer = pointer,
                          .truncate = source.byte() % 4 == 0};
      for (unsigned i = source.byte(); i > 0; --i) select.mask.append(i % 5 == 0);
      return select;
    }
    case 7:
    case 8:
    case 9:
      return gen2::ReqRn{handle};
    case 10:
      return gen2::Read{bank, pointer, source.byte(), handle};
    case 11:
      return gen2::Write{bank, pointer, source.word(), handle};
    case 12:
      return gen2::Kill{.covered_half = half(memory.kill_password()), .handle = handle};
    case 13:
      return gen2::Lock{.payload = {static_cast<std::uint16_t>(source.word() & gen2::kLockBits),
                                    static_cast<std::uint16_t>(source.word() & gen2::kLockBits)},
                        .handle = handle};
    case 14:
      return gen2::Access{half(memory.access_password()), handle};
    case 15: {
      gen2::BlockWrite write{.bank = bank, .word_pointer = pointer, .handle = handle};
      write.data.count = source.byte() % 12;
      for (unsigned i = 0; i < write.data.count; ++i) write.data.words[i] = source.word();
      return write;
    }
    case 16: {
      gen2::BlockPermalock lock{.lock = source.byte() % 2 == 0,
                                .bank = bank,
                                .block_pointer = pointer % 4,
                                .block_range = static_cast<std::uint8_t>(source.byte() % 3),
                                .handle = handle};
      if (lock.lock) lock.mask.count = lock.block_range;
      for (unsigned i = 0; i < lock.mask.count; ++i) lock.mask.words[i] = source.word();
      return lock;
    }
    default:
      return gen2::Untraceable{.untraceable = source.byte() % 2 == 0,
                               .hide_epc = source.byte() % 2 == 0,
                               .epc_length = static_cast<std::uint8_t>(source.byte() % 32),
                               .tid = static_cast<gen2::TidVisibility>(source.byte() % 4),
                               .handle = handle};
  }
}

// What every reply must be: bits whose CRC holds, unless it is a bare RN16 or truncated.
void check_reply(const gen2::BitFrame& frame, const radio::Tag& tag) {
  if (frame.size() == gen2::kRn16Bits || tag.truncation()) return;
  expect(gen2::has_valid_crc16(frame));
  if (const auto access = gen2::decode_access_reply(frame)) {
    expect(!access->error || access->word_count == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Source source(data, size);
  const radio::VirtualTagModel model{.name = "fuzzed",
                                     .epc_words = 8,
                                     .user_words = static_cast<std::uint16_t>(source.byte() % 40),
                                     .block_write = true,
                                     .block_permalock = true,
                                     .untraceable = source.byte() % 2 == 0};
  const radio::VirtualTag made{.epc = {0x30, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                               .tid = {0xE2, 0x80, 0x11, 0x60},
                               .kill_password = source.byte() % 4 == 0 ? 0U : 0x12345678U,
                               .access_password = source.byte() % 4 == 0 ? 0U : 0xCAFEBABEU,
                               .lock = static_cast<std::uint16_t>(source.word() & 0x3FFU)};
  radio::Tag tag(source.word());
  radio::TagMemory memory(made, model);
  radio::TagEar ear(tag, memory);
  std::uint64_t now = 0;
  std::uint16_t cover = 0;
  ear.power_up(now);
  while (!source.empty()) {
    now += std::uint64_t{source.byte()} * 10'000'000;
    const std::uint8_t what = source.byte();
    if (what == 0) {
      ear.power_down(now);
      ear.power_up(now + 1'000'000);
      continue;
    }
    const bool killed = tag.state() == radio::TagState::kKilled;
    const gen2::BitFrame frame =
        what % 16 == 1 ? raw_frame(source) : gen2::encode(command(source, tag, memory, cover));
    const auto before = tag.state();
    const auto reply = ear.hear(frame, now, what % 16 != 2);
    expect(!killed || (!reply && tag.state() == radio::TagState::kKilled));
    if (!reply) continue;
    check_reply(reply->frame, tag);
    expect(reply->delay_us <= 20'000);
    // The RN16 of a Req_RN in open or secured covers the next word.
    const auto number = gen2::decode_handle_reply(reply->frame);
    if (number && before >= radio::TagState::kOpen) cover = *number;
  }
  return 0;
}
