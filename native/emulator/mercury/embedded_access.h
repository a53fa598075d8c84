// The operation that a search does on each of its tags.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radio/access_op.h"
#include "radio/mercury/access_command.h"
#include "radio/mercury/search.h"

namespace singulate::emulator::mercury {

class EmbeddedAccess {
 public:
  // Nothing: it is none that can be embedded.
  static std::optional<EmbeddedAccess> of(const radio::mercury::EmbeddedOp& embedded,
                                          const radio::mercury::SelectPart& select);

  [[nodiscard]] const std::vector<radio::AccessOp>& operations() const { return operations_; }

  // What a record tells of it: a status, and what was read.
  struct Outcome {
    std::uint16_t status = 0;
    std::vector<std::uint8_t> data{};
  };
  // results: of operations().
  [[nodiscard]] Outcome outcome(std::span<const radio::AccessResult> results) const;

 private:
  std::vector<radio::AccessOp> operations_;
  bool with_password_ = false;
  std::optional<radio::mercury::ReadCommand> read_;
};

}  // namespace singulate::emulator::mercury
