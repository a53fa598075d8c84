// The options of `new Radio(..)`: from JavaScript to a radio module.
#pragma once

#include <napi.h>

#include <cstddef>
#include <memory>

#include "radio/radio_module.h"

namespace singulate::addon {

struct OpenedOptions {
  std::unique_ptr<radio::RadioModule> module;
  std::size_t queue_records = 0;
};

// Throws ERR_INVALID_OPTIONS with all violations.
OpenedOptions read_options(Napi::Env env, const Napi::Value& value);

}  // namespace singulate::addon
