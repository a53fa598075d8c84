// Keys of a module: of the reader (op 9A, 6A) and of Gen2 (op 9B, 6B).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/mercury/answer.h"
#include "emulator/mercury/profile.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

class KeySettings {
 public:
  explicit KeySettings(const Profile& profile);

  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

  // A parameter of Gen2; 0 if the module has none of that key.
  [[nodiscard]] std::uint32_t gen2(std::uint8_t key) const;
  // A key of the reader; 0 if it was never told.
  [[nodiscard]] std::uint32_t reader(std::uint8_t key) const;
  [[nodiscard]] bool sends_crc() const { return sends_crc_; }
  // Name of the link profile of the field that comes nearest.
  [[nodiscard]] std::string_view link_profile() const;

 private:
  Answer set_reader_key(std::span<const std::uint8_t> data);
  [[nodiscard]] Answer get_reader_key(std::span<const std::uint8_t> data) const;
  // Nothing: the module has no such parameter.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> gen2_value(std::uint8_t key) const;
  Answer set_gen2_key(std::span<const std::uint8_t> data);
  [[nodiscard]] Answer get_gen2_key(std::span<const std::uint8_t> data) const;

  const Profile* profile_;
  std::map<std::uint8_t, std::vector<std::uint8_t>> reader_keys_;
  std::map<std::uint8_t, std::vector<std::uint8_t>> gen2_keys_;
  bool sends_crc_ = true;
};

}  // namespace singulate::emulator::mercury
