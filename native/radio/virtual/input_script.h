// A general purpose input of the simulated radio that moves by itself: a light barrier in front of
// a dock door, for example.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace singulate::radio {

struct InputScript {
  std::uint8_t port = 0;                 // 1..16
  bool high = true;                      // until the first change
  std::vector<double> change_seconds{};  // of the field's time, ascending: the level changes
  double period_seconds = 0;             // the changes come again after this time; 0 = once
};

// The level at that time of the field.
bool high_at(const InputScript& script, double seconds);
// The next change after that time; nothing if none comes.
std::optional<double> next_change(const InputScript& script, double seconds);

}  // namespace singulate::radio
