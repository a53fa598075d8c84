// Something wrong with the options of a module: which field, what was given, what is allowed.
#pragma once

#include <string>

namespace singulate::radio {

struct OptionsFault {
  std::string field;  // path as the caller spells it: "groups[0].tags[3].epc"
  std::string message;
};

}  // namespace singulate::radio
