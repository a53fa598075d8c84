#include "emulator/mercury/access_status.h"

#include "radio/mercury/codes.h"

namespace singulate::emulator::mercury {

using radio::AccessResult;
using radio::AccessStatus;
namespace status = radio::mercury::status;

namespace {

std::uint16_t tag_error_status(gen2::TagError error) {
  switch (error) {
    case gen2::TagError::kMemoryOverrun:
      return status::kMemoryOverrun;
    case gen2::TagError::kMemoryLocked:
      return status::kLocked;
    case gen2::TagError::kInsufficientPower:
      return status::kLowTagPower;
    case gen2::TagError::kNonSpecific:
      return status::kNonSpecific;
    default:
      return status::kGen2Other;
  }
}

}  // namespace

std::uint16_t access_status(std::span<const AccessResult> results) {
  for (const AccessResult& result : results) {
    switch (result.status) {
      case AccessStatus::kDone:
        break;
      case AccessStatus::kTagError:
        return tag_error_status(result.error);
      case AccessStatus::kNoReply:
      case AccessStatus::kNoTime:
        return status::kNoData;
      case AccessStatus::kSkipped:
        return status::kTagError;
    }
  }
  return status::kSuccess;
}

}  // namespace singulate::emulator::mercury
