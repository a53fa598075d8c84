// What a plan costs on the air, from the timing of its commands and replies (reference sections 2,
// 3, 4 and 10.1). The radio is not touched. Tags are expected to be known in number, to be heard
// without losses, and to need 0.8 ms to write a word, as the simulated ones do by default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inventory/inventory_plan.h"

namespace singulate::inventory {

struct AntennaPrediction {
  std::uint32_t tags = 0;  // that the figures are for
  double round_us = 0;     // a round that reads all of them
  double selects_us = 0;   // of that: the Selects and the delay after them
  double access_us_per_tag = 0;
  double read_us = 0;   // the slot of a tag that is read, with access
  double visit_us = 0;  // on the antenna, carrier switching included
  double reads = 0;     // in a visit
};

struct Prediction {
  std::string link_profile;
  std::vector<AntennaPrediction> antennas;  // as in the plan
  double ceiling_per_second = 0;            // of an endless population, without access
};

// tags: in the field of each antenna; 0 = Query.tag_population, or 100 if that is unknown.
// epc_words: 1..31. Nothing for a link profile that is not of the built-in table.
std::optional<Prediction> predict(const InventoryPlan& plan, const std::string& default_profile,
                                  std::uint32_t tags, unsigned epc_words);

}  // namespace singulate::inventory
