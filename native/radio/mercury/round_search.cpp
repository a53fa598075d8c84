#include "radio/mercury/round_search.h"

#include <utility>

#include "radio/mercury/access_command.h"
#include "radio/mercury/codes.h"

namespace singulate::radio::mercury {

namespace {

// RSSI, antenna, frequency, time, phase: what a read is made of.
constexpr std::uint16_t kFields = metadata::kRssi | metadata::kAntenna | metadata::kFrequency |
                                  metadata::kTime | metadata::kPhase;

std::uint8_t bank_number(gen2::Bank bank) { return static_cast<std::uint8_t>(bank); }

}  // namespace

std::optional<SelectSpec> spec_of(const gen2::Select& select) {
  if (select.truncate) return std::nullopt;
  SelectSpec spec;
  switch (select.bank) {
    case gen2::Bank::kEpc:
      spec.kind = SelectKind::kEpcBank;
      break;
    case gen2::Bank::kTid:
      spec.kind = SelectKind::kTid;
      break;
    case gen2::Bank::kUser:
      spec.kind = SelectKind::kUser;
      break;
    default:
      return std::nullopt;
  }
  spec.bit_pointer = select.pointer;
  spec.bit_length = select.mask.bits;
  const auto bytes = (select.mask.bits + 7U) / 8U;
  spec.mask.assign(select.mask.bytes.begin(), select.mask.bytes.begin() + bytes);
  spec.target = static_cast<std::uint8_t>(select.target);
  spec.action = select.action;
  return spec;
}

AccessResult access_result(const AccessOp& operation, std::uint16_t status,
                           std::span<const std::uint8_t> data) {
  AccessResult result;
  switch (status) {
    case status::kSuccess:
      result.status = AccessStatus::kDone;
      result.words_written = static_cast<std::uint8_t>(operation.words.size());
      for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
        result.words.push_back(static_cast<std::uint16_t>(data[i] << 8U | data[i + 1]));
      }
      return result;
    case status::kMemoryOverrun:
      result.error = gen2::TagError::kMemoryOverrun;
      break;
    case status::kLocked:
      result.error = gen2::TagError::kMemoryLocked;
      break;
    case status::kLowTagPower:
      result.error = gen2::TagError::kInsufficientPower;
      break;
    case status::kGen2Other:
    case status::kNonSpecific:
    case status::kUnknownError:
      result.error = gen2::TagError::kOther;
      break;
    default:
      result.status = AccessStatus::kNoReply;
      return result;
  }
  result.status = AccessStatus::kTagError;
  return result;
}

std::vector<std::uint8_t> bytes_of_words(std::span<const std::uint16_t> words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint16_t word : words) {
    bytes.push_back(static_cast<std::uint8_t>(word >> 8U));
    bytes.push_back(static_cast<std::uint8_t>(word & 0xFFU));
  }
  return bytes;
}

Result<SearchRequest> search_for(const RoundRequest& request, const SearchForm& form) {
  SearchRequest search;
  search.flags = search_flag::kConfiguredAntennas | search_flag::kLargeCount;
  if (form.round_summaries) {
    search.flags = static_cast<std::uint16_t>(search.flags | search_flag::kRoundSummaries);
  }
  if (form.asynchronous) search.flags = search_flag::kHeartbeat;
  if (form.temperature) search.statistics = statistic::kTemperature;
  search.timeout_ms = static_cast<std::uint16_t>(form.on_cycle.count());
  const auto fields =
      static_cast<std::uint16_t>(kFields | (form.pins ? metadata::kGpio : std::uint16_t{0}));
  search.metadata = fields;
  search.select.multi = form.multi_select;
  if (request.selects != nullptr) {
    for (const gen2::Select& select : request.selects->selects) {
      auto spec = spec_of(select);
      if (!spec) return not_supported("a select that truncates, or of another bank");
      // The plain form asserts SL on what matches, or inverted on what does not.
      constexpr std::uint8_t kOpposite = 4;
      spec->invert = !form.multi_select && spec->action == kOpposite;
      search.select.selects.push_back(*std::move(spec));
    }
  }
  if (search.select.selects.size() > kMostSelects) return not_supported("more than three selects");
  auto access = request.access;
  if (!access.empty() && access.front().kind == AccessKind::kAccess) {
    search.select.access_password = access.front().password;
    access = access.subspan(1);
    // Whether the tag took it would not be told.
    if (access.empty()) return not_supported("an access password with no operation after it");
  }
  if (access.empty()) return search;
  if (access.size() > 1) return not_supported("more than one access operation");
  const AccessOp& operation = access.front();
  EmbeddedOp embedded;
  if (operation.kind == AccessKind::kRead) {
    ReadCommand read{.timeout_ms = kAccessTimeoutMs,
                     .bank = bank_number(operation.bank),
                     .word_address = operation.word_pointer,
                     .words = operation.word_count};
    read.select.multi = false;
    embedded = {.opcode = op::kReadData, .data = encode(read)};
  } else if (operation.kind == AccessKind::kWrite) {
    WriteCommand write{.timeout_ms = kAccessTimeoutMs,
                       .word_address = operation.word_pointer,
                       .bank = bank_number(operation.bank)};
    write.select.multi = false;
    write.data = bytes_of_words(operation.words);
    embedded = {.opcode = op::kWriteData, .data = encode(write)};
  } else {
    return not_supported("lock, kill and block write while reading");
  }
  search.metadata = static_cast<std::uint16_t>(fields | metadata::kData);
  search.embedded = std::move(embedded);
  return search;
}

}  // namespace singulate::radio::mercury
