// What the checks of plans and of access requests share: violations, each with the path of its
// field.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "inventory/inventory_plan.h"
#include "radio/access_op.h"
#include "radio/features.h"

namespace singulate::inventory {

class Check {
 public:
  void violation(const std::string& field, const std::string& message) {
    found_.push_back({field, message});
  }
  void range(const std::string& field, std::int64_t value, std::int64_t low, std::int64_t high);
  std::vector<Violation> take() { return std::move(found_); }

 private:
  std::vector<Violation> found_;
};

template <typename List, typename Text>
std::string joined(const List& list, Text text) {
  std::string result;
  for (const auto& item : list) {
    if (!result.empty()) result += ", ";
    result += text(item);
  }
  return result;
}

// last: nothing follows it in its list.
void check_operation(const radio::AccessOp& op, const std::string& field, bool last,
                     const radio::Features& features, Check& check);

}  // namespace singulate::inventory
