// Operations of the driver on one tag.
#include <algorithm>

#include "gen2/units.h"
#include "radio/mercury/access_command.h"
#include "radio/mercury/byte_writer.h"
#include "radio/mercury/codes.h"
#include "radio/mercury/mercury_radio.h"
#include "radio/mercury/tag_command.h"

namespace singulate::radio::mercury {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

Status MercuryRadio::prepare_access(const TagAccess& access) {
  if (stream_) stop_stream();
  if (auto known = check_unforgotten(); !known.ok()) return known;
  if (auto applied = settings_.apply(finder_.family()); !applied.ok()) return applied;
  // Flags of S1 to S3 stay as they are, and the tag is back at A in S0 with the carrier.
  if (auto set = settings_.set_gen2(Gen2Key::kSession, Bytes{0}); !set.ok()) return set;
  const auto t4 = ByteWriter().u32(kShortestT4Us).take();
  if (auto set = settings_.set_gen2(Gen2Key::kT4, t4); !set.ok()) return set;
  return settings_.set_antenna(finder_.family(), access.antenna);
}

Result<AccessResult> MercuryRadio::access_tag(const TagAccess& access) {
  const AccessResult no_time{.status = AccessStatus::kNoTime};
  if (interrupted_.load(std::memory_order_relaxed)) return no_time;
  const std::uint64_t now = now_ns();
  if (now >= access.deadline_ns) return no_time;
  const auto timeout = static_cast<std::uint16_t>(
      std::clamp<std::uint64_t>((access.deadline_ns - now) / kNsPerMs, 1, kAccessTimeoutMs));
  if (!connection_.port().is_open()) return AccessResult{.status = AccessStatus::kNoReply};
  const auto command = tag_command(access, timeout, finder_.family().multi_select);
  if (!command.ok()) return command.error();
  Status ready = prepare_access(access);
  if (ready.ok()) {
    const auto answer = connection_.ask(command.value().opcode, command.value().data,
                                        options_.times.answer + milliseconds(timeout));
    if (answer.ok()) {
      // The tag was looked for as long as the round had time for it, and no longer.
      const bool in_time = timeout == kAccessTimeoutMs || now_ns() < access.deadline_ns;
      if (answer.value().status == status::kNoTags && !in_time) return no_time;
      return tag_command_result(access, answer.value().status, answer.value().data);
    }
    ready = answer.error();
  }
  if (ready.error().code != ErrorCode::kModule) return ready.error();
  // The next round finds it again; whether the tag was reached nobody knows.
  lose(ready.error().message);
  return AccessResult{.status = AccessStatus::kNoReply};
}

}  // namespace singulate::radio::mercury
