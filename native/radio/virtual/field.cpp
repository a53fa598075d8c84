#include "radio/virtual/field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "radio/virtual/point_math.h"
#include "radio/virtual/polarisation.h"

namespace singulate::radio {

namespace {

Reach reach_at(const Carrier& carrier, double loss_db, double sensitivity_dbm) {
  if (carrier.budget.tag_power_dbm - loss_db < sensitivity_dbm) return Reach::kNone;
  const double rssi = carrier.budget.rssi_dbm - 2 * loss_db;
  return rssi < carrier.receiver_sensitivity_dbm ? Reach::kDeaf : Reach::kHeard;
}

}  // namespace

Field::Field(const VirtualOptions& options)
    : polarisation_loss_db_(options.polarisation_loss_db),
      tag_gain_dbi_(options.tag_gain_dbi),
      modulation_loss_db_(options.modulation_loss_db) {
  for (const VirtualAntenna& from : options.antennas) {
    Antenna& antenna = antennas_.emplace_back();
    antenna.position = from.position;
    antenna.cable_loss_db = from.cable_loss_db;
    if (from.axis) antenna.axis = unit(*from.axis);
    const auto add = [&](const Pattern& pattern) {
      antenna.beams.push_back(
          {.pattern = AntennaPattern(pattern), .gain_dbi = pattern.gain_dbi, .static_losses = {}});
    };
    add(from.pattern);
    for (const Pattern& beam : from.beams) add(beam);
  }
  for (const VirtualGroup& group : options.groups) add_group(group);
  if (options.fading) {
    fading_.emplace(*options.fading, options.seed);
    most_favour_db_ = fading_->most_db();
  }
}

void Field::add_group(const VirtualGroup& from) {
  Group group;
  group.way.waypoints = from.waypoints;
  group.way.period_seconds = from.period_seconds;
  group.way.offset_seconds = from.offset_seconds;
  group.way.turn_seconds = from.turn_seconds;
  group.first = tags_.size();
  group.count = from.tags.size();
  group.lowest_sensitivity_dbm = 1000;
  for (const VirtualTag& tag : from.tags) {
    tags_.push_back({.offset = tag.offset,
                     .sensitivity_dbm = tag.sensitivity_dbm,
                     .group = static_cast<std::uint32_t>(groups_.size())});
    if (tag.axis) {
      axes_.resize(tags_.size());
      axes_.back() = unit(*tag.axis);
    }
    group.radius = std::max(group.radius, length(tag.offset));
    group.lowest_sensitivity_dbm = std::min(group.lowest_sensitivity_dbm, tag.sensitivity_dbm);
  }
  anything_moves_ = anything_moves_ || group.moves();
  groups_.push_back(std::move(group));
}

Carrier Field::carrier(std::size_t antenna, std::size_t beam, double transmit_dbm,
                       std::uint32_t frequency_khz, double receiver_sensitivity_dbm) const {
  return {.antenna = antenna,
          .beam = beam,
          .frequency_khz = frequency_khz,
          .transmit_dbm = transmit_dbm,
          .receiver_sensitivity_dbm = receiver_sensitivity_dbm,
          .budget = LinkBudget::make({.transmit_dbm = transmit_dbm,
                                      .cable_loss_db = antennas_[antenna].cable_loss_db,
                                      .antenna_gain_dbi = antennas_[antenna].beams[beam].gain_dbi,
                                      .tag_gain_dbi = tag_gain_dbi_,
                                      .modulation_loss_db = modulation_loss_db_,
                                      .frequency_khz = frequency_khz})};
}

void Field::illuminate(const Carrier& carrier, double seconds, bool changed_only,
                       std::span<Reach> reach) {
  bool static_too = !changed_only;
  if (fading_) {
    const std::int64_t draw = fading_->draw_at(seconds);
    static_too = static_too || draw != faded_draw_;
    faded_draw_ = draw;
  }
  for (const Group& group : groups_) {
    if (group.moves()) {
      illuminate_moving(group, carrier, seconds, reach);
    } else if (static_too) {
      illuminate_static(group, carrier, seconds, reach);
    }
  }
}

void Field::illuminate_moving(const Group& group, const Carrier& carrier, double seconds,
                              std::span<Reach> reach) const {
  const auto own = reach.subspan(group.first, group.count);
  const std::optional<Point> position = position_at(group.way, seconds);
  // Most groups are elsewhere or too far away: one distance decides for all their tags. The
  // tenth of a dB is more than rounding can make of it.
  const auto nearest = [&] {
    const double metres = distance(*position, antennas_[carrier.antenna].position);
    return std::max(0.0, metres - group.radius);
  };
  if (!position || carrier.budget.tag_power_dbm + most_favour_db_ - distance_db(nearest()) <
                       group.lowest_sensitivity_dbm - 0.1) {
    std::fill(own.begin(), own.end(), Reach::kNone);
    return;
  }
  const Pose pose = pose_of(group.way, *position, seconds);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t tag = group.first + i;
    const double loss = way_loss_db(carrier, pose, tag) - fading_db(carrier, seconds, tag);
    own[i] = reach_at(carrier, loss, tags_[tag].sensitivity_dbm);
  }
}

