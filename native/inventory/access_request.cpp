#include "inventory/access_request.h"

#include <algorithm>
#include <string>
#include <utility>

#include "inventory/check.h"
#include "inventory/tag_operations.h"
#include "radio/tag_select.h"

namespace singulate::inventory {

namespace {

using radio::ErrorCode;
using End = AccessOutcome::End;

constexpr std::int64_t kMostTimeoutMs = 60'000;
constexpr std::size_t kMostOperations = 32;
constexpr std::size_t kMostEpcBytes = 62;
constexpr std::int32_t kUsualPowerCdbm = 2700;
constexpr std::uint32_t kFirstEpcBit = 32;
constexpr std::uint8_t kNothingElseDeassert = 2;
// On an antenna before the next one has its turn.
constexpr std::uint64_t kSliceNs = 250'000'000;

void check_match(const TagMatch& match, const radio::Features& features, Check& check) {
  const std::size_t bytes = match.epc.size();
  if (bytes > kMostEpcBytes || bytes % 2 != 0) {
    check.violation("tag.epc", std::to_string(bytes) +
                                   " bytes given; allowed: an even number, 2.." +
                                   std::to_string(kMostEpcBytes));
  }
  if (bytes > 0) {
    if (match.mask.bits > 0) {
      check.violation("tag.length", "given with an EPC; allowed: either of them");
    }
    return;
  }
  if (match.mask.bits == 0) {
    check.violation("tag.length", "0 given; allowed: 1..255 bits, or an EPC");
  }
  if (match.bank == gen2::Bank::kReserved) {
    check.violation("tag.bank", "RESERVED given; allowed: EPC, TID, USER");
  }
  const bool by_host = match.bank == gen2::Bank::kEpc && match.pointer >= kFirstEpcBit;
  if (!features.has(radio::Feature::kSelects) && !by_host) {
    check.violation("tag.bank",
                    "given; allowed: EPC with a pointer from 32, on this radio without selects");
  }
}

void check_ports(const AccessRequest& request, const radio::Capabilities& radio,
                 const InventoryPlan* running, Check& check) {
  std::vector<std::int64_t> allowed;
  if (running != nullptr) {
    for (const InventoryPlan::Antenna& antenna : running->antennas) {
      const bool there = std::find(allowed.begin(), allowed.end(), antenna.port) != allowed.end();
      if (!there) allowed.push_back(antenna.port);
    }
  } else {
    allowed.assign(radio.antennas.begin(), radio.antennas.end());
  }
  for (std::size_t i = 0; i < request.ports.size(); ++i) {
    const std::string field = "antennas[" + std::to_string(i) + "]";
    const std::int64_t port = request.ports[i];
    const auto here = request.ports.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(allowed.begin(), allowed.end(), port) == allowed.end()) {
      check.violation(
          field, std::to_string(port) + " given; allowed: " + joined(allowed, [](std::int64_t one) {
                   return std::to_string(one);
                 }) + (running != nullptr ? ", of the running inventory" : ""));
    } else if (std::find(request.ports.begin(), here, port) != here) {
      check.violation(field, std::to_string(port) + " given twice; allowed: each antenna once");
    }
  }
}

// Bits of a mask that lie in the EPC as it was backscattered. Nothing: some do not.
std::optional<bool> mask_matches(const TagMatch& match, std::span<const std::uint8_t> epc) {
  if (match.bank != gen2::Bank::kEpc || match.pointer < kFirstEpcBit) return std::nullopt;
  const std::size_t from = match.pointer - kFirstEpcBit;
  if (from + match.mask.bits > epc.size() * 8) return std::nullopt;
  for (unsigned i = 0; i < match.mask.bits; ++i) {
    const std::size_t at = from + i;
    const bool one = (static_cast<unsigned>(epc[at / 8]) >> (7U - at % 8U) & 1U) != 0;
    if (one != match.mask.bit(i)) return false;
  }
  return true;
}

// What the module's selects have let through is compared again where the EPC tells it: they may be
// fewer than it takes, or none.
class FirstMatch final : public radio::TagSink {
 public:
  FirstMatch(const TagMatch& match, bool selected) : match_(match), selected_(selected) {}

