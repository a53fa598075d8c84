#include "inventory/prediction.h"

#include <algorithm>
#include <cmath>

#include "gen2/any_command.h"
#include "gen2/ceiling.h"
#include "gen2/link_timing.h"
#include "gen2/portable_math.h"
#include "gen2/replies.h"

namespace singulate::inventory {

namespace {

using gen2::LinkTiming;
using gen2::Picoseconds;
using radio::AccessKind;
using radio::AccessOp;

// Off, a pause, on again: what a fresh carrier costs (reference section 2.3).
constexpr double kCarrierUs = 2500;
constexpr Picoseconds kWritePerWord = 800'000'000;
// Random words have half their bits one.
constexpr std::uint16_t kTypicalWord = 0x00FF;
constexpr unsigned kHandleBits = 32;
constexpr unsigned kDoneBits = 33;
constexpr unsigned kUnknownPopulation = 100;

double us(Picoseconds time) { return static_cast<double>(time) / 1e6; }

// Words that a read to the end of a bank is reckoned with.
unsigned usual_words(gen2::Bank bank, unsigned epc_words) {
  switch (bank) {
    case gen2::Bank::kEpc:
      return 2 + epc_words;
    case gen2::Bank::kTid:
      return 6;
    default:
      return 4;
  }
}

class Costs {
 public:
  Costs(const gen2::LinkProfile& profile, gen2::Session session, unsigned epc_words)
      : profile_(profile), link_(profile), session_(session), epc_words_(epc_words) {}

  [[nodiscard]] double empty() const { return us(query_rep() + link_.silence()); }
  [[nodiscard]] double collided() const { return us(query_rep() + link_.listen(16)); }
  [[nodiscard]] double single() const {
    return collided() + us(command(gen2::Ack{kTypicalWord}) +
                           link_.listen(gen2::epc_reply_bits(std::size_t{epc_words_} * 2)));
  }
  [[nodiscard]] double query() const {
    return us(link_.query_time(gen2::encode(gen2::Query{.divide_ratio = profile_.divide_ratio,
                                                        .coding = profile_.coding,
                                                        .session = session_,
                                                        .q = 3})));
  }
  [[nodiscard]] double round_end() const { return us(query_rep() + link_.silence()); }
  [[nodiscard]] double selects(const InventoryPlan::Antenna& antenna, std::int64_t delay_us) const {
    if (antenna.selects.empty()) return 0;
    Picoseconds sum = 0;
    for (const gen2::Select& select : antenna.selects) {
      sum += link_.command_time(gen2::encode(select)) + link_.t4();
    }
    return us(sum - link_.t4()) + std::max(static_cast<double>(delay_us), us(link_.t4()));
  }
  [[nodiscard]] double access(const std::vector<AccessOp>& operations) const {
    if (operations.empty()) return 0;
    Picoseconds sum = handle_step();
    for (const AccessOp& operation : operations) sum += step(operation);
    return us(sum);
  }

 private:
  [[nodiscard]] Picoseconds query_rep() const {
    return link_.command_time(gen2::encode(gen2::QueryRep{.session = session_}));
  }
  [[nodiscard]] Picoseconds command(const gen2::AnyCommand& any) const {
    return link_.command_time(gen2::encode(any));
  }
  // Req_RN and the word that it gives.
  [[nodiscard]] Picoseconds handle_step() const {
    return command(gen2::ReqRn{kTypicalWord}) + link_.listen(kHandleBits);
  }
  [[nodiscard]] Picoseconds step(const AccessOp& operation) const {
    const auto words = static_cast<unsigned>(operation.words.size());
    switch (operation.kind) {
      case AccessKind::kRead: {
        const unsigned count = operation.word_count == 0 ? usual_words(operation.bank, epc_words_)
                                                         : operation.word_count;
        return command(gen2::Read{.bank = operation.bank,
                                  .word_pointer = operation.word_pointer,
                                  .word_count = operation.word_count,
                                  .handle = kTypicalWord}) +
               link_.listen(kDoneBits + 16 * count);
      }
      case AccessKind::kWrite:
        return words * (handle_step() +
                        command(gen2::Write{.bank = operation.bank,
                                            .word_pointer = operation.word_pointer,
                                            .covered_data = kTypicalWord,
                                            .handle = kTypicalWord}) +
                        link_.listen_delayed(kDoneBits, kWritePerWord));
      case AccessKind::kAccess:
        return 2 * (handle_step() +
                    command(gen2::Access{.covered_half = kTypicalWord, .handle = kTypicalWord}) +
                    link_.listen(kHandleBits));
      case AccessKind::kKill:
        return 2 * (handle_step() +
                    command(gen2::Kill{.covered_half = kTypicalWord, .handle = kTypicalWord})) +
               link_.listen(kHandleBits) + link_.listen_delayed(kDoneBits, kWritePerWord);
      case AccessKind::kLock:
        return command(gen2::Lock{.payload = operation.lock, .handle = kTypicalWord}) +
               link_.listen_delayed(kDoneBits, kWritePerWord);
      default: {
        gen2::BlockWrite block{
            .bank = operation.bank, .word_pointer = operation.word_pointer, .handle = kTypicalWord};
        for (const std::uint16_t word : operation.words)
          block.data.words[block.data.count++] = word;
        return command(block) + link_.listen_delayed(kDoneBits, words * kWritePerWord);
      }
    }
  }

