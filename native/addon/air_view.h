// What can be seen of a simulated radio beyond its reads: the packets on the air, and the tags.
#pragma once

#include <napi.h>

#include "radio/virtual/packet_log.h"
#include "radio/virtual/population.h"

namespace singulate::addon {

// {packets: [{timeNs, kind, antenna, frequencyKhz, bits, hex, command?, tags?}], lost}
Napi::Value show_packets(Napi::Env env, const radio::PacketLog::Taken& taken);

// One object a tag, in the order of the options: {epc, reserved, epcBank, tid, user (hex), lock,
// killed, flags: ['A' | 'B' x 4], selected}. Only while no inventory runs.
Napi::Value show_tags(Napi::Env env, const radio::Population& population, std::uint64_t now_ns);

}  // namespace singulate::addon
