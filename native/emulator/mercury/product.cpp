#include "emulator/mercury/product.h"

#include <string_view>

#include "radio/mercury/byte_writer.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteWriter;
namespace status = radio::mercury::status;

constexpr std::uint32_t kGen2Mask = 0x10;

}  // namespace

Answer version_answer(const Profile& profile, bool in_application) {
  constexpr std::uint32_t kBootloader = 0x20190723;
  constexpr std::uint32_t kFirmwareDate = 0x20240101;
  constexpr std::uint32_t kFirmware = 0x01090203;
  return {.data = ByteWriter()
                      .u32(kBootloader)
                      .bytes(profile.hardware)
                      .u32(kFirmwareDate)
                      .u32(kFirmware)
                      .u32(in_application ? kGen2Mask : 0)
                      .take()};
}

Answer product_answer(const Profile& profile, std::span<const std::uint8_t> data) {
  constexpr std::uint8_t kSerialNumber = 0x40;
  if (data.size() != 2) return bad_count();
  Answer answer{.data = {data.begin(), data.end()}};
  if (data[1] == kSerialNumber) {
    constexpr std::string_view kNumber = "EMULATED0001";
    answer.data.push_back(static_cast<std::uint8_t>(kNumber.size()));
    answer.data.insert(answer.data.end(), kNumber.begin(), kNumber.end());
  } else if (data[1] == 0) {
    answer.data.insert(answer.data.end(), profile.hardware.begin(), profile.hardware.end());
  } else {
    return bad_parameter();
  }
  return answer;
}

}  // namespace singulate::emulator::mercury
