// Which plans a module can go through antenna by antenna without being told of each.
#pragma once

#include <vector>

#include "inventory/inventory_plan.h"
#include "radio/radio_module.h"

namespace singulate::inventory {

// The antenna cycle of the plan as visits that the module makes by itself; empty: the loop makes
// them. A visit of one round that has a time to be over keeps its antenna for that time.
std::vector<radio::TimedVisit> own_cycle(const InventoryPlan& plan,
                                         const radio::Capabilities& radio);

// All visits end after a round, if not before.
bool visits_are_rounds(const InventoryPlan& plan);

}  // namespace singulate::inventory
