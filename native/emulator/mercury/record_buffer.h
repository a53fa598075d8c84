// Records of searches, until the host fetches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "emulator/mercury/air.h"
#include "emulator/mercury/profile.h"
#include "emulator/mercury/settings.h"

namespace singulate::emulator::mercury {

class RecordBuffer {
 public:
  // Borrowed.
  explicit RecordBuffer(const Profile& profile) : profile_(profile) {}

  enum class Kept : std::uint8_t { kNew, kSeenBefore, kFull };
  // The settings say which records are of the same tag.
  Kept keep(const KeptRecord& kept, const Settings& settings);
  // How many there are; or as many as fit into one answer, which are gone then.
  Answer answer(std::span<const std::uint8_t> data);
  void clear() { records_.clear(); }

 private:
  const Profile& profile_;
  std::deque<KeptRecord> records_;
};

}  // namespace singulate::emulator::mercury
