#include "radio/mercury/codes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace singulate::radio::mercury {

namespace {

using Text = std::pair<std::uint16_t, std::string_view>;

constexpr std::array kTexts{
    Text{status::kSuccess, "success"},
    Text{status::kDataCount, "wrong number of data bytes"},
    Text{status::kInvalidOpcode, "the module does not know this command"},
    Text{status::kNotImplemented, "the module does not have this command"},
    Text{status::kPowerTooHigh, "power above the module's maximum"},
    Text{status::kBadFrequency, "frequency not allowed"},
    Text{status::kBadParameter, "wrong parameter"},
    Text{status::kPowerTooLow, "power below the module's minimum"},
    Text{status::kBaudRate, "baud rate not possible"},
    Text{status::kRegion, "region not possible"},
    Text{status::kNoTags, "no tag"},
    Text{status::kNoData, "no data"},
    Text{status::kWriteFailed, "the write failed"},
    Text{status::kInvalidAddress, "wrong address"},
    Text{status::kTagError, "the tag answered with an error"},
    Text{status::kDataTooLarge, "more data than possible"},
    Text{status::kKillFailed, "the kill failed"},
    Text{status::kGen2Other, "the tag's error: other"},
    Text{status::kMemoryOverrun, "the tag's error: no such memory"},
    Text{status::kLocked, "the tag's error: locked"},
    Text{status::kLowTagPower, "the tag's error: too little power"},
    Text{status::kNonSpecific, "the tag's error: not specified"},
    Text{status::kUnknownError, "the tag's error: unknown"},
    Text{status::kChannelBusy, "the channel is busy"},
    Text{status::kNoAntenna, "no antenna on the port"},
    Text{status::kOverTemperature, "too hot"},
    Text{status::kHighReturnLoss, "the antenna reflects too much"},
    Text{status::kBufferFull, "the tag buffer is full"},
    Text{status::kAuthentication, "a tag asks for authentication"},
    Text{status::kAssert, "the module's firmware failed"},
};
static_assert(std::is_sorted(kTexts.begin(), kTexts.end()));

}  // namespace

std::string_view status_text(std::uint16_t status) {
  const auto* const found = std::find_if(kTexts.begin(), kTexts.end(),
                                         [&](const Text& text) { return text.first == status; });
  return found == kTexts.end() ? "a fault of the module" : found->second;
}

}  // namespace singulate::radio::mercury
