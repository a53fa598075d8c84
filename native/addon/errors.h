// Errors to JavaScript: an Error with a `code` and, for inputs, `violations`.
#pragma once

#include <napi.h>

#include <string>
#include <vector>

namespace singulate::addon {

// One thing that is wrong with an input.
struct Fault {
  std::string field;
  std::string message;
};

inline constexpr const char* kInvalidOptions = "ERR_INVALID_OPTIONS";
inline constexpr const char* kInvalidPlan = "ERR_INVALID_PLAN";
inline constexpr const char* kInvalidArgument = "ERR_INVALID_ARGUMENT";
inline constexpr const char* kAlreadyStarted = "ERR_ALREADY_STARTED";
inline constexpr const char* kNotRunning = "ERR_NOT_RUNNING";
inline constexpr const char* kNotSupported = "ERR_NOT_SUPPORTED";
inline constexpr const char* kRadio = "ERR_RADIO";
inline constexpr const char* kGpio = "ERR_GPIO";

Napi::Error coded_error(Napi::Env env, const char* code, const std::string& message);

// The message lists all faults; `violations` holds them as {field, message}.
Napi::Error violations_error(Napi::Env env, const char* code, const std::vector<Fault>& faults);

}  // namespace singulate::addon
