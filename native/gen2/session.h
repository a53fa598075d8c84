// Names of the small Gen2 fields (reference section 3.2). The values are those on the air.
#pragma once

#include <cstdint>

namespace singulate::gen2 {

enum class Session : std::uint8_t { kS0 = 0, kS1 = 1, kS2 = 2, kS3 = 3 };
inline constexpr unsigned kSessions = 4;

// An inventoried flag, and the Query field that asks for it.
enum class Target : std::uint8_t { kA = 0, kB = 1 };

constexpr Target other(Target target) { return target == Target::kA ? Target::kB : Target::kA; }

// Coding of the tag's reply; the value is the M field of Query.
enum class Coding : std::uint8_t { kFm0 = 0, kMiller2 = 1, kMiller4 = 2, kMiller8 = 3 };

// BLF cycles per symbol.
constexpr unsigned cycles_per_symbol(Coding coding) { return 1U << static_cast<unsigned>(coding); }

enum class DivideRatio : std::uint8_t { k8 = 0, k64Over3 = 1 };

// The Sel field of Query.
enum class SelectFilter : std::uint8_t { kAll = 0, kAllToo = 1, kNotSelected = 2, kSelected = 3 };

// The UpDn field of QueryAdjust.
enum class QChange : std::uint8_t { kSame = 0b000, kDown = 0b011, kUp = 0b110 };

inline constexpr unsigned kMaxQ = 15;

}  // namespace singulate::gen2
