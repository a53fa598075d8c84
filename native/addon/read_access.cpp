#include "addon/read_access.h"

#include <string>

namespace singulate::addon {

namespace {

constexpr std::size_t kMostMaskBytes = 32;
constexpr std::int64_t kMostMaskBits = 255;
constexpr std::size_t kMostWords = 255;

}  // namespace

gen2::SelectMask read_mask(const Input& bytes, const Input& length) {
  gen2::SelectMask mask;
  const std::int64_t bits = length.integer(0, kMostMaskBits);
  const Input::Bytes given = bytes.bytes();
  if (given.size > kMostMaskBytes || static_cast<std::int64_t>(given.size) * 8 < bits) {
    bytes.fault(std::to_string(given.size) + " bytes given; allowed: at most 32, at least the " +
                std::to_string(bits) + " bits of its length");
    return mask;
  }
  for (std::int64_t bit = 0; bit < bits; ++bit) {
    const auto at = static_cast<std::size_t>(bit);
    mask.append(((static_cast<unsigned>(given.data[at / 8]) >> (7U - at % 8U)) & 1U) != 0);
  }
  return mask;
}

radio::AccessOp read_access(const Input& input) {
  radio::AccessOp operation;
  operation.kind = static_cast<radio::AccessKind>(input["kind"].integer(0, 5));
  operation.bank = static_cast<gen2::Bank>(input["bank"].integer(0, 3));
  operation.word_pointer =
      static_cast<std::uint32_t>(input.child("wordPointer", "word_pointer").integer(0, kMaxU32));
  operation.word_count =
      static_cast<std::uint8_t>(input.child("wordCount", "word_count").integer(0, 255));
  operation.password = static_cast<std::uint32_t>(input["password"].secret(0, kMaxU32));
  operation.lock = {.mask = static_cast<std::uint16_t>(
                        input.child("lockMask", "lock_mask").integer(0, gen2::kLockBits)),
                    .action = static_cast<std::uint16_t>(
                        input.child("lockAction", "lock_action").integer(0, gen2::kLockBits))};
  const Input data = input["data"];
  const Input::Bytes bytes = data.bytes();
  for (std::size_t at = 0; at + 1 < bytes.size && at < 2 * kMostWords; at += 2) {
    operation.words.push_back(
        static_cast<std::uint16_t>(bytes.data[at] << 8U | bytes.data[at + 1]));
  }
  const bool writes = operation.kind == radio::AccessKind::kWrite ||
                      operation.kind == radio::AccessKind::kBlockWrite;
  const std::string given = std::to_string(bytes.size) + " bytes given; allowed: ";
  if (writes && (bytes.size == 0 || bytes.size % 2 != 0 || bytes.size > 2 * kMostWords)) {
    data.fault(given + "1..255 words of 2 bytes");
  } else if (!writes && bytes.size > 0) {
    data.fault(given + "none with this kind");
  }
  if (operation.kind == radio::AccessKind::kKill && operation.password == 0) {
    input["password"].fault("0 given; allowed with kill: 1..4294967295 (a tag refuses 0)");
  }
  return operation;
}

}  // namespace singulate::addon
