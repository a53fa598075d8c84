// What reading waits for: inputs, or a time (InventoryPlan::Start).
#pragma once

#include <cstdint>

#include "inventory/loop_context.h"

namespace singulate::inventory {

class StartWait {
 public:
  enum class Outcome : std::uint8_t { kGo, kStopped, kPlanWaits };

  StartWait(LoopContext& context, const InventoryPlan::Start& start)
      : context_(context), start_(start), inputs_(start.inputs) {}

  // Waits for the first start of reading, then for each further one.
  Outcome wait();

 private:
  [[nodiscard]] bool has_come();
  // A little time passes with the carrier off.
  void pass();

  LoopContext& context_;
  const InventoryPlan::Start& start_;
  InputWatch inputs_;
  std::uint64_t next_ns_ = 0;
  bool first_ = true;
};

}  // namespace singulate::inventory
