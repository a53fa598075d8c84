#include "inventory/check.h"

namespace singulate::inventory {

void Check::range(const std::string& field, std::int64_t value, std::int64_t low,
                  std::int64_t high) {
  if (value >= low && value <= high) return;
  violation(field, std::to_string(value) + " given; allowed: " + std::to_string(low) + ".." +
                       std::to_string(high));
}

void check_operation(const radio::AccessOp& op, const std::string& field, bool last,
                     const radio::Features& features, Check& check) {
  const auto text = [](std::size_t given, std::size_t most) {
    return std::to_string(given) + " given; allowed: at most " + std::to_string(most) +
           " on this radio";
  };
  if (!features.has(radio::feature_of(op.kind))) {
    check.violation(field + ".kind", std::string(radio::text_of(radio::feature_of(op.kind)).what) +
                                         " given; not possible on this radio");
  }
  if (op.word_count > features.most_read_words) {
    check.violation(field + ".word_count", text(op.word_count, features.most_read_words));
  }
  if (op.words.size() > features.most_write_words) {
    check.violation(field + ".data", text(op.words.size(), features.most_write_words) + " words");
  }
  const bool alone = op.kind == radio::AccessKind::kAccess && last;
  if (alone && features.of(radio::Feature::kSeveralAccess) != radio::Support::kNative) {
    check.violation(field + ".kind",
                    "an access password given; allowed: before another operation on this radio");
  }
}

}  // namespace singulate::inventory
