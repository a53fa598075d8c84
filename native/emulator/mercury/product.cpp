#include "emulator/mercury/product.h"

#include <string_view>

#include "radio/mercury/byte_writer.h"

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::ByteWriter;
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
  constexpr std::uint8_t kHardware = 0x00;
  constexpr std::uint8_t kSerialNumber = 0x40;
  if (data.size() != 2) return bad_count();
  if (data[1] == kHardware) {
    // Silion: year and number, without an echo of what was asked for.
    if (profile.asynchronous) {
      constexpr std::uint32_t kYear = 2024;
      return {.data = ByteWriter().u32(kYear).u32(0).u32(1).take()};
    }
    return {.data = ByteWriter().bytes(data).bytes(profile.hardware).take()};
  }
  if (data[1] != kSerialNumber) return bad_parameter();
  constexpr std::string_view kNumber = "EMULATED0001";
  // Hosts take the length from the fourth byte; what the third means is not known.
  ByteWriter writer;
  writer.bytes(data).u8(0).u8(static_cast<std::uint32_t>(kNumber.size()));
  for (const char one : kNumber) writer.u8(static_cast<std::uint8_t>(one));
  return {.data = writer.take()};
}

}  // namespace singulate::emulator::mercury
