// A round as the search that a module repeats for it.
#pragma once

#include <chrono>
#include <optional>

#include "gen2/select.h"
#include "radio/mercury/search.h"
#include "radio/mercury/tag_record.h"
#include "radio/radio_module.h"

namespace singulate::radio::mercury {

struct SearchForm {
  bool multi_select = true;
  bool round_summaries = true;
  // With each cycle: a module that reads cannot be asked.
  bool temperature = true;
  bool asynchronous = false;
  std::chrono::milliseconds on_cycle{500};
  bool pins = false;  // records tell their levels
};

// kNotSupported for what no search can say.
Result<SearchRequest> search_for(const RoundRequest& request, const SearchForm& form);

// Nothing if a select of the module cannot say it.
std::optional<SelectSpec> spec_of(const gen2::Select& select);

// What an access operation came to: the status of its command, and the data of a read.
AccessResult access_result(const AccessOp& operation, std::uint16_t status,
                           std::span<const std::uint8_t> data);

// Words as bytes, as commands carry them.
std::vector<std::uint8_t> bytes_of_words(std::span<const std::uint16_t> words);

}  // namespace singulate::radio::mercury
