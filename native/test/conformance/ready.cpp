#include "ready.h"

#include <algorithm>

namespace singulate::test {

namespace {

// A module that never says that no tag answers any more reads until the deadline.
constexpr std::uint64_t kStepNs = 500 * kMs;

}  // namespace

radio::VirtualOptions field_for_all() {
  auto field = field_of(kTags);
  field.models[0].user_words = 8;
  for (std::uint8_t i = 0; i < kTags; ++i) {
    field.groups[0].tags[i].tid = {0xE2, 0x80, 0x11, 0x60, 0, 0, 0, i};
    field.groups[0].tags[i].user = {0, 1, 0, 2, 0, 3, 0, i};
  }
  return field;
}

bool is_for_people(const radio::Error& error) {
  const std::string& text = error.message;
  return !text.empty() && text.find('\n') == std::string::npos && text.back() != '.';
}

Ready::Ready(const SubjectKind& kind, Findings& findings)
    : subject_(kind.make(field_for_all())), findings_(&findings) {
  const auto opened = module().open();
  findings.need(opened.ok(), "open(): " + opened.error().message);
  configure();
}

radio::RadioSettings Ready::settings() {
  const auto& radio = module().capabilities();
  const auto& profiles = radio.link_profiles;
  findings_->need(!profiles.empty() && !radio.antennas.empty(), "no link profile, or no antenna");
  const bool fast = std::find(profiles.begin(), profiles.end(), "FM0-640") != profiles.end();
  return {.link_profile = fast ? "FM0-640" : profiles.front(),
          .antennas = {{.port = radio.antennas.front(),
                        .transmit_power_cdbm = std::min(radio.max_transmit_power_cdbm, 3000)}}};
}

void Ready::configure() {
  const auto configured = module().configure(settings());
  findings_->need(configured.ok(), "configure(): " + configured.error().message);
}

radio::RoundRequest Ready::request() {
  return {.antenna = module().capabilities().antennas.front(),
          .deadline_ns = module().now_ns() + kLongNs};
}

radio::RoundRequest Ready::short_request() {
  constexpr std::uint64_t kShortNs = 200 * kMs;
  radio::RoundRequest result = request();
  result.deadline_ns = module().now_ns() + kShortNs;
  return result;
}

radio::RoundResult Ready::round(const radio::RoundRequest& request, radio::TagSink& sink) {
  const auto result = module().run_round(request, sink);
  if (!result.ok()) findings_->need(false, "run_round(): " + result.error().message);
  return result.value();
}

void Ready::read_all(Keeper& keeper, radio::RoundRequest request) {
  const std::uint64_t until = module().now_ns() + kLongNs;
  for (int i = 0; i < 1000 && epcs(keeper).size() < kTags && module().now_ns() < until; ++i) {
    request.deadline_ns = module().now_ns() + kStepNs;
    const radio::RoundEnd end = round(request, keeper).end;
    if (end != radio::RoundEnd::kComplete && end != radio::RoundEnd::kDeadline) break;
  }
}

Ready::ReadOnce Ready::read_once(Keeper& keeper, radio::RoundRequest request) {
  ReadOnce once;
  for (int i = 0; i < 1000 && epcs(keeper).size() < kTags && !once.cut; ++i) {
    request.deadline_ns = module().now_ns() + kStepNs;
    const radio::RoundResult result = round(request, keeper);
    if (once.first_command_ns == 0) once.first_command_ns = result.first_command_ns;
    once.cut = result.end != radio::RoundEnd::kComplete && epcs(keeper).size() < kTags;
  }
  return once;
}

void Ready::refused(const radio::RoundRequest& request, const char* what) {
  Keeper keeper;
  const auto result = module().run_round(request, keeper);
  const std::string field(what);
  findings_->need(!result.ok(), field + " is not refused");
  findings_->need(result.error().code == radio::ErrorCode::kNotSupported,
                  field + " is refused with another code than kNotSupported");
  findings_->need(is_for_people(result.error()), field + " is refused without a line for people");
  findings_->need(keeper.reads.empty(), field + " is refused, and tags are read");
}

std::set<Epc> Ready::epcs(const Keeper& keeper) {
  std::set<Epc> result;
  for (const auto& read : keeper.reads) result.insert(read.epc);
  return result;
}

Epc Ready::epc_of(std::uint8_t tag) {
  Epc epc(12, 0);
  epc[0] = 0x30;
  epc[11] = tag;
  return epc;
}

}  // namespace singulate::test
