#include "radio/mercury/region_names.h"

namespace singulate::radio::mercury {

std::string_view region_name(std::uint8_t number) {
  switch (number) {
    case 0x01:
      return "fcc";
    case 0x04:
      return "india";
    case 0x05:
      return "japan";
    case 0x06:
      return "china";
    case 0x08:
      return "etsi-lower";
    case 0x09:
      return "korea";
    case 0x0B:
      return "australia";
    case 0x0C:
      return "new-zealand";
    case 0x1E:
      return "etsi-upper";
    default:
      return "";
  }
}

}  // namespace singulate::radio::mercury
