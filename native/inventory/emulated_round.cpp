#include "inventory/emulated_round.h"

#include <algorithm>
#include <set>

#include "inventory/tag_operations.h"

namespace singulate::inventory {

namespace {

using radio::AccessKind;
using radio::AccessOp;
using radio::Feature;
using radio::Features;
using radio::Support;

// Reads of one round that can wait; further ones are handed over with NO_TIME.
constexpr std::size_t kMostHeld = 4096;

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
  void begin_batch() override { sink_.begin_batch(); }
  void end_batch() override { sink_.end_batch(); }
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

radio::Result<radio::RoundResult> EmulatedRound::run(const radio::RoundRequest& request,
                                                     radio::RoundWatch* cut) {
  radio::RoundRequest round = request;
  if (cut != nullptr) round.watch = cut;
  const std::size_t done = in_round(request.access);
  round.access = request.access.first(done);
  const bool filters = request.min_rssi_cdbm &&
                       module_.capabilities().features.of(Feature::kRssiLimit) != Support::kNative;
  if (filters) round.min_rssi_cdbm.reset();
  if (done < request.access.size()) return run_with_rest(request, round);
  if (!filters) return module_.run_round(round, recorder_);
  Filter filter(recorder_, *request.min_rssi_cdbm);
  auto result = module_.run_round(round, filter);
  if (!result.ok()) return result;
  radio::RoundResult counted = result.value();
  counted.too_weak += filter.too_weak;
  return counted;
}

radio::Result<radio::RoundResult> EmulatedRound::run_with_rest(const radio::RoundRequest& request,
                                                               const radio::RoundRequest& round) {
  // What the holder keeps is delivered read by read.
  recorder_.end_batch();
  Holder holder(recorder_, round.watch);
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
    const radio::Status finished = do_operations(module_,
                                                 {.antenna = request.antenna,
                                                  .beam = request.beam,
                                                  .operations = request.access,
                                                  .deadline_ns = request.deadline_ns,
                                                  .watch = request.watch},
                                                 held.epc, held.results);
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

}  // namespace singulate::inventory
