#include "addon/errors.h"

namespace singulate::addon {

Napi::Error coded_error(Napi::Env env, const char* code, const std::string& message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error;
}

Napi::Error violations_error(Napi::Env env, const char* code, const std::vector<Fault>& faults) {
  std::string text;
  Napi::Array violations = Napi::Array::New(env, faults.size());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const Fault& fault = faults[i];
    text += (i == 0 ? "" : "; ") + fault.field + (fault.field.empty() ? "" : ": ") + fault.message;
    Napi::Object violation = Napi::Object::New(env);
    violation.Set("field", fault.field);
    violation.Set("message", fault.message);
    violations.Set(static_cast<std::uint32_t>(i), violation);
  }
  Napi::Error error = coded_error(env, code, text);
  error.Set("violations", violations);
  return error;
}

}  // namespace singulate::addon
