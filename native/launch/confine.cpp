#include "launch/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launch/call_filter.h"
#include "launch/fail.h"

namespace singulate::launch {
namespace {

// When memory runs out, applications go before the services do.
constexpr const char kOomScore[] = "500";

void offer_to_oom_killer() {
  // Raising it is allowed to everybody; who has raised it further stays.
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, kOomScore, sizeof kOomScore - 1) < 0 && errno != EACCES) {
    close(file);
    fail("oom_score_adj");
  }
  close(file);
}

// No program, whatever its bits, can have a capability then.
void empty_bounding_set() {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++) {
    must(prctl(PR_CAPBSET_DROP, capability), "the bounding set of capabilities");
  }
  // Those that would pass to a program without root; a kernel without them says EINVAL.
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

void limit(__rlimit_resource_t resource, unsigned long long value, const char* name) {
  if (value == 0) return;
  rlimit present{};
  must(getrlimit(resource, &present), name);
  rlimit wanted{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  // What the launcher has not, it cannot give.
  if (present.rlim_max != RLIM_INFINITY && wanted.rlim_max > present.rlim_max) {
    wanted = {present.rlim_max, present.rlim_max};
  }
  must(setrlimit(resource, &wanted), name);
}

}  // namespace

void confine(const Options& options) {
  offer_to_oom_killer();
  if (geteuid() == 0) empty_bounding_set();
  if (options.uid.has_value()) {
    const uid_t uid = *options.uid;
    must(setgroups(0, nullptr), "groups");
    must(setresgid(uid, uid, uid), "group");
    must(setresuid(uid, uid, uid), "user");
  }
  must(chdir(options.work.c_str()), options.work);
  limit(RLIMIT_DATA, options.data_bytes, "limit of memory");
  limit(RLIMIT_FSIZE, options.file_bytes, "limit of files");
  limit(RLIMIT_NOFILE, options.open_files, "limit of open files");
  limit(RLIMIT_NPROC, options.processes, "limit of processes");
  const rlimit none{0, 0};
  must(setrlimit(RLIMIT_CORE, &none), "limit of core files");
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges");
  filter_calls();
}

}  // namespace singulate::launch
