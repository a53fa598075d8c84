#include "radio/virtual/field.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gen2/crc.h"
#include "gen2/replies.h"
#include "radio/virtual/path.h"

namespace singulate::radio {

namespace {

double distance(const Point& a, const Point& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double dz = a.z - b.z;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

Point plus(const Point& a, const Point& b) {
  return {.x = a.x + b.x, .y = a.y + b.y, .z = a.z + b.z};
}

Reach reach_at(const Carrier& carrier, double loss_db, double sensitivity_dbm) {
  if (carrier.budget.tag_power_dbm - loss_db < sensitivity_dbm) return Reach::kNone;
  const double rssi = carrier.budget.rssi_dbm - 2 * loss_db;
  return rssi < carrier.receiver_sensitivity_dbm ? Reach::kDeaf : Reach::kHeard;
}

}  // namespace

Field::Field(const VirtualOptions& options)
    : antennas_(options.antennas),
      static_losses_(options.antennas.size()),
      polarisation_loss_db_(options.polarisation_loss_db),
      tag_gain_dbi_(options.tag_gain_dbi),
      modulation_loss_db_(options.modulation_loss_db) {
  for (const VirtualGroup& from : options.groups) {
    Group group;
    group.way.waypoints = from.waypoints;
    group.way.period_seconds = from.period_seconds;
    group.way.offset_seconds = from.offset_seconds;
    group.first = tags_.size();
    group.count = from.tags.size();
    group.lowest_sensitivity_dbm = 1000;
    for (const VirtualTag& tag : from.tags) {
      FieldTag made;
      made.offset = tag.offset;
      made.sensitivity_dbm = tag.sensitivity_dbm;
      made.group = static_cast<std::uint32_t>(groups_.size());
      made.epc_bytes = static_cast<std::uint8_t>(tag.epc.size());
      made.pc = gen2::pc_for_epc_bytes(tag.epc.size());
      made.crc = gen2::packet_crc(made.pc, tag.epc);
      std::copy(tag.epc.begin(), tag.epc.end(), made.epc.begin());
      tags_.push_back(made);
      group.radius = std::max(group.radius, distance(tag.offset, Point{}));
      group.lowest_sensitivity_dbm = std::min(group.lowest_sensitivity_dbm, tag.sensitivity_dbm);
    }
    anything_moves_ = anything_moves_ || group.moves();
    groups_.push_back(std::move(group));
  }
}

Carrier Field::carrier(std::size_t antenna, double transmit_dbm, std::uint32_t frequency_khz,
                       double receiver_sensitivity_dbm) const {
  return {
      .antenna = antenna,
      .frequency_khz = frequency_khz,
      .transmit_dbm = transmit_dbm,
      .receiver_sensitivity_dbm = receiver_sensitivity_dbm,
      .budget = LinkBudget::make(transmit_dbm, antennas_[antenna].pattern.gain_dbi, tag_gain_dbi_,
                                 polarisation_loss_db_, modulation_loss_db_, frequency_khz)};
}

void Field::illuminate(const Carrier& carrier, double seconds, bool moving_only,
                       std::span<Reach> reach) {
  for (const Group& group : groups_) {
    if (group.moves()) {
      illuminate_moving(group, carrier, seconds, reach);
    } else if (!moving_only) {
      illuminate_static(group, carrier, reach);
    }
  }
}

void Field::illuminate_moving(const Group& group, const Carrier& carrier, double seconds,
                              std::span<Reach> reach) const {
  const auto own = reach.subspan(group.first, group.count);
  const Point& antenna = antennas_[carrier.antenna].position;
  const std::optional<Point> position = position_at(group.way, seconds);
  // Most groups are elsewhere or too far away: one distance decides for all their tags. The
  // tenth of a dB is more than rounding can make of it.
  const auto nearest = [&] { return std::max(0.0, distance(*position, antenna) - group.radius); };
  if (!position ||
      carrier.budget.tag_power_dbm - distance_db(nearest()) < group.lowest_sensitivity_dbm - 0.1) {
    std::fill(own.begin(), own.end(), Reach::kNone);
    return;
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const FieldTag& tag = tags_[group.first + i];
    const double loss = distance_db(distance(plus(*position, tag.offset), antenna));
    own[i] = reach_at(carrier, loss, tag.sensitivity_dbm);
  }
}

void Field::illuminate_static(const Group& group, const Carrier& carrier, std::span<Reach> reach) {
  const std::vector<double>& losses = static_losses(carrier.antenna);
  for (std::size_t i = group.first; i < group.first + group.count; ++i) {
    reach[i] = reach_at(carrier, losses[i], tags_[i].sensitivity_dbm);
  }
}

const std::vector<double>& Field::static_losses(std::size_t antenna) {
  std::vector<double>& losses = static_losses_[antenna];
  if (!losses.empty() || tags_.empty()) return losses;
  losses.resize(tags_.size());
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const Group& group = groups_[tags_[i].group];
    if (group.moves()) continue;
    const Point at = plus(group.way.waypoints.front().position, tags_[i].offset);
    losses[i] = distance_db(distance(at, antennas_[antenna].position));
  }
  return losses;
}

Signal Field::signal(const Carrier& carrier, double seconds, std::size_t tag) const {
  const Group& group = groups_[tags_[tag].group];
  // A group that left within the last moments is heard from where its way ended.
  const Point at = position_at(group.way, seconds).value_or(group.way.waypoints.back().position);
  const double metres = distance(plus(at, tags_[tag].offset), antennas_[carrier.antenna].position);
  const double loss = group.moves() ? distance_db(metres) : static_losses_[carrier.antenna][tag];
  return {.rssi_cdbm = to_cdbm(carrier.budget.rssi_dbm - 2 * loss),
          .phase_cdeg = phase_cdeg(metres, carrier.frequency_khz)};
}

double Field::tag_power_dbm(const Carrier& carrier, double seconds, std::size_t tag) const {
  const Group& group = groups_[tags_[tag].group];
  const Point at = position_at(group.way, seconds).value_or(group.way.waypoints.back().position);
  const double metres = distance(plus(at, tags_[tag].offset), antennas_[carrier.antenna].position);
  return carrier.budget.tag_power_dbm - distance_db(metres);
}

}  // namespace singulate::radio
