// Decides the frame sizes of a round from what was heard.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// What was heard in the frame of 2^q slots so far.
struct FrameCounts {
  unsigned q = 0;
  std::uint32_t empty = 0;
  std::uint32_t single = 0;
  std::uint32_t collided = 0;

  [[nodiscard]] std::uint32_t slots() const { return empty + single + collided; }
  [[nodiscard]] std::uint32_t size() const { return std::uint32_t{1} << q; }
};

// What slots and frames cost on the link, in any one unit.
struct FrameCosts {
  double empty = 1;         // T0 of reference section 10.1
  double collided = 1;      // Tc
  double single = 1;        // Ts, of a 96-bit EPC
  double query_adjust = 0;  // a QueryAdjust in place of a QueryRep: by so much longer
  double query = 0;         // the same of a Query
};

class FramePolicy {
 public:
  FramePolicy() = default;
  FramePolicy(const FramePolicy&) = delete;
  FramePolicy& operator=(const FramePolicy&) = delete;
  FramePolicy(FramePolicy&&) = delete;
  FramePolicy& operator=(FramePolicy&&) = delete;
  virtual ~FramePolicy() = default;

  // A round begins. Q of its first frame for that many expected tags; 0 = unknown.
  virtual unsigned first_q(std::uint32_t tag_population) = 0;
  // After each slot but the last one of a frame: the Q to break the frame off for, or nothing.
  virtual std::optional<unsigned> after_slot(const FrameCounts& frame) = 0;
  // After the last slot of a frame with collisions: the Q of the next one.
  virtual unsigned after_frame(const FrameCounts& frame) = 0;
  // The radio had to cut the frame short, after a slot that after_slot() has heard of: the Q of
  // the next one. The tags that were read stay out of the round.
  virtual unsigned after_cut(const FrameCounts& frame) = 0;

  // Whether the policy must be told the truth, for comparison: before each of the above that
  // begins a frame, the tags that are left in the round.
  [[nodiscard]] virtual bool wants_truth() const { return false; }
  virtual void set_tags_left(std::uint32_t /*tags*/) {}
};

// `q_step`: C of the plain Q algorithm.
std::unique_ptr<FramePolicy> make_frame_policy(FramePolicyKind kind, const FrameCosts& costs,
                                               double q_step);

}  // namespace singulate::radio