void Field::illuminate_static(const Group& group, const Carrier& carrier, double seconds,
                              std::span<Reach> reach) {
  const std::vector<double>& losses = static_losses(carrier);
  for (std::size_t i = group.first; i < group.first + group.count; ++i) {
    reach[i] =
        reach_at(carrier, losses[i] - fading_db(carrier, seconds, i), tags_[i].sensitivity_dbm);
  }
}

const std::vector<double>& Field::static_losses(const Carrier& carrier) {
  std::vector<double>& losses = antennas_[carrier.antenna].beams[carrier.beam].static_losses;
  if (!losses.empty() || tags_.empty()) return losses;
  losses.resize(tags_.size());
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const Group& group = groups_[tags_[i].group];
    if (group.moves()) continue;
    losses[i] = way_loss_db(carrier, {.position = group.way.waypoints.front().position}, i);
  }
  return losses;
}

double Field::way_loss_db(const Carrier& carrier, const Pose& pose, std::size_t tag) const {
  const Antenna& antenna = antennas_[carrier.antenna];
  const Point offset = minus(pose.place(tags_[tag].offset), antenna.position);
  const double metres = length(offset);
  return distance_db(metres) + antenna.beams[carrier.beam].pattern.loss_db(offset, metres) +
         polarisation_loss_db(antenna, pose, tag);
}

double Field::polarisation_loss_db(const Antenna& antenna, const Pose& pose,
                                   std::size_t tag) const {
  if (!antenna.axis || tag >= axes_.size() || !axes_[tag]) return polarisation_loss_db_;
  return polarisation_db(*antenna.axis, pose.turned(*axes_[tag]));
}

double Field::fading_db(const Carrier& carrier, double seconds, std::size_t tag) const {
  if (!fading_) return 0;
  return fading_->db(fading_->draw_at(seconds), tag, carrier.antenna, carrier.frequency_khz);
}

Pose Field::pose(const Group& group, double seconds) {
  // A group that left within the last moments is still where its way ended.
  const Point at = position_at(group.way, seconds).value_or(group.way.waypoints.back().position);
  return pose_of(group.way, at, seconds);
}

double Field::loss_db(const Carrier& carrier, double seconds, std::size_t tag) const {
  const Group& group = groups_[tags_[tag].group];
  const double way = group.moves()
                         ? way_loss_db(carrier, pose(group, seconds), tag)
                         : antennas_[carrier.antenna].beams[carrier.beam].static_losses[tag];
  return way - fading_db(carrier, seconds, tag);
}

Signal Field::signal(const Carrier& carrier, double seconds, std::size_t tag) const {
  const Point at = pose(groups_[tags_[tag].group], seconds).place(tags_[tag].offset);
  const double metres = distance(at, antennas_[carrier.antenna].position);
  return {.rssi_cdbm = to_cdbm(carrier.budget.rssi_dbm - 2 * loss_db(carrier, seconds, tag)),
          .phase_cdeg = phase_cdeg(metres, carrier.frequency_khz)};
}

double Field::tag_power_dbm(const Carrier& carrier, double seconds, std::size_t tag) const {
  return carrier.budget.tag_power_dbm - loss_db(carrier, seconds, tag);
}

}  // namespace singulate::radio
