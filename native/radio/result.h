// Errors without exceptions: a code from one enumeration and a text for people.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace singulate::radio {

enum class ErrorCode : std::uint8_t {
  kNone,          // no error
  kNotSupported,  // the module cannot do this
  kNotOpen,       // open() first
  kBadSettings,   // the module does not take these settings
  kModule,        // the module failed or is gone
};

struct Error {
  ErrorCode code = ErrorCode::kNone;
  std::string message;  // one line, without a final stop
};

inline Error not_supported(std::string message) {
  return {.code = ErrorCode::kNotSupported, .message = std::move(message)};
}

// Success or an error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return error_.code == ErrorCode::kNone; }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

// A value or an error. value() only if ok().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(content_); }
  [[nodiscard]] const T& value() const { return *std::get_if<T>(&content_); }
  [[nodiscard]] const Error& error() const { return *std::get_if<Error>(&content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace singulate::radio
