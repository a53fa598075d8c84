// A plugin of qemu-user: how many instructions the emulated program executed, one line on standard
// error. With the argument counts=FILE they stand in that file while it runs: a 64-bit number of
// this machine for each of kThreads threads, later ones on those of the first again. Its interface
// is declared here because distributions do not package the header; of it only what has the same
// form in all versions is used. SINGULATE_PLUGIN_API is the version to claim.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>

extern "C" {

struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(std::uint64_t id,
                                           void (*translated)(std::uint64_t id,
                                                              qemu_plugin_tb* block));
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb* block,
                                          void (*executed)(unsigned cpu, void* data), int flags,
                                          void* data);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);
void qemu_plugin_register_atexit_cb(std::uint64_t id, void (*exits)(std::uint64_t id, void* data),
                                    void* data);

[[gnu::visibility("default")]] extern const int qemu_plugin_version;
const int qemu_plugin_version = SINGULATE_PLUGIN_API;

[[gnu::visibility("default")]] int qemu_plugin_install(std::uint64_t id, const void* info, int argc,
                                                       char** argv);
}

namespace {

constexpr std::size_t kThreads = 256;
using Counts = std::array<std::uint64_t, kThreads>;

Counts own{};
Counts* counts = &own;

// Each thread has its own number: no two write to one.
void executed(unsigned cpu, void* data) {
  (*counts)[cpu % kThreads] += reinterpret_cast<std::uintptr_t>(data);
}

bool share(const char* path) {
  const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, sizeof(Counts)) != 0) return false;
  void* shared = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (shared == MAP_FAILED) return false;
  counts = static_cast<Counts*>(shared);
  return true;
}

void translated(std::uint64_t /*id*/, qemu_plugin_tb* block) {
  constexpr int kTouchesNoRegisters = 0;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, kTouchesNoRegisters,
                                       reinterpret_cast<void*>(qemu_plugin_tb_n_insns(block)));
}

void exits(std::uint64_t /*id*/, void* /*data*/) {
  const auto sum = std::accumulate(counts->begin(), counts->end(), std::uint64_t{0});
  (void)std::fprintf(stderr, "instructions: %" PRIu64 "\n", sum);
}

}  // namespace

int qemu_plugin_install(std::uint64_t id, const void* /*info*/, int argc, char** argv) {
  constexpr char kFile[] = "counts=";
  for (int i = 0; i < argc; ++i) {
    const bool is_file = std::strncmp(argv[i], kFile, sizeof kFile - 1) == 0;
    if (!is_file || !share(argv[i] + sizeof kFile - 1)) return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, exits, nullptr);
  return 0;
}
