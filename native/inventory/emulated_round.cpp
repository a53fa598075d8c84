#include "inventory/emulated_round.h"

#include <algorithm>
#include <set>

namespace singulate::inventory {

namespace {

using radio::AccessKind;
using radio::AccessOp;
using radio::AccessResult;
using radio::AccessStatus;
using radio::Feature;
using radio::Features;
using radio::Support;

// Reads of one round that can wait; further ones are handed over with NO_TIME.
constexpr std::size_t kMostHeld = 4096;

bool has_written(const AccessOp& op, const AccessResult& result) {
  const bool write = op.kind == AccessKind::kWrite || op.kind == AccessKind::kBlockWrite;
  return write && op.bank == gen2::Bank::kEpc && result.words_written > 0;
}

// The EPC of a tag whose bank was written: the next operation must find it by this one.
void write_into(std::vector<std::uint8_t>& epc, const AccessOp& op, std::size_t words) {
  constexpr std::size_t kPcWord = 1;
  constexpr std::size_t kFirstEpcWord = 2;
  constexpr unsigned kLengthShift = 11;
  for (std::size_t i = 0; i < words && i < op.words.size(); ++i) {
    const std::size_t at = op.word_pointer + i;
    const std::uint16_t word = op.words[i];
    if (at == kPcWord) epc.resize(2 * (static_cast<std::size_t>(word) >> kLengthShift));
    if (at < kFirstEpcWord || 2 * (at - kFirstEpcWord) + 1 >= epc.size()) continue;
    epc[2 * (at - kFirstEpcWord)] = static_cast<std::uint8_t>(word >> 8U);
    epc[2 * (at - kFirstEpcWord) + 1] = static_cast<std::uint8_t>(word & 0xFFU);
  }
}

}  // namespace

// Leaves out what is too weak.
class EmulatedRound::Filter final : public radio::TagSink {
 public:
  Filter(radio::TagSink& sink, std::int16_t limit) : sink_(sink), limit_(limit) {}
  bool on_read(const radio::TagRead& read) override {
    if (read.rssi_cdbm >= limit_) return sink_.on_read(read);
    ++too_weak;
    return true;
  }
  std::uint64_t too_weak = 0;

 private:
  radio::TagSink& sink_;
  const std::int16_t limit_;
};

// Keeps the reads of a round, and ends it when no further tag is wanted.
class EmulatedRound::Holder final : public radio::TagSink, public radio::RoundWatch {
 public:
  Holder(const Recorder& recorder, radio::RoundWatch* watch) : recorder_(recorder), watch_(watch) {}

  bool on_read(const radio::TagRead& read) override {
    Held held{.read = read,
              .epc = {read.epc.begin(), read.epc.end()},
              .results = {read.access.begin(), read.access.end()}};
    if (recorder_.is_new(read.epc)) new_epcs_.insert(held.epc);
    reads.push_back(std::move(held));
    return true;
  }
  bool goes_on() override {
    if (reads.size() >= kMostHeld || recorder_.has_enough(new_epcs_.size())) return false;
    return watch_ == nullptr || watch_->goes_on();
  }
  std::vector<Held> reads;

