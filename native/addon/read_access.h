// Parts that plans and one-off accesses share.
#pragma once

#include "addon/input.h"
#include "gen2/select.h"
#include "radio/access_op.h"

namespace singulate::addon {

radio::AccessOp read_access(const Input& input);

// So many bits of the bytes.
gen2::SelectMask read_mask(const Input& bytes, const Input& length);

}  // namespace singulate::addon
