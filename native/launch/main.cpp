// singulate-launch: starts a user application with as little as it needs, and ends it wholly.
//
//   singulate-launch [--NAME=VALUE...] -- PROGRAM [ARGUMENT...]   see options.h; file 3: keeper.h
//   singulate-launch --probe      prints "namespaces: yes", or why there are none
//
// Exit code 2: an argument is wrong. 126: the application could not be started; the reason is on
// standard error.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "launch/keeper.h"
#include "launch/options.h"

using namespace singulate::launch;  // NOLINT(google-build-using-namespace)

int main(int count, char** words) {
  try {
    const Options options = parse({words + 1, words + count});
    // What watches the service (a debugger, a test runner) adds words of its own for Node.js, with
    // files that the application cannot see.
    (void)unsetenv("NODE_OPTIONS");  // NOLINT(concurrency-mt-unsafe): there is one thread
    if (!options.probe) keep(options);
    try {
      probe_namespaces();
      std::puts("namespaces: yes");
    } catch (const std::exception& error) {
      std::printf("namespaces: %s\n", error.what());
    }
    return 0;
  } catch (const std::invalid_argument& error) {
    (void)std::fprintf(stderr, "singulate-launch: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "singulate-launch: %s\n", error.what());
    return 126;
  }
}
