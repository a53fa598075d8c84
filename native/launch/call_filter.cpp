#include "launch/call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstddef>
#include <vector>

#include "launch/fail.h"

namespace singulate::launch {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#elif defined(__arm__)
constexpr uint32_t kMachine = AUDIT_ARCH_ARM;
#elif defined(__riscv) && __riscv_xlen == 64
constexpr uint32_t kMachine = AUDIT_ARCH_RISCV64;
#else
#error "name this machine's AUDIT_ARCH here"
#endif

// Numbers of newer calls are the same on all machines; headers may be older than the kernel.
constexpr uint32_t kFirstMountCall =
    428;  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
constexpr uint32_t kLastMountCall = 433;
constexpr uint32_t kClone3 = 435;
constexpr uint32_t kPidfdGetfd = 438;
constexpr uint32_t kMountSetattr = 442;
constexpr uint32_t kQuotactlFd = 443;
constexpr uint32_t kFirstIoUring = 425;
constexpr uint32_t kLastIoUring = 427;

constexpr uint32_t kRefused[] = {
    // Mounts, roots, namespaces.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    kMountSetattr,
    // Other processes.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    kPidfdGetfd,
    // The kernel.
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_bpf,
    SYS_reboot,
    SYS_perf_event_open,
    SYS_syslog,
    SYS_userfaultfd,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_lookup_dcookie
    SYS_lookup_dcookie,
#endif
#ifdef SYS_nfsservctl
    SYS_nfsservctl,
#endif
    // Keys of the kernel.
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    // The machine: swap, clock, name, accounting, quotas, ports.
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    kQuotactlFd,
    SYS_vhangup,
    SYS_personality,
#ifdef SYS_clock_settime64
    SYS_clock_settime64,
    SYS_clock_adjtime64,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
    // Files past the folders that lead to them.
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
};

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
// Programs ask for an older call then, whose flags can be seen.
constexpr uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                    CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;

class Program {
 public:
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)); }
  // Each of these goes on with what comes next if it does not hold.
  void if_equal(uint32_t value, uint32_t result) { when(BPF_JEQ, value, result); }
  void if_above(uint32_t value, uint32_t result) { when(BPF_JGT, value, result); }
  void unless_equal(uint32_t value, uint32_t result) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
    end(result);
  }
  void if_any_bit(uint32_t bits, uint32_t result) { when(BPF_JSET, bits, result); }
  void if_between(uint32_t first, uint32_t last, uint32_t result) {
    add(BPF_JMP | BPF_JGE | BPF_K, 0, 2, first);
    add(BPF_JMP | BPF_JGT | BPF_K, 1, 0, last);
    end(result);
  }
  // `count` instructions are passed over unless the value is loaded; the last of them ends.
  void unless_equal_skip(uint32_t value, uint8_t count) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, count, value);
  }
  void end(uint32_t result) { add(BPF_RET | BPF_K, 0, 0, result); }

  void install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "the filter of system calls");
  }

 private:
  void when(uint16_t test, uint32_t value, uint32_t result) {
    add(static_cast<uint16_t>(BPF_JMP | test | BPF_K), 0, 1, value);
    end(result);
  }
  void add(uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    code_.push_back({code, yes, no, value});
  }

  std::vector<sock_filter> code_;
};

constexpr size_t low_half(size_t argument) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  constexpr size_t kOffset = 4;
#else
  constexpr size_t kOffset = 0;
#endif
  return offsetof(seccomp_data, args) + 8 * argument + kOffset;
}

}  // namespace

void filter_calls() {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  // Calls of another machine (32 bits on 64) have other numbers.
  program.unless_equal(kMachine, kRefuse);
  program.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  constexpr uint32_t kX32 = 0x40000000;
  program.if_above(kX32 - 1, kRefuse);
#endif
  for (const uint32_t call : kRefused) program.if_equal(call, kRefuse);
  program.if_between(kFirstMountCall, kLastMountCall, kRefuse);
  program.if_between(kFirstIoUring, kLastIoUring, kUnknown);
  program.if_equal(kClone3, kUnknown);

  // Sockets of networks and of the machine itself, no others.
  program.unless_equal_skip(SYS_socket, 10);
  program.load(low_half(0));
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
    program.if_equal(static_cast<uint32_t>(family), kAllow);
  }
  program.end(kRefuse);
  program.unless_equal_skip(SYS_clone, 4);
  program.load(low_half(0));
  program.if_any_bit(kNewNamespaces, kRefuse);
  program.end(kAllow);
  program.unless_equal_skip(SYS_ioctl, 4);
  program.load(low_half(1));
  // What is typed at a terminal that is shared.
  program.if_equal(TIOCSTI, kRefuse);
  program.end(kAllow);
  program.end(kAllow);
  program.install();
}

}  // namespace singulate::launch