  bool on_read(const radio::TagRead& read) override {
    if (found || !matches(read.epc)) return !found;
    found = true;
    epc.assign(read.epc.begin(), read.epc.end());
    rssi_cdbm = read.rssi_cdbm;
    return false;
  }

  bool found = false;
  std::vector<std::uint8_t> epc;
  std::int16_t rssi_cdbm = 0;

 private:
  [[nodiscard]] bool matches(std::span<const std::uint8_t> read) const {
    if (!match_.epc.empty())
      return std::equal(read.begin(), read.end(), match_.epc.begin(), match_.epc.end());
    return mask_matches(match_, read).value_or(selected_);
  }

  const TagMatch& match_;
  const bool selected_;
};

gen2::Select select_for_mask(const TagMatch& match) {
  return {.target = gen2::SelectTarget::kSl,
          .action = 0,
          .bank = match.bank,
          .pointer = match.pointer,
          .mask = match.mask};
}

radio::SelectList selects_for(const TagMatch& match, const radio::Features& features) {
  if (match.epc.empty()) return {.selects = {select_for_mask(match)}};
  std::vector<gen2::Select> selects = radio::selects_for_epc(match.epc);
  const bool fit = selects.size() <= features.most_selects && !features.only_asserts_sl;
  if (!fit) selects = {radio::select_for_begin(match.epc)};
  return {.selects = std::move(selects)};
}

// The EPC says nothing of the other banks: several tags may have it, as new ones do.
std::vector<gen2::Select> beside_epc(const TagMatch& match) {
  if (!match.epc.empty() || match.bank == gen2::Bank::kEpc) return {};
  gen2::Select select = select_for_mask(match);
  select.action = kNothingElseDeassert;
  return {select};
}

// Nothing: it is there, or cannot be lost.
std::optional<AccessOutcome> lost(const radio::RadioModule& module) {
  const auto link = module.link();
  if (!link || link->connected) return std::nullopt;
  return AccessOutcome{
      .end = End::kFailed,
      .error = {ErrorCode::kModule, "the radio module is not connected: " + link->fault}};
}

// A module that is lost would be looked for until the end of the round.
class WhileThere final : public radio::RoundWatch {
 public:
  WhileThere(const radio::RadioModule& module, radio::RoundWatch& inner)
      : module_(module), inner_(inner) {}
  bool goes_on() override { return inner_.goes_on() && !lost(module_); }

 private:
  const radio::RadioModule& module_;
  radio::RoundWatch& inner_;
};

AccessOutcome operate(radio::RadioModule& module, const AccessRequest& request,
                      const AccessTurn& turn, const radio::RadioSettings::Antenna& antenna,
                      const FirstMatch& tag) {
  AccessOutcome outcome{
      .end = End::kDone, .epc = tag.epc, .antenna = antenna.port, .rssi_cdbm = tag.rssi_cdbm};
  const auto also = beside_epc(request.match);
  const auto done = do_operations(module,
                                  {.antenna = antenna.port,
                                   .beam = antenna.beam,
                                   .operations = request.operations,
                                   .also = also,
                                   .deadline_ns = turn.deadline_ns,
                                   .watch = &turn.operate},
                                  tag.epc, outcome.results);
  if (!done.ok()) return {.end = End::kFailed, .error = done.error()};
  if (auto away = lost(module)) return *std::move(away);
  outcome.results.resize(request.operations.size(), {.status = radio::AccessStatus::kNoTime});
  return outcome;
}

radio::RadioSettings settings_for(const AccessRequest& request, const radio::Capabilities& radio) {
  const auto power = static_cast<std::int32_t>(request.transmit_power_cdbm.value_or(
      std::min(kUsualPowerCdbm, radio.max_transmit_power_cdbm)));
  radio::RadioSettings settings;
  settings.link_profile = radio.link_profiles.front();
  const auto add = [&](std::uint8_t port) {
    settings.antennas.push_back({.port = port, .transmit_power_cdbm = power});
  };
  for (const std::int64_t port : request.ports) add(static_cast<std::uint8_t>(port));
  if (request.ports.empty()) std::for_each(radio.antennas.begin(), radio.antennas.end(), add);
  return settings;
}

}  // namespace

