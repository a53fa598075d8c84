// Reads JavaScript values with their types checked. Every wrong one becomes a fault with its
// path; the reader goes on with a default, so that all faults are found at once.
#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "addon/errors.h"

namespace singulate::addon {

// The most that 32 bits hold.
inline constexpr std::int64_t kMaxU32 = 4'294'967'295;

// A value and where it stands: "antennas[1].gainDbi".
class Input {
 public:
  Input(Napi::Value value, std::string path, std::vector<Fault>& faults)
      : value_(value), path_(std::move(path)), faults_(&faults) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Napi::Value& value() const { return value_; }
  [[nodiscard]] bool present() const { return !value_.IsUndefined() && !value_.IsNull(); }

  // The value of `key`; faults name it `name`, or `key` without one.
  [[nodiscard]] Input operator[](const char* key) const { return child(key, key); }
  [[nodiscard]] Input child(const char* key, const std::string& name) const;
  // The items of an array.
  [[nodiscard]] std::vector<Input> items() const;

  [[nodiscard]] double number() const;
  [[nodiscard]] double number_or(double otherwise) const {
    return present() ? number() : otherwise;
  }
  // A whole number within the range; 0 (and a fault) otherwise.
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const;
  // A whole number within the range, of a value that no message may show.
  [[nodiscard]] std::int64_t secret(std::int64_t low, std::int64_t high) const;
  // Any whole number that a double holds exactly.
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::optional<std::uint64_t> bigint() const;
  // The bytes of a Uint8Array; valid while the value lives.
  struct Bytes {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
  };
  [[nodiscard]] Bytes bytes() const;

  void fault(const std::string& message) const { faults_->push_back({path_, message}); }
  // What was given, for messages.
  [[nodiscard]] std::string shown() const;

 private:
  [[nodiscard]] std::optional<std::int64_t> whole(std::int64_t low, std::int64_t high) const;

  Napi::Value value_;
  std::string path_;
  std::vector<Fault>* faults_;
};

}  // namespace singulate::addon
