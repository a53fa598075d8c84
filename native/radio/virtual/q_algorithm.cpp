#include "radio/virtual/q_algorithm.h"

#include <algorithm>

#include "gen2/session.h"

namespace singulate::radio {

namespace {

constexpr double kFirstQ = 4;

}  // namespace

unsigned QAlgorithm::first_q(std::uint32_t /*tag_population*/) {
  floating_q_ = kFirstQ;
  before_ = {};
  return q();
}

void QAlgorithm::hear(const FrameCounts& frame) {
  if (frame.slots() <= before_.slots()) before_ = {};  // another frame
  if (frame.collided > before_.collided) {
    floating_q_ = std::min(floating_q_ + step_, static_cast<double>(gen2::kMaxQ));
  } else if (frame.empty > before_.empty) {
    floating_q_ = std::max(floating_q_ - step_, 0.0);
  }
  before_ = frame;
}

std::optional<unsigned> QAlgorithm::after_slot(const FrameCounts& frame) {
  hear(frame);
  return q() == frame.q ? std::nullopt : std::optional(q());
}

unsigned QAlgorithm::after_frame(const FrameCounts& frame) {
  hear(frame);
  return q();
}

}  // namespace singulate::radio
