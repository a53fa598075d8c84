// The rules of conformance, by what they are about. Each notes what it finds with MUST and NEED.
#pragma once

#include <functional>
#include <span>

#include "ready.h"

namespace singulate::test {

struct Rule {
  const char* name;  // as docs/drivers.md has it
  void (*check)(Ready& ready);
  // Has the module, or what is around it, what the rule is about?
  bool (*applies)(Ready& ready);
};

inline bool always(Ready& /*ready*/) { return true; }
inline bool unless_recorded(Ready& ready) { return !ready.recorded(); }
inline bool with_selects(Ready& ready) { return ready.has(radio::Feature::kSelects); }
inline bool with_access(Ready& ready) { return ready.has(radio::Feature::kAccess); }
inline bool with_cable(Ready& ready) { return ready.subject().has_cable(); }
inline bool with_region(Ready& ready) { return ready->region().has_value(); }
inline bool with_pins(Ready& ready) { return ready.subject().has_pins(); }

// open(), close(), settings, clock, senses.
std::span<const Rule> life_rules();
std::span<const Rule> round_rules();
std::span<const Rule> access_rules();
// The connection, and the pins.
std::span<const Rule> link_rules();

}  // namespace singulate::test
