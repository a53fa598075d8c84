#include "launch/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "launch/confine.h"
#include "launch/fail.h"
#include "launch/mounts.h"

namespace singulate::launch {
namespace {

constexpr int kGateway = 3;
constexpr int kCannotRun = 126;

[[noreturn]] void complain(const char* who, const std::exception& error) {
  dprintf(STDERR_FILENO, "%s: %s\n", who, error.what());
  _exit(kCannotRun);
}

pid_t fork_or_fail() {
  const pid_t pid = fork();
  must(pid, "a process");
  return pid;
}

// The first process of the namespace: when it ends, the kernel ends all others, whatever they did.
[[noreturn]] void be_init(int ready) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    mount_proc();
  } catch (const std::exception& error) {
    complain("singulate-launch", error);
  }
  // A keeper that ended before this closed the other end.
  if (write(ready, "1", 1) != 1) _exit(kCannotRun);
  close(ready);
  // Its copies of files keep no one waiting for their end.
  for (int file = 0; file <= kGateway; file++) close(file);
  for (;;) {
    // Every process that lost its parent comes here.
    while (waitpid(-1, nullptr, 0) > 0) {
    }
    sigset_t orphans;
    sigemptyset(&orphans);
    sigaddset(&orphans, SIGCHLD);
    int signal = 0;
    sigwait(&orphans, &signal);
  }
}

pid_t start_init() {
  int ready[2];
  must(pipe2(ready, O_CLOEXEC), "a pipe");
  const pid_t pid = fork_or_fail();
  if (pid == 0) {
    close(ready[0]);
    be_init(ready[1]);
  }
  close(ready[1]);
  char byte = 0;
  const bool is_up = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
  if (!is_up) {
    errno = ECHILD;
    fail("the first process of the application's namespace");
  }
  return pid;
}

[[noreturn]] void become(const Options& options, const sigset_t& signals) {
  try {
    std::vector<char*> arguments;
    for (const std::string& word : options.command) {
      arguments.push_back(
          const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    arguments.push_back(nullptr);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &signals, nullptr);
    close(kGateway);
    confine(options);
    execv(arguments[0], arguments.data());
    fail(options.command[0]);
  } catch (const std::exception& error) {
    complain("singulate-launch", error);
  }
}

void enter_cgroup(const std::string& folder) {
  const int file = open((folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  must(file, folder);
  must(write(file, "0", 1), folder);
  close(file);
}

// Without a namespace: who loses its parent becomes a child of this process, so none gets away.
void kill_children() {
  for (;;) {
    std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child = 0; children >> child;) kill(child, SIGKILL);
    if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

// Waits for the end of the application. @returns its status, or that of SIGKILL if the gateway
// went.
int wait_for(pid_t application, const sigset_t& watched) {
  const int ended = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  must(ended, "a signalfd");
  for (;;) {
    int status = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid == application) return status;
    }
    pollfd files[] = {{ended, POLLIN, 0}, {kGateway, POLLIN, 0}};
    if (poll(files, 2, -1) < 0) continue;
    signalfd_siginfo info{};
    while (read(ended, &info, sizeof info) > 0) {
    }
    // Nothing is said to the keeper: what can be read is the end.
    if (files[1].revents != 0) return SIGKILL;
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int reason = WTERMSIG(status);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(reason, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  raise(reason);
  _exit(kCannotRun);
}

}  // namespace

void keep(const Options& options) {
  // It is meant for the application, and comes to the whole group.
  signal(SIGTERM, SIG_IGN);
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &watched, &before);
  fcntl(kGateway, F_SETFD, FD_CLOEXEC);

  if (!options.cgroup.empty()) enter_cgroup(options.cgroup);
  pid_t init = 0;
  if (options.namespaces) {
    leave_namespaces();
    mount_files(options);
    init = start_init();
  } else {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  const pid_t application = fork_or_fail();
  if (application == 0) become(options, before);
  // Only the application prints.
  const std::string line = "pid " + std::to_string(application) + "\n";
  if (send(kGateway, line.data(), line.size(), MSG_NOSIGNAL) < 0) {
    dprintf(STDERR_FILENO, "singulate-launch: nobody listens at file %d\n", kGateway);
  }
  close(STDOUT_FILENO);
  close(STDERR_FILENO);

  const int status = wait_for(application, watched);
  if (init != 0) kill(init, SIGKILL);
  kill_children();
  end_as(status);
}

void probe_namespaces() {
  Options options;
  options.tmp_bytes = 1 << 20;
  leave_namespaces();
  mount_files(options);
  const pid_t init = start_init();
  kill(init, SIGKILL);
  waitpid(init, nullptr, 0);
}

}  // namespace singulate::launch
