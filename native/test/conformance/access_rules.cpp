#include <array>

#include "rules.h"

namespace singulate::test {

namespace {

using radio::AccessKind;
using radio::AccessOp;
using radio::AccessStatus;
using radio::Feature;
using radio::Support;

void check_selects(Ready& ready) {
  radio::SelectList list;
  gen2::Select one;
  one.target = gen2::SelectTarget::kSl;
  one.pointer = 0x20;
  for (const std::uint8_t byte : Ready::epc_of(3)) {
    for (unsigned bit = 8; bit-- > 0;) one.mask.append((byte >> bit & 1U) != 0);
  }
  list.selects = {one};
  auto request = ready.request();
  request.selects = &list;
  request.select_filter = gen2::SelectFilter::kSelected;
  Keeper keeper;
  for (int i = 0; i < 20 && keeper.reads.empty(); ++i) (void)ready.round(request, keeper);
  MUST(Ready::epcs(keeper) == std::set<Epc>{Ready::epc_of(3)});
}

void check_access(Ready& ready) {
  const std::vector<AccessOp> tid{{.kind = AccessKind::kRead, .word_count = 4}};
  auto request = ready.request();
  request.access = tid;
  Keeper keeper;
  ready.read_all(keeper, request);
  NEED(Ready::epcs(keeper).size() == kTags);
  for (const auto& read : keeper.reads) {
    NEED(read.access.size() == 1);
    MUST(read.access[0].status == AccessStatus::kDone);
    MUST(read.access[0].words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, read.epc.back()});
  }
  const std::vector<AccessOp> beyond{
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 90, .word_count = 1}};
  request.access = beyond;
  Keeper failed;
  ready.configure();
  for (int i = 0; i < 20 && failed.reads.empty(); ++i) {
    request.deadline_ns = ready.short_request().deadline_ns;
    (void)ready.round(request, failed);
  }
  NEED(!failed.reads.empty());
  MUST(failed.reads[0].access[0].status == AccessStatus::kTagError);
  MUST(failed.reads[0].access[0].error == gen2::TagError::kMemoryOverrun);
}

void check_tag_access(Ready& ready) {
  const Epc epc = Ready::epc_of(7);
  const Epc nobody = Ready::epc_of(77);
  const auto access = [&](const Epc& whom, const AccessOp& op) {
    const auto result = ready->access_tag({.antenna = ready->capabilities().antennas.front(),
                                           .epc = whom,
                                           .op = &op,
                                           .deadline_ns = ready->now_ns() + kLongNs});
    if (!result.ok()) ready.findings().need(false, "access_tag(): " + result.error().message);
    return result.value();
  };
  // A machine that is held up may miss a tag that is there.
  const auto done = [&](const Epc& whom, const AccessOp& op) {
    constexpr int kTries = 3;
    auto result = access(whom, op);
    for (int i = 1; i < kTries && result.status != AccessStatus::kDone; ++i) {
      result = access(whom, op);
    }
    return result;
  };
  // Its flags are no hindrance.
  Keeper keeper;
  (void)ready.round(ready.short_request(), keeper);
  const auto read = done(epc, {.kind = AccessKind::kRead, .word_count = 4});
  MUST(read.status == AccessStatus::kDone);
  MUST(read.words == std::vector<std::uint16_t>{0xE280, 0x1160, 0, 7});
  const auto written = done(
      epc,
      {.kind = AccessKind::kWrite, .bank = gen2::Bank::kUser, .word_pointer = 4, .words = {5, 6}});
  MUST(written.status == AccessStatus::kDone);
  MUST(written.words_written == 2);
  const auto back = done(
      epc,
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 3, .word_count = 3});
  MUST(back.words == std::vector<std::uint16_t>{7, 5, 6});
  MUST(access(nobody, {.kind = AccessKind::kRead, .word_count = 4}).status ==
       AccessStatus::kNoReply);
  // What it has not written elsewhere: one tag alone was meant.
  const auto other = done(
      Ready::epc_of(8),
      {.kind = AccessKind::kRead, .bank = gen2::Bank::kUser, .word_pointer = 4, .word_count = 1});
  MUST(other.words == std::vector<std::uint16_t>{0});
}

void check_refusals(Ready& ready) {
  const auto& features = ready->capabilities().features;
  if (features.of(Feature::kRssiLimit) != Support::kNative) {
    auto request = ready.request();
    request.min_rssi_cdbm = -5000;
    ready.refused(request, "an RSSI limit");
  }
  if (!features.has(Feature::kBeams)) {
    auto request = ready.request();
    request.beam = 1;
    ready.refused(request, "a beam");
  }
  if (features.of(Feature::kSeveralAccess) != Support::kNative) {
    auto request = ready.request();
    const std::vector<AccessOp> many(features.access_in_round + 1,
                                     {.kind = AccessKind::kRead, .word_count = 1});
    request.access = many;
    ready.refused(request, "too many operations");
  }
  if (features.of(Feature::kLockAndKill) != Support::kNative) {
    auto request = ready.request();
    const std::vector<AccessOp> kill{{.kind = AccessKind::kKill, .password = 1}};
    request.access = kill;
    ready.refused(request, "a kill");
  }
  radio::SelectList list;
  gen2::Select select;
  select.target = gen2::SelectTarget::kSl;
  list.selects.assign(features.most_selects + 1, select);
  auto request = ready.request();
  request.selects = &list;
  request.select_filter = gen2::SelectFilter::kSelected;
  ready.refused(request, "too many selects");
  if (features.filter_follows_selects) {
    auto other = ready.request();
    other.select_filter = gen2::SelectFilter::kNotSelected;
    if (!ready.recorded()) ready.refused(other, "another Sel than the selects ask for");
  }
  // And works on.
  ready.configure();
  Keeper keeper;
  ready.read_all(keeper, ready.request());
  MUST(Ready::epcs(keeper).size() == kTags);
}

constexpr std::array kAccessRules{
    Rule{"selects choose tags", check_selects, with_selects},
    Rule{"an operation is done on each tag of a round", check_access, with_access},
    Rule{"one tag is found again for an operation", check_tag_access, with_access},
    Rule{"what it cannot do is refused, and does no harm", check_refusals, always},
};

}  // namespace

std::span<const Rule> access_rules() { return kAccessRules; }

}  // namespace singulate::test