 private:
  const Recorder& recorder_;
  radio::RoundWatch* watch_;
  std::set<std::vector<std::uint8_t>> new_epcs_;
};

std::size_t EmulatedRound::in_round(std::span<const AccessOp> access) const {
  const Features& features = module_.capabilities().features;
  if (features.of(Feature::kSeveralAccess) == Support::kNative) return access.size();
  std::size_t done = 0;
  std::size_t operations = 0;
  for (; done < access.size(); ++done) {
    const AccessOp& one = access[done];
    if (one.kind == AccessKind::kAccess && done == 0) continue;
    const bool possible = one.kind != AccessKind::kAccess &&
                          features.of(radio::feature_of(one.kind)) == Support::kNative;
    if (!possible || ++operations > features.access_in_round) break;
  }
  // A password alone does nothing.
  return operations == 0 ? 0 : done;
}

radio::Result<radio::RoundResult> EmulatedRound::run(const radio::RoundRequest& request) {
  radio::RoundRequest round = request;
  const std::size_t done = in_round(request.access);
  round.access = request.access.first(done);
  const bool filters = request.min_rssi_cdbm &&
                       module_.capabilities().features.of(Feature::kRssiLimit) != Support::kNative;
  if (filters) round.min_rssi_cdbm.reset();
  if (done < request.access.size()) return run_with_rest(request, round, done);
  if (!filters) return module_.run_round(round, recorder_);
  Filter filter(recorder_, *request.min_rssi_cdbm);
  auto result = module_.run_round(round, filter);
  if (!result.ok()) return result;
  radio::RoundResult counted = result.value();
  counted.too_weak += filter.too_weak;
  return counted;
}

radio::Result<radio::RoundResult> EmulatedRound::run_with_rest(const radio::RoundRequest& request,
                                                               const radio::RoundRequest& round,
                                                               std::size_t done) {
  Holder holder(recorder_, request.watch);
  constexpr std::int16_t kNoLimit = INT16_MIN;
  const bool filters = request.min_rssi_cdbm && !round.min_rssi_cdbm;
  Filter filter(holder, filters ? *request.min_rssi_cdbm : kNoLimit);
  radio::RoundRequest first = round;
  first.watch = &holder;
  first.stops_behind = true;
  auto result = module_.run_round(first, filter);
  if (!result.ok()) return result;
  radio::RoundResult counted = result.value();
  counted.too_weak += filter.too_weak;
  for (Held& held : holder.reads) {
    const radio::Status finished = finish(request, done, held);
    held.read.epc = held.epc;
    held.read.access = held.results;
    if (!recorder_.on_read(held.read)) {
      counted.end = radio::RoundEnd::kInterrupted;
      return counted;
    }
    if (!finished.ok()) return finished.error();
  }
  return counted;
}

radio::Status EmulatedRound::finish(const radio::RoundRequest& request, std::size_t done,
                                    Held& held) {
  std::uint32_t password = 0;
  bool answers = true;
  std::vector<std::uint8_t> epc = held.epc;
  for (std::size_t i = 0; i < held.results.size(); ++i) {
    const AccessResult& result = held.results[i];
    answers = answers && result.status != AccessStatus::kNoReply;
    if (has_written(request.access[i], result)) {
      write_into(epc, request.access[i], result.words_written);
    }
  }
  // The password that the round has given holds for what follows.
  if (done > 0 && request.access.front().kind == AccessKind::kAccess) {
    password = request.access.front().password;
  }
  // Passwords whose outcome the next operation tells.
  std::vector<std::size_t> open;
  for (std::size_t i = done; i < request.access.size(); ++i) {
    const AccessOp& op = request.access[i];
    held.results.push_back({.status = answers ? AccessStatus::kNoTime : AccessStatus::kSkipped});
    if (!answers) continue;
    if (op.kind == AccessKind::kAccess) {
      password = op.password;
      open.push_back(i);
      continue;
    }
    if (request.watch != nullptr && !request.watch->goes_on()) return {};
    auto result = module_.access_tag({.antenna = request.antenna,
                                      .beam = request.beam,
                                      .epc = epc,
                                      .password = password,
                                      .op = &op,
                                      .deadline_ns = request.deadline_ns,
                                      .watch = request.watch});
    if (!result.ok()) return result.error();
    held.results[i] = result.value();
    if (has_written(op, result.value())) write_into(epc, op, result.value().words_written);
    const AccessStatus status = result.value().status;
    answers = status != AccessStatus::kNoReply;
    for (const std::size_t at : open) {
      held.results[at].status = status == AccessStatus::kNoReply || status == AccessStatus::kNoTime
                                    ? status
                                    : AccessStatus::kDone;
    }
    open.clear();
  }
  return {};
}

}  // namespace singulate::inventory
