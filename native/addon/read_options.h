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
  // It may take seconds until it answers, or it may not be there at all: open() is to be called
  // on another thread, again and again.
  bool open_later = false;
};

// Throws ERR_INVALID_OPTIONS with all violations.
OpenedOptions read_options(Napi::Env env, const Napi::Value& value);

}  // namespace singulate::addon
