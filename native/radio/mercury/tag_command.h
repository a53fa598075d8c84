// Access to one tag, as the module's command for it alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "radio/radio_module.h"

namespace singulate::radio::mercury {

struct TagCommand {
  std::uint8_t opcode = 0;
  std::vector<std::uint8_t> data{};
};

// multi: with the 88 form. kNotSupported if there is no command for it.
Result<TagCommand> tag_command(const TagAccess& access, std::uint16_t timeout_ms, bool multi);

// What the reply to such a command says.
AccessResult tag_command_result(const TagAccess& access, std::uint16_t status,
                                std::span<const std::uint8_t> data);

}  // namespace singulate::radio::mercury
