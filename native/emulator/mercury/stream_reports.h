// The data of what a module sends by itself while it reads continuously.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/mercury/air.h"
#include "emulator/mercury/profile.h"
#include "radio/mercury/search.h"
#include "radio/radio_module.h"

namespace singulate::emulator::mercury {

// All of them for frames of op 22, but for silion_tag_report: op AA.
std::vector<std::uint8_t> tag_report(const radio::mercury::SearchRequest& stream,
                                     const KeptRecord& kept, const Profile& profile);
std::vector<std::uint8_t> silion_tag_report(const radio::mercury::SearchRequest& stream,
                                            const KeptRecord& kept, const Profile& profile);
std::vector<std::uint8_t> round_summary_report(const radio::mercury::SearchRequest& stream,
                                               const radio::RoundResult& slots);
std::vector<std::uint8_t> temperature_report(const radio::mercury::SearchRequest& stream,
                                             std::int8_t celsius);
// In the old form, that of a start without the 88 mark, empty.
std::vector<std::uint8_t> cycle_end_report(const radio::mercury::SearchRequest& stream,
                                           std::uint32_t elapsed_ms);
// The last report of a stream that ends by itself: as many tags as were asked for are there.
std::vector<std::uint8_t> enough_tags_report(const radio::mercury::SearchRequest& stream,
                                             const Profile& profile);

}  // namespace singulate::emulator::mercury
