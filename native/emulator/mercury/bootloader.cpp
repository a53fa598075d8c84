#include "emulator/mercury/bootloader.h"

#include "radio/mercury/byte_reader.h"

namespace singulate::emulator::mercury {

using radio::mercury::ByteReader;
using radio::mercury::Frame;
namespace op = radio::mercury::op;
namespace status = radio::mercury::status;

Answer Bootloader::answer(const Frame& command) {
  constexpr std::size_t kPassword = 4;
  switch (command.opcode) {
    case op::kEraseFlash:
      if (command.data.size() != kPassword + 1) return bad_count();
      image_.clear();
      return {};
    case op::kWriteFlash: {
      constexpr std::size_t kHead = kPassword + 5;
      if (command.data.size() <= kHead) return bad_count();
      ByteReader reader(command.data.subspan(kPassword));
      if (reader.u32() != image_.size()) return fault(0x0300);
      const auto piece = command.data.subspan(kHead);
      image_.insert(image_.end(), piece.begin(), piece.end());
      return {};
    }
    case op::kVerifyImage:
      return image_.empty() ? fault(0x0200) : Answer{};
    default:
      return fault(status::kInvalidOpcode);
  }
}

}  // namespace singulate::emulator::mercury