  const gen2::LinkProfile& profile_;
  LinkTiming link_;
  gen2::Session session_;
  unsigned epc_words_;
};

// Of a round that its deadline cuts: what is read until then. `each_us`: a tag with all that it
// costs in empty and collided slots.
double reads_until(double us, double each_us, const AntennaPrediction& round, double query_us,
                   double end_us) {
  // A tag is not acknowledged any more when its slot could not be over in time. At a random moment
  // the slot of a tag has half its length to go, with the probability that it is in one.
  const double lost_us = round.read_us * round.read_us / each_us / 2 + end_us;
  const double left_us = us - round.selects_us - query_us - lost_us;
  return std::clamp(left_us / each_us, 0.0, static_cast<double>(round.tags));
}

void predict_visit(const InventoryPlan& plan, const InventoryPlan::Antenna& antenna,
                   const Costs& costs, double each_us, AntennaPrediction& to) {
  const bool ab = antenna.query.target == InventoryPlan::Query::kBothTargets;
  // Only a single antenna with A and B in turns leaves its carrier on.
  const double carrier = ab && plan.antennas.size() == 1 ? 0 : kCarrierUs;
  const InventoryPlan::Dwell& dwell = antenna.dwell;
  double rounds = dwell.rounds > 0 ? static_cast<double>(dwell.rounds) : 0;
  double limit = static_cast<double>(dwell.duration_ms) * 1e3;
  if (dwell.rounds == 0 && dwell.duration_ms == 0) {
    rounds = 1;
    limit = 1e6 / static_cast<double>(plan.antennas.size());
  }
  const double all = carrier + rounds * to.round_us;
  const bool cut = limit > 0 && (rounds == 0 || all > limit);
  to.visit_us = cut ? limit : all;
  // Tags that were read are silent in a further round for the same flag.
  const double possible = ab ? rounds : std::min(1.0, rounds);
  if (!cut) {
    to.reads = to.tags * possible;
    return;
  }
  const double time = std::max(0.0, limit - carrier);
  double whole = std::floor(time / to.round_us);
  if (!ab) whole = std::min(whole, 1.0);
  const double rest = time - whole * to.round_us;
  const bool more = ab || whole == 0;
  to.reads = whole * to.tags;
  if (more) to.reads += reads_until(rest, each_us, to, costs.query(), costs.round_end());
}

}  // namespace

std::optional<Prediction> predict(const InventoryPlan& plan, const std::string& default_profile,
                                  std::uint32_t tags, unsigned epc_words) {
  Prediction result;
  result.link_profile = plan.link_profile.empty() ? default_profile : plan.link_profile;
  const gen2::LinkProfile* profile = gen2::find_link_profile(result.link_profile);
  if (profile == nullptr) return std::nullopt;
  for (const InventoryPlan::Antenna& antenna : plan.antennas) {
    const Costs costs(*profile, static_cast<gen2::Session>(antenna.query.session), epc_words);
    AntennaPrediction one;
    const auto known = static_cast<std::uint32_t>(antenna.query.tag_population);
    one.tags = tags > 0 ? tags : known > 0 ? known : kUnknownPopulation;
    one.selects_us = costs.selects(antenna, plan.delay_after_selects_us);
    one.access_us_per_tag = costs.access(antenna.access);
    one.read_us = costs.single() + one.access_us_per_tag;
    const gen2::Ceiling ceiling = gen2::ceiling(costs.empty(), costs.collided(), costs.single());
    result.ceiling_per_second = ceiling.tags_per_second;
    // The last tag has nobody left to collide with.
    const double each = 1e6 / ceiling.tags_per_second + one.access_us_per_tag;
    one.round_us =
        one.selects_us + costs.query() + (one.tags - 1) * each + one.read_us + costs.round_end();
    predict_visit(plan, antenna, costs, each, one);
    result.antennas.push_back(one);
  }
  return result;
}

}  // namespace singulate::inventory
