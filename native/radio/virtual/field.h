// The simulated field: which tags have power from an antenna now, and how they sound.
//
// Power is looked at by illuminate(), which its caller repeats every few milliseconds while
// something changes; RSSI and phase are those of the very moment of a reply, so that the phase of
// a tag that moves advances as the Doppler effect has it. Tags that stand still cost little: what
// their way loses is computed once for an antenna and beam, when it is first used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radio/virtual/antenna_pattern.h"
#include "radio/virtual/path.h"
#include "radio/virtual/propagation.h"
#include "radio/virtual/rician_fading.h"
#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

// The air as one antenna has it on one channel. Made by Field::carrier.
struct Carrier {
  std::size_t antenna = 0;  // index, not port
  std::size_t beam = 0;     // 0 = the antenna's own pattern
  std::uint32_t frequency_khz = 0;
  double transmit_dbm = 0;  // at the radio
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
  // Whether power can change while the carrier stays on.
  [[nodiscard]] bool anything_changes() const { return anything_moves_ || fading_; }
  [[nodiscard]] std::size_t beams(std::size_t antenna) const {
    return antennas_[antenna].beams.size() - 1;
  }

  // The beam must be at most beams(antenna).
  [[nodiscard]] Carrier carrier(std::size_t antenna, std::size_t beam, double transmit_dbm,
                                std::uint32_t frequency_khz, double receiver_sensitivity_dbm) const;

  // Writes the reach of every tag `seconds` after the start of the field. With
  // `changed_only` those are left as they are that stand still in an unchanged field.
  void illuminate(const Carrier& carrier, double seconds, bool changed_only,
                  std::span<Reach> reach);

  // Of a tag that the carrier has illuminated: RSSI and phase when it replies at that time.
  [[nodiscard]] Signal signal(const Carrier& carrier, double seconds, std::size_t tag) const;
  // The power that reaches a tag at that time.
  [[nodiscard]] double tag_power_dbm(const Carrier& carrier, double seconds, std::size_t tag) const;

 private:
  struct FieldTag {
    Point offset;
    double sensitivity_dbm = 0;
    std::uint32_t group = 0;
  };
  struct Group {
    VirtualGroup way;  // without its tags
    std::size_t first = 0;
    std::size_t count = 0;
    double radius = 0;  // of the tags around its position
    double lowest_sensitivity_dbm = 0;
    [[nodiscard]] bool moves() const { return way.waypoints.size() > 1 || way.turn_seconds != 0; }
  };
  struct Beam {
    AntennaPattern pattern;
    double gain_dbi = 0;
    std::vector<double> static_losses;  // of one way, by tag; made when first needed
  };
  struct Antenna {
    Point position;
    double cable_loss_db = 0;
    std::optional<Point> axis;  // of length 1
    std::vector<Beam> beams;    // the first is its own pattern
  };

  void add_group(const VirtualGroup& from);
  void illuminate_moving(const Group& group, const Carrier& carrier, double seconds,
                         std::span<Reach> reach) const;
  void illuminate_static(const Group& group, const Carrier& carrier, double seconds,
                         std::span<Reach> reach);
  const std::vector<double>& static_losses(const Carrier& carrier);
  // What a way loses by distance, pattern and polarisation.
  [[nodiscard]] double way_loss_db(const Carrier& carrier, const Pose& pose, std::size_t tag) const;
  [[nodiscard]] double polarisation_loss_db(const Antenna& antenna, const Pose& pose,
                                            std::size_t tag) const;
  // What a way loses at that time, less the fading.
  [[nodiscard]] double loss_db(const Carrier& carrier, double seconds, std::size_t tag) const;
  static Pose pose(const Group& group, double seconds);
  [[nodiscard]] double fading_db(const Carrier& carrier, double seconds, std::size_t tag) const;

  std::vector<Antenna> antennas_;
  std::vector<Group> groups_;
  std::vector<FieldTag> tags_;
  std::vector<std::optional<Point>> axes_;  // by tag, of length 1; empty if no tag has one
  std::optional<RicianFading> fading_;
  std::int64_t faded_draw_ = -1;  // that of the last illumination
  double polarisation_loss_db_;
  double tag_gain_dbi_;
  double modulation_loss_db_;
  // No way can be better than its distance says by more than this.
  double most_favour_db_ = 0;
  bool anything_moves_ = false;
};

}  // namespace singulate::radio
