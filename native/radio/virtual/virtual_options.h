// A simulated field: antennas, channels, groups of tags and their ways.
// Lengths in metres, times in seconds unless the name says otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radio/options_fault.h"
#include "radio/virtual/input_script.h"

namespace singulate::radio {

struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
};

// Where an antenna, or one beam of an array, radiates to. Without a width it radiates the same
// everywhere; with one the gain falls by 3 dB at half the width off the direction.
struct Pattern {
  double gain_dbi = 6;
  Point direction{};     // any length but 0; of no meaning without a width
  double width_deg = 0;  // 0 = isotropic; 10..180
};

struct VirtualAntenna {
  std::uint8_t port = 0;  // 1..255, no port twice
  Point position{};
  Pattern pattern{};
  double cable_loss_db = 0;      // between radio and antenna, each way; 0..50
  std::optional<Point> axis{};   // linear polarisation along it; none: circular
  std::vector<Pattern> beams{};  // of an array antenna; numbered from 1, 0 = pattern; at most 511
};

struct Waypoint {
  double seconds = 0;  // on the group's own clock
  Point position{};
};

// A chip: what all its tags have in common (reference section 12).
struct VirtualTagModel {
  std::string name{};
  std::uint16_t epc_words = 6;            // most words of EPC, 1..31
  std::uint16_t user_words = 0;           // of USER memory; 0 = the bank does not exist
  double write_sensitivity_dbm = -14;     // the power that it needs to write
  std::uint32_t write_us_per_word = 800;  // time to write a word
  bool block_write = false;               // BlockWrite and BlockErase
  bool block_permalock = false;
  bool untraceable = false;
};

struct VirtualTag {
  std::vector<std::uint8_t> epc{};  // whole words, 0..62 bytes
  Point offset{};                   // from the position of the group
  double sensitivity_dbm = -18;     // the power that it needs to answer
  std::uint16_t model = 0;          // index into models
  std::optional<Point> axis{};      // of its dipole; none: the polarisation loss is the general one
  std::vector<std::uint8_t> tid{};  // whole words, 0..62 bytes
  std::vector<std::uint8_t> user{};  // whole words, at most user_words; the rest is 0
  std::uint32_t kill_password = 0;
  std::uint32_t access_password = 0;
  std::uint16_t lock = 0;  // the ten action bits of a Lock payload: kill, access, EPC, TID, USER
};

struct VirtualGroup {
  // One: always there. More: there from the first time to the last, on straight lines.
  std::vector<Waypoint> waypoints;
  double period_seconds = 0;  // the way is taken again after this time; 0 = once
  double offset_seconds = 0;  // field time at which the group's own clock is 0 first
  // Its tags turn around the vertical through its position, once in this time: 0.1..86400; 0 = not.
  double turn_seconds = 0;
  std::vector<VirtualTag> tags;
};

// What a region asks of the use of its channels (reference section 13). Times in air time.
struct ChannelRule {
  std::uint32_t dwell_ms = 400;  // longest stay on a channel, at least 100
  std::uint32_t off_ms = 0;      // then this channel is left alone for as long
  // Within any window_ms a channel is used for at most occupancy_ms (at least 100); 0 = no such
  // rule.
  std::uint32_t window_ms = 0;
  std::uint32_t occupancy_ms = 0;
  // Listen before talk: the channel is listened to for so long; 0 = none. It is found busy with
  // this probability, then the next one is tried.
  std::uint32_t listen_ms = 0;
  double busy_share = 0;  // 0..0.95
};

// How replies suffer on the way, beyond the path loss.
struct Fading {
  double k_db = 10;            // Rician K: direct over scattered power, -20..60
  std::uint32_t hold_ms = 50;  // one draw holds for so long, for a tag, antenna and channel
};

// Another reader or a machine that disturbs the receiver, for a time of the field.
struct VirtualInterference {
  double level_db = 0;  // over the receiver's own noise, 0..80; several add up as powers
  double from_seconds = 0;
  double until_seconds = 1e9;
};

// How the interrogator of the simulated radio chooses its frames.
enum class FramePolicyKind : std::uint8_t {
  kAdaptive,         // estimates the tags that are left
  kQAlgorithm,       // the plain Q algorithm, for comparison
  kKnownPopulation,  // is told the tags that are left, for comparison
};

struct VirtualOptions {
  bool paced = true;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> start_ns;  // time of the first start; none: the wall clock
  FramePolicyKind frame_policy = FramePolicyKind::kAdaptive;
  double q_step = 0.3;  // C of the plain Q algorithm, 0.1..0.5
  std::vector<VirtualAntenna> antennas;
  std::vector<std::uint32_t> channels_khz;  // used in this order, endlessly
  ChannelRule channel_rule{};
  std::vector<InputScript> inputs{};
  std::vector<VirtualTagModel> models{VirtualTagModel{}};
  std::vector<VirtualGroup> groups;
  double polarisation_loss_db = 3;
  double tag_gain_dbi = 2;
  double modulation_loss_db = 6;
  std::optional<Fading> fading;
  // A reply is understood among others if it is stronger than their sum by this; none: never.
  std::optional<double> capture_db;
  double reply_loss = 0;  // share of replies that are lost, 0..1
  std::vector<VirtualInterference> interference{};
  // Kind of module whose features the radio has (radio/features.h); what is beyond it refuses.
  std::string imitate{"virtual"};
};

// Every fault; of tags the first few only. Field names as in the JavaScript options.
std::vector<OptionsFault> check_virtual_options(const VirtualOptions& options);

}  // namespace singulate::radio
