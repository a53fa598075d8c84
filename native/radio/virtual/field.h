// The simulated field: which tags have power from an antenna now, and how they sound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "radio/virtual/propagation.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// The air as one antenna has it on one channel. Made by Field::carrier.
struct Carrier {
  std::size_t antenna = 0;  // index, not port
  std::uint32_t frequency_khz = 0;
  double transmit_dbm = 0;
  double receiver_sensitivity_dbm = 0;
  LinkBudget budget;
};

enum class Reach : std::uint8_t {
  kNone,  // no power: the tag is off
  kDeaf,  // powered, but its reply is too weak for the receiver
  kHeard,
};

struct Signal {
  std::int16_t rssi_cdbm = 0;
  std::uint16_t phase_cdeg = 0;
};

class Field {
 public:
  explicit Field(const VirtualOptions& options);

  [[nodiscard]] std::size_t tags() const { return tags_.size(); }
  [[nodiscard]] bool anything_moves() const { return anything_moves_; }
  [[nodiscard]] std::span<const std::uint8_t> epc(std::size_t tag) const {
    return {tags_[tag].epc.data(), tags_[tag].epc_bytes};
  }
  [[nodiscard]] std::size_t epc_bytes(std::size_t tag) const { return tags_[tag].epc_bytes; }
  [[nodiscard]] std::uint16_t pc(std::size_t tag) const { return tags_[tag].pc; }
  [[nodiscard]] std::uint16_t crc(std::size_t tag) const { return tags_[tag].crc; }

  [[nodiscard]] Carrier carrier(std::size_t antenna, double transmit_dbm,
                                std::uint32_t frequency_khz, double receiver_sensitivity_dbm) const;

  // Writes the reach of every tag `seconds` after the start of the field. With
  // `moving_only` those of groups that stand still are left as they are.
  void illuminate(const Carrier& carrier, double seconds, bool moving_only, std::span<Reach> reach);

  // RSSI and phase of a tag that replies at that time.
  [[nodiscard]] Signal signal(const Carrier& carrier, double seconds, std::size_t tag) const;
  // The power that reaches a tag at that time.
  [[nodiscard]] double tag_power_dbm(const Carrier& carrier, double seconds, std::size_t tag) const;

 private:
  struct FieldTag {
    Point offset;
    double sensitivity_dbm = 0;
    std::uint32_t group = 0;
    std::uint16_t pc = 0;
    std::uint16_t crc = 0;
    std::uint8_t epc_bytes = 0;
    std::array<std::uint8_t, 62> epc{};
  };
  struct Group {
    VirtualGroup way;  // without its tags
    std::size_t first = 0;
    std::size_t count = 0;
    double radius = 0;  // of the tags around its position
    double lowest_sensitivity_dbm = 0;
    [[nodiscard]] bool moves() const { return way.waypoints.size() > 1; }
  };

  void illuminate_moving(const Group& group, const Carrier& carrier, double seconds,
                         std::span<Reach> reach) const;
  void illuminate_static(const Group& group, const Carrier& carrier, std::span<Reach> reach);
  // 20 log10 of the distances of all tags that stand still, of one antenna.
  const std::vector<double>& static_losses(std::size_t antenna);

  std::vector<VirtualAntenna> antennas_;
  std::vector<Group> groups_;
  std::vector<FieldTag> tags_;
  std::vector<std::vector<double>> static_losses_;  // by antenna, made when first needed
  double polarisation_loss_db_;
  double tag_gain_dbi_;
  double modulation_loss_db_;
  bool anything_moves_ = false;
};

}  // namespace singulate::radio
