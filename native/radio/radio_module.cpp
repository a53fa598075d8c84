#include "radio/radio_module.h"

#include <algorithm>

#include "radio/tag_select.h"

namespace singulate::radio {

namespace {

// Keeps the last result for the tag with that EPC.
class OneTag final : public TagSink {
 public:
  explicit OneTag(std::span<const std::uint8_t> epc) : epc_(epc) {}
  bool on_read(const TagRead& read) override {
    if (std::equal(read.epc.begin(), read.epc.end(), epc_.begin(), epc_.end()) &&
        !read.access.empty()) {
      result = read.access.back();
    }
    return true;
  }
  AccessResult result{.status = AccessStatus::kNoReply};

 private:
  std::span<const std::uint8_t> epc_;
};

}  // namespace

Result<AccessResult> RadioModule::access_tag(const TagAccess& access) {
  const SelectList selects{.selects = selects_for_tag(access.epc, access.also)};
  std::vector<AccessOp> operations;
  if (access.password != 0) {
    operations.push_back({.kind = AccessKind::kAccess, .password = access.password});
  }
  operations.push_back(*access.op);
  OneTag sink(access.epc);
  const auto done = run_round({.antenna = access.antenna,
                               .beam = access.beam,
                               .session = gen2::Session::kS0,
                               .select_filter = gen2::SelectFilter::kSelected,
                               .selects = &selects,
                               .access = operations,
                               .deadline_ns = access.deadline_ns,
                               .watch = access.watch,
                               .stops_behind = true},
                              sink);
  if (!done.ok()) return done.error();
  if (sink.result.status == AccessStatus::kNoReply && done.value().end != RoundEnd::kComplete) {
    sink.result.status = AccessStatus::kNoTime;
  }
  // It fell silent over the password.
  if (sink.result.status == AccessStatus::kSkipped) sink.result.status = AccessStatus::kNoReply;
  return sink.result;
}

Result<double> RadioModule::temperature_celsius() {
  return Error{ErrorCode::kNotSupported, "the module has no temperature sensor"};
}

Result<bool> RadioModule::antenna_connected(std::uint8_t /*port*/) {
  return Error{ErrorCode::kNotSupported, "the module cannot sense antennas"};
}

Status RadioModule::set_region(std::uint8_t /*number*/,
                               const std::vector<std::uint32_t>& /*channels_khz*/) {
  return Error{ErrorCode::kNotSupported, "the region of this radio module cannot be chosen"};
}

}  // namespace singulate::radio
