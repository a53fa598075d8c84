// Pages of the program that were needed once, mostly at the start, given back to the system.
#pragma once

#include <napi.h>

#include <cstddef>

namespace singulate::addon {

// Takes out of this process what it has mapped of files and cannot write: the code and the
// constants of Node.js and of libraries, of which a start touches twice what the steady state does.
// They stay in the system's page cache as long as that has room, and come back when they are
// touched. Mappings with pages that are this process's own (relocated, or changed by a debugger)
// are left alone. Any thread. Returns the bytes that were taken out; 0 where /proc/self/smaps
// cannot be read, or is not that of this address space (an emulator of processors).
std::size_t release_program_pages();

// releaseProgramPages(): number, for JavaScript.
Napi::Function make_release_program_pages(Napi::Env env);

}  // namespace singulate::addon
