#include <functional>
#include <string>
#include <vector>

#include "test/simulation.h"
#include "third_party/doctest/doctest.h"

using namespace singulate;
using radio::VirtualOptions;

namespace {

struct Wrong {
  const char* field;
  const char* message;
  std::function<void(VirtualOptions&)> change;
};

}  // namespace

TEST_CASE("each wrong option of a field is named, with what was given and what is allowed") {
  const std::vector<Wrong> cases{
      {"antennas[0].widthDeg", "5 given; allowed: 10..180",
       [](auto& o) { o.antennas[0].pattern = {.direction = {.z = -1}, .width_deg = 5}; }},
      {"antennas[0].direction", "no length given; allowed: a direction, 1e-6..1e6 long",
       [](auto& o) { o.antennas[0].pattern.width_deg = 70; }},
      {"antennas[0].cableLossDb", "-1 given; allowed: 0..50",
       [](auto& o) { o.antennas[0].cable_loss_db = -1; }},
      {"antennas[0].axis", "no length given; allowed: a direction, 1e-6..1e6 long",
       [](auto& o) { o.antennas[0].axis.emplace(); }},
      {"antennas[0].beams[1].gainDbi", "60 given; allowed: -50..50",
       [](auto& o) {
         o.antennas[0].beams = {{}, {.gain_dbi = 60}};
       }},
      {"antennas[0].beams", "512 given; allowed: at most 511",
       [](auto& o) { o.antennas[0].beams.resize(512); }},
      {"channelRule.dwellMs", "50 given; allowed: 100..8.64e+07",
       [](auto& o) { o.channel_rule = {.dwell_ms = 50, .off_ms = 100}; }},
      {"channelRule.occupancyMs", "0 given; allowed: 100..20000",
       [](auto& o) { o.channel_rule.window_ms = 20'000; }},
      {"channelRule.occupancyMs", "given without windowMs; allowed: both or none",
       [](auto& o) { o.channel_rule.occupancy_ms = 400; }},
      {"channelRule.busyShare", "1 given; allowed: 0..0.95",
       [](auto& o) { o.channel_rule.busy_share = 1; }},
      {"models", "0 given; allowed: 1..65535, or left out",
       [](auto& o) { o.models.clear(), o.groups.clear(); }},
      {"models[0].epcWords", "32 given; allowed: 1..31",
       [](auto& o) { o.models[0].epc_words = 32; }},
      {"models[0].writeUsPerWord", "20001 given; allowed: 0..20000",
       [](auto& o) { o.models[0].write_us_per_word = 20'001; }},
      {"groups[0].turnSeconds", "-2 given; allowed: 0.1..86400",
       [](auto& o) { o.groups[0].turn_seconds = -2; }},
      {"groups[0].tags[0].axis", "no length given; allowed: a direction, 1e-6..1e6 long",
       [](auto& o) { o.groups[0].tags[0].axis.emplace(); }},
      {"groups[0].tags[0].tid", "3 bytes given; allowed: an even number, 0..62",
       [](auto& o) { o.groups[0].tags[0].tid.resize(3); }},
      {"groups[0].tags[0].user", "4 bytes given; allowed: an even number, 0..2",
       [](auto& o) { o.models[0].user_words = 1, o.groups[0].tags[0].user.resize(4); }},
      {"groups[0].tags[0].model", "1 given; allowed: an index into the 1 models",
       [](auto& o) { o.groups[0].tags[0].model = 1; }},
      {"groups[0].tags[0].lock", "1024 given; allowed: 0..1023",
       [](auto& o) { o.groups[0].tags[0].lock = 1024; }},
      {"fading.kDb", "61 given; allowed: -20..60", [](auto& o) { o.fading = {.k_db = 61}; }},
      {"fading.holdMs", "0 given; allowed: 1..8.64e+07",
       [](auto& o) { o.fading = {.hold_ms = 0}; }},
      {"captureDb", "-1 given; allowed: 0..60", [](auto& o) { o.capture_db = -1; }},
      {"replyLoss", "1.5 given; allowed: 0..1", [](auto& o) { o.reply_loss = 1.5; }},
      {"qStep", "0.6 given; allowed: 0.1..0.5", [](auto& o) { o.q_step = 0.6; }},
  };
  for (const Wrong& wrong : cases) {
    CAPTURE(wrong.field);
    VirtualOptions options = test::field_of(1);
    wrong.change(options);
    const auto faults = check_virtual_options(options);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].field == wrong.field);
    CHECK(faults[0].message == wrong.message);
  }
}

TEST_CASE("one channel without a pause has no dwell to check") {
  VirtualOptions options = test::field_of(1);
  options.channel_rule.dwell_ms = 0;
  CHECK(check_virtual_options(options).empty());
}
