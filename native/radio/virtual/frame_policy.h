// Decides the frame sizes of a round from what was heard.
#pragma once

#include <cstdint>
#include <optional>

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

class FramePolicy {
 public:
  FramePolicy() = default;
  FramePolicy(const FramePolicy&) = delete;
  FramePolicy& operator=(const FramePolicy&) = delete;
  FramePolicy(FramePolicy&&) = delete;
  FramePolicy& operator=(FramePolicy&&) = delete;
  virtual ~FramePolicy() = default;

  // Q of the first frame for that many expected tags (at least 1).
  virtual unsigned first_q(std::uint32_t tag_population) = 0;
  // After each slot but the last one of a frame: the Q to break the frame off for, or nothing.
  virtual std::optional<unsigned> after_slot(const FrameCounts& frame) = 0;
  // After the last slot of a frame with collisions: the Q of the next one.
  virtual unsigned after_frame(const FrameCounts& frame) = 0;
};

}  // namespace singulate::radio