std::vector<Violation> validate(const AccessRequest& request, const radio::Capabilities& radio,
                                const InventoryPlan* running) {
  Check check;
  check_match(request.match, radio.features, check);
  check_ports(request, radio, running, check);
  if (request.transmit_power_cdbm && running != nullptr) {
    check.violation("transmit_power_cdbm",
                    std::to_string(*request.transmit_power_cdbm) +
                        " given; allowed: none while an inventory runs, whose plan has the powers");
  } else if (request.transmit_power_cdbm) {
    check.range("transmit_power_cdbm", *request.transmit_power_cdbm, radio.min_transmit_power_cdbm,
                radio.max_transmit_power_cdbm);
  }
  const std::size_t count = request.operations.size();
  if (count < 1 || count > kMostOperations) {
    check.violation("operations", std::to_string(count) + " given; allowed: 1.." +
                                      std::to_string(kMostOperations));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string field = "operations[" + std::to_string(i) + "]";
    const radio::AccessOp& op = request.operations[i];
    const bool opens_nothing = i + 1 == count && op.kind == radio::AccessKind::kAccess;
    if (opens_nothing) {
      check.violation(field + ".kind", "ACCESS given; allowed: before another operation");
    }
    check_operation(op, field, false, radio.features, check);
  }
  check.range("timeout_ms", request.timeout_ms, 1, kMostTimeoutMs);
  return check.take();
}

std::optional<AccessOutcome> look_once(radio::RadioModule& module, const AccessRequest& request,
                                       const AccessTurn& turn) {
  const radio::Features& features = module.capabilities().features;
  const bool selects = features.has(radio::Feature::kSelects);
  const radio::SelectList list =
      selects ? selects_for(request.match, features) : radio::SelectList{};
  WhileThere search(module, turn.search);
  for (const radio::RadioSettings::Antenna& antenna : turn.antennas) {
    const std::uint64_t now = module.now_ns();
    if (now >= turn.deadline_ns || !turn.search.goes_on()) return std::nullopt;
    if (auto away = lost(module)) return away;
    FirstMatch tag(request.match, selects);
    const auto round = module.run_round(
        {.antenna = antenna.port,
         .beam = antenna.beam,
         .session = gen2::Session::kS0,
         .select_filter = selects ? gen2::SelectFilter::kSelected : gen2::SelectFilter::kAll,
         .selects = selects ? &list : nullptr,
         .tag_population = 0,
         .deadline_ns = turn.deadline_ns - now < kSliceNs ? turn.deadline_ns : now + kSliceNs,
         .watch = &search,
         .stops_behind = true},
        tag);
    if (!round.ok()) return AccessOutcome{.end = End::kFailed, .error = round.error()};
    if (tag.found) return operate(module, request, turn, antenna, tag);
    if (auto away = lost(module)) return away;
    if (round.value().end == radio::RoundEnd::kInterrupted) return AccessOutcome{};
  }
  return std::nullopt;
}

AccessOutcome run_access(radio::RadioModule& module, const AccessRequest& request,
                         std::chrono::nanoseconds time, radio::RoundWatch& search,
                         radio::RoundWatch& operate) {
  const radio::RadioSettings settings = settings_for(request, module.capabilities());
  if (const auto set = module.configure(settings); !set.ok()) {
    return {.end = End::kFailed, .error = set.error()};
  }
  const std::uint64_t deadline_ns = module.now_ns() + static_cast<std::uint64_t>(time.count());
  AccessOutcome outcome;
  for (;;) {
    auto looked = look_once(module, request,
                            {.antennas = settings.antennas,
                             .deadline_ns = deadline_ns,
                             .search = search,
                             .operate = operate});
    if (looked) {
      outcome = *std::move(looked);
      break;
    }
    if (!search.goes_on()) break;
    if (module.now_ns() >= deadline_ns) {
      outcome.end = End::kNotFound;
      break;
    }
  }
  // The carrier off: a module that reads on by itself would go on.
  (void)module.idle_until(module.now_ns());
  return outcome;
}

}  // namespace singulate::inventory
