// What a module is told by commands that need no air: powers, antennas, region, keys.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "emulator/mercury/profile.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

struct Answer {
  std::uint16_t status = 0;
  std::vector<std::uint8_t> data{};
};

inline Answer fault(std::uint16_t code) { return {.status = code}; }

struct Powers {
  std::int16_t read_cdbm = 0;
  std::int16_t write_cdbm = 0;
};

class Settings {
 public:
  // antennas: ports that have an antenna, of 1..4.
  Settings(const Profile& profile, std::vector<std::uint8_t> antennas,
           std::vector<std::uint32_t> channels_khz);

  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

  // In the order of the search list.
  [[nodiscard]] const std::vector<std::uint8_t>& search_list() const { return search_list_; }
  [[nodiscard]] Powers powers(std::uint8_t port) const;
  // Milliseconds with RF on per antenna; 0 = not told.
  [[nodiscard]] std::uint16_t on_time_ms(std::uint8_t port) const;
  [[nodiscard]] std::uint16_t off_time_ms() const { return on_time_ms(0); }
  [[nodiscard]] bool has_antenna(std::uint8_t port) const;
  [[nodiscard]] std::uint8_t region() const { return region_; }
  // A parameter of Gen2; 0 if it was never told.
  [[nodiscard]] std::uint32_t gen2(std::uint8_t key) const;
  // A key of the reader; 0 if it was never told.
  [[nodiscard]] std::uint32_t reader(std::uint8_t key) const;
  [[nodiscard]] bool sends_crc() const { return sends_crc_; }
  // Name of the link profile of the field that comes nearest.
  [[nodiscard]] std::string_view link_profile() const;

  // Which pins are high: a bit each, from the lowest.
  [[nodiscard]] std::uint8_t pin_levels() const;

  // Events of the hardware.
  void pull_antenna(std::uint8_t port, bool there);
  void set_input(std::uint8_t pin, bool high);
  std::int8_t temperature_celsius = 29;

 private:
  using Data = std::span<const std::uint8_t>;

  Answer set_antennas(Data data);
  [[nodiscard]] Answer get_antennas(Data data) const;
  Answer set_power(Data data, bool write);
  [[nodiscard]] Answer get_power(Data data, bool write) const;
  Answer set_hop_table(Data data);
  [[nodiscard]] Answer get_hop_table(Data data) const;
  Answer set_outputs(Data data);
  [[nodiscard]] Answer get_pins(Data data) const;
  Answer set_region(Data data);
  Answer set_reader_key(Data data);
  [[nodiscard]] Answer get_reader_key(Data data) const;
  Answer set_gen2_key(Data data);
  [[nodiscard]] Answer get_gen2_key(Data data) const;
  [[nodiscard]] bool is_port(unsigned port) const { return port >= 1 && port <= kPorts; }
  [[nodiscard]] bool is_power(std::int16_t cdbm) const {
    return cdbm >= profile_->min_power_cdbm && cdbm <= profile_->max_power_cdbm;
  }
  [[nodiscard]] std::uint16_t power_fault(std::int16_t cdbm) const;

  static constexpr unsigned kPorts = 4;
  static constexpr unsigned kPins = 4;

  const Profile* profile_;
  std::vector<std::uint8_t> present_;
  std::vector<std::uint8_t> search_list_;
  Powers powers_;
  std::map<std::uint8_t, Powers> port_powers_;
  std::map<std::uint8_t, std::uint16_t> settling_us_;
  std::map<std::uint8_t, std::uint16_t> on_times_ms_;  // 0 = off
  std::vector<std::uint32_t> hop_table_khz_;
  std::uint32_t hop_time_ms_ = 375;
  std::array<bool, kPins + 1> output_{};  // is the pin an output
  std::array<bool, kPins + 1> level_{};
  std::uint8_t region_ = 1;
  std::uint8_t power_mode_ = 0;
  std::uint8_t user_mode_ = 0;
  std::uint16_t protocol_ = 5;
  std::map<std::uint8_t, std::vector<std::uint8_t>> reader_keys_;
  std::map<std::uint8_t, std::vector<std::uint8_t>> gen2_keys_;
  bool sends_crc_ = true;
};

}  // namespace singulate::emulator::mercury
