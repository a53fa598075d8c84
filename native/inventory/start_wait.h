// What reading waits for: inputs, or a time (InventoryPlan::Start).
#pragma once

#include <cstdint>

#include "inventory/loop_context.h"

namespace singulate::inventory {

class StartWait final : public radio::RoundWatch {
 public:
  enum class Outcome : std::uint8_t { kGo, kStopped, kPlanWaits };

  StartWait(LoopContext& context, const InventoryPlan::Start& start)
      : context_(context), start_(start), inputs_(start.inputs) {}

  // Waits for the first start of reading, then for each further one.
  Outcome wait();

 private:
  [[nodiscard]] bool has_come();
  // While an access request looks for its tag.
  bool goes_on() override;
  void serve_access();
  // A little time passes with the carrier off.
  void pass();

  LoopContext& context_;
  const InventoryPlan::Start& start_;
  InputWatch inputs_;
  std::uint64_t next_ns_ = 0;
  bool first_ = true;
};

}  // namespace singulate::inventory
