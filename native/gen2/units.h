// The one unit that is counted in everywhere: nanoseconds.
#pragma once

#include <cstdint>

namespace singulate {

inline constexpr std::uint64_t kNsPerMs = 1'000'000;

}  // namespace singulate
