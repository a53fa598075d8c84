#include "addon/input.h"

#include <cmath>
#include <cstdio>

namespace singulate::addon {

namespace {

constexpr std::int64_t kMaxSafeInteger = 9'007'199'254'740'991;

std::string number_text(double value) {
  char text[40];
  (void)std::snprintf(text, sizeof text, "%.17g", value);
  // The shorter form, unless it is another number.
  char shorter[40];
  (void)std::snprintf(shorter, sizeof shorter, "%g", value);
  return std::strtod(shorter, nullptr) == value ? shorter : text;
}

}  // namespace

std::string Input::shown() const {
  if (value_.IsUndefined()) return "nothing";
  if (value_.IsNull()) return "null";
  if (value_.IsNumber()) return number_text(value_.As<Napi::Number>().DoubleValue());
  if (value_.IsString()) {
    std::string quoted(1, '"');
    quoted += value_.As<Napi::String>().Utf8Value();
    quoted += '"';
    return quoted;
  }
  if (value_.IsBoolean()) return value_.As<Napi::Boolean>().Value() ? "true" : "false";
  if (value_.IsBigInt()) return "a bigint";
  if (value_.IsFunction()) return "a function";
  return value_.IsArray() ? "an array" : "an object";
}

Input Input::child(const char* key, const std::string& name) const {
  const std::string path = path_.empty() ? name : path_ + "." + name;
  if (!value_.IsObject()) return {value_.Env().Undefined(), path, *faults_};
  return {value_.As<Napi::Object>().Get(key), path, *faults_};
}

std::vector<Input> Input::items() const {
  std::vector<Input> result;
  if (!value_.IsArray()) {
    fault(shown() + " given; allowed: an array");
    return result;
  }
  const auto array = value_.As<Napi::Array>();
  const std::uint32_t length = array.Length();
  result.reserve(length);
  for (std::uint32_t i = 0; i < length; ++i) {
    result.emplace_back(array.Get(i), path_ + "[" + std::to_string(i) + "]", *faults_);
  }
  return result;
}

double Input::number() const {
  if (!value_.IsNumber()) {
    fault(shown() + " given; allowed: a number");
    return 0;
  }
  const double value = value_.As<Napi::Number>().DoubleValue();
  if (!std::isfinite(value)) fault(shown() + " given; allowed: a finite number");
  return std::isfinite(value) ? value : 0;
}

std::optional<std::int64_t> Input::whole(std::int64_t low, std::int64_t high) const {
  const double value = value_.IsNumber() ? value_.As<Napi::Number>().DoubleValue() : std::nan("");
  const bool within = value >= static_cast<double>(low) && value <= static_cast<double>(high);
  if (!within || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::int64_t Input::integer(std::int64_t low, std::int64_t high) const {
  if (const auto value = whole(low, high)) return *value;
  fault(shown() + " given; allowed: a whole number, " + std::to_string(low) + ".." +
        std::to_string(high));
  return low;
}

std::int64_t Input::secret(std::int64_t low, std::int64_t high) const {
  if (const auto value = whole(low, high)) return *value;
  fault("something else given; allowed: a whole number, " + std::to_string(low) + ".." +
        std::to_string(high));
  return low;
}

std::int64_t Input::integer() const { return integer(-kMaxSafeInteger, kMaxSafeInteger); }

bool Input::boolean() const {
  if (value_.IsBoolean()) return value_.As<Napi::Boolean>().Value();
  fault(shown() + " given; allowed: true, false");
  return false;
}

std::string Input::text() const {
  if (value_.IsString()) return value_.As<Napi::String>().Utf8Value();
  fault(shown() + " given; allowed: a string");
  return {};
}

std::optional<std::uint64_t> Input::bigint() const {
  if (!present()) return std::nullopt;
  bool lossless = false;
  if (value_.IsBigInt()) {
    const std::uint64_t value = value_.As<Napi::BigInt>().Uint64Value(&lossless);
    if (lossless) return value;
  }
  fault(shown() + " given; allowed: a bigint, 0..18446744073709551615");
  return std::nullopt;
}

Input::Bytes Input::bytes() const {
  if (value_.IsTypedArray() && value_.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array) {
    const auto array = value_.As<Napi::Uint8Array>();
    return {array.Data(), array.ByteLength()};
  }
  fault(shown() + " given; allowed: a Uint8Array");
  return {};
}

}  // namespace singulate::addon
