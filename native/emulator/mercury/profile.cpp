#include "emulator/mercury/profile.h"

#include <algorithm>

namespace singulate::emulator::mercury {

namespace {

using radio::mercury::AntennaForm;

// The UHF fields of the M6e family; an M7e has no BLF among them.
constexpr std::uint16_t kAllFields = 0x0FFF;
constexpr std::uint16_t kWithoutBlf = 0x0BFF;

constexpr std::array kProfiles{
    Profile{.name = "m7e",
            .model = "M7e Hecto",
            .hardware = {0x38, 0x00, 0x02, 0x01},
            .antenna_form = AntennaForm::kPlain,
            .metadata = kWithoutBlf,
            .statistics = radio::mercury::statistic::kTemperature,
            .rf_modes = true,
            .min_power_cdbm = 0,
            .max_power_cdbm = 2700,
            .buffer_records = 52,
            .embedded_bytes = 128},
    Profile{.name = "m6e",
            .model = "M6e",
            .hardware = {0x18, 0x00, 0x00, 0x01},
            .antenna_form = AntennaForm::kNibbles,
            .metadata = kAllFields,
            .min_power_cdbm = 500,
            .max_power_cdbm = 3150,
            .buffer_records = 1024,
            .embedded_bytes = 128},
    Profile{.name = "nano",
            .model = "M6e Nano",
            .hardware = {0x30, 0x00, 0x00, 0x02},
            .antenna_form = AntennaForm::kNibbles,
            .metadata = kAllFields,
            .min_power_cdbm = 0,
            .max_power_cdbm = 2700,
            .buffer_records = 52,
            .embedded_bytes = 128},
    Profile{.name = "silion",
            .model = "Silion",
            .hardware = {0xA8, 0x00, 0x00, 0x01},
            .antenna_form = AntennaForm::kNibbles,
            .metadata = 0x01FF,
            .multi_select = false,
            .starts_in_bootloader = true,
            .asynchronous = true,
            .min_power_cdbm = 500,
            .max_power_cdbm = 3300,
            .buffer_records = 1024,
            .embedded_bytes = 128},
};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(std::string_view name) {
  const auto* const found = std::find_if(kProfiles.begin(), kProfiles.end(),
                                         [&](const Profile& one) { return one.name == name; });
  return found == kProfiles.end() ? nullptr : found;
}

}  // namespace singulate::emulator::mercury
