#include "radio/virtual/input_script.h"

#include <algorithm>
#include <cmath>

namespace singulate::radio {

namespace {

double passes(const InputScript& script, double seconds) {
  return script.period_seconds > 0 ? std::floor(seconds / script.period_seconds) : 0;
}

}  // namespace

bool high_at(const InputScript& script, double seconds) {
  const double pass = passes(script, seconds);
  const double within = seconds - pass * script.period_seconds;
  const auto& changes = script.change_seconds;
  const auto done = std::upper_bound(changes.begin(), changes.end(), within) - changes.begin();
  // A pass with an odd number of changes leaves the other level behind.
  const bool swapped = changes.size() % 2 != 0 && std::fmod(pass, 2) != 0;
  return script.high != ((done % 2 != 0) != swapped);
}

std::optional<double> next_change(const InputScript& script, double seconds) {
  const auto& changes = script.change_seconds;
  if (changes.empty()) return std::nullopt;
  const double start = passes(script, seconds) * script.period_seconds;
  const auto next = std::upper_bound(changes.begin(), changes.end(), seconds - start);
  if (next != changes.end()) return start + *next;
  if (script.period_seconds <= 0) return std::nullopt;
  return start + script.period_seconds + changes.front();
}

}  // namespace singulate::radio
