// What a host has to know of the modules that speak the Mercury protocol.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "radio/mercury/tag_record.h"

namespace singulate::radio::mercury {

struct Family {
  std::string model = "unknown";
  std::string_view features = "m6e";  // of the table in radio/features.h
  AntennaForm antenna_form = AntennaForm::kNibbles;
  bool rf_modes = false;  // the link profile is one number; otherwise three values
  bool multi_select = true;
  bool asynchronous = false;  // reads continuously by op AA
};

// hardware: the four bytes of the version reply.
Family family_of(std::span<const std::uint8_t, 4> hardware);

}  // namespace singulate::radio::mercury
