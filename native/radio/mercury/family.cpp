#include "radio/mercury/family.h"

#include <array>
#include <string_view>

namespace singulate::radio::mercury {

namespace {

constexpr std::uint8_t kM7e = 0x38;
constexpr std::uint8_t kSilion = 0xA8;

std::string m7e_model(std::uint8_t variant) {
  constexpr std::array<std::string_view, 5> kVariants{"Pico", "Deka", "Hecto", "Mega", "Tera"};
  return variant < kVariants.size() ? "M7e " + std::string(kVariants[variant]) : "M7e";
}

}  // namespace

Family family_of(std::span<const std::uint8_t, 4> hardware) {
  switch (hardware[0]) {
    case kM7e:
      return {.model = m7e_model(hardware[2]),
              .features = "m7e",
              .antenna_form = AntennaForm::kPlain,
              .rf_modes = true};
    case kSilion:
      return {.model = "Silion", .features = "silion", .multi_select = false, .asynchronous = true};
    case 0x18:
      return {.model = "M6e"};
    case 0x19:
      return {.model = "M6e-I"};
    case 0x20:
      return {.model = "M6e Micro"};
    case 0x30:
      return {.model = "M6e Nano"};
    default:
      return {};
  }
}

}  // namespace singulate::radio::mercury
