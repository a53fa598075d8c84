// Antennas of a module: which are searched, how long and with which power (op 91, 61, 92, 62, 94,
// 64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "emulator/mercury/answer.h"
#include "emulator/mercury/profile.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

struct Powers {
  std::int16_t read_cdbm = 0;
  std::int16_t write_cdbm = 0;
};

class AntennaSettings {
 public:
  // present: ports that have an antenna, of 1..4.
  AntennaSettings(const Profile& profile, std::vector<std::uint8_t> present);

  // Nothing: the opcode is none of these.
  std::optional<Answer> handle(const radio::mercury::Frame& command);

  // Of commands for one tag, and of searches that do not go through the list.
  [[nodiscard]] std::uint8_t single() const { return single_; }
  // In the order of the search.
  [[nodiscard]] const std::vector<std::uint8_t>& search_list() const { return search_list_; }
  [[nodiscard]] Powers powers(std::uint8_t port) const;
  // Milliseconds with RF on per antenna; 0 = not told.
  [[nodiscard]] std::uint16_t on_time_ms(std::uint8_t port) const;
  [[nodiscard]] std::uint16_t off_time_ms() const { return on_time_ms(0); }
  [[nodiscard]] bool is_there(std::uint8_t port) const;

  // An event of the hardware.
  void pull(std::uint8_t port, bool there);

 private:
  Answer set_antennas(std::span<const std::uint8_t> data);
  // One port, or tx and rx.
  Answer set_single(std::span<const std::uint8_t> ports);
  Answer set_list(std::span<const std::uint8_t> ports, unsigned bytes_of_each);
  Answer set_powers(std::span<const std::uint8_t> rows, std::size_t row);
  Answer set_one_kind(std::span<const std::uint8_t> data);
  Answer set_times(std::span<const std::uint8_t> rows);
  [[nodiscard]] Answer get_antennas(std::span<const std::uint8_t> data) const;
  // False: what is asked for is not known.
  bool write_row(radio::mercury::ByteWriter& writer, std::span<const std::uint8_t> asked,
                 std::uint8_t port) const;
  Answer set_power(std::span<const std::uint8_t> data, bool write);
  [[nodiscard]] Answer get_power(std::span<const std::uint8_t> data, bool write) const;
  static bool is_port(unsigned port) { return port >= 1 && port <= kPorts; }
  // Of 91 04: rows of one kind, not all of each port.
  static bool is_of_one_kind(std::span<const std::uint8_t> data);
  [[nodiscard]] bool is_power(std::int16_t cdbm) const {
    return cdbm >= profile_->min_power_cdbm && cdbm <= profile_->max_power_cdbm;
  }
  [[nodiscard]] std::uint16_t power_fault(std::int16_t cdbm) const;

  static constexpr unsigned kPorts = 4;

  const Profile* profile_;
  std::vector<std::uint8_t> present_;
  std::uint8_t single_;
  std::vector<std::uint8_t> search_list_;
  Powers powers_;
  std::map<std::uint8_t, Powers> port_powers_;
  std::map<std::uint8_t, std::uint16_t> settling_us_;
  std::map<std::uint8_t, std::uint16_t> on_times_ms_;  // 0 = off
};

}  // namespace singulate::emulator::mercury
