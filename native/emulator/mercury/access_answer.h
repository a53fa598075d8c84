// Answers to commands that write, read, lock or kill one tag.
#pragma once

#include "emulator/mercury/air.h"
#include "emulator/mercury/profile.h"
#include "emulator/mercury/settings.h"
#include "radio/mercury/frame.h"

namespace singulate::emulator::mercury {

// The opcode must be one of access; kBadParameter if its data are none of it.
Answer access_answer(const radio::mercury::Frame& command, const Profile& profile,
                     const Settings& settings, Air& air, const Air::Watch& watch);

}  // namespace singulate::emulator::mercury
