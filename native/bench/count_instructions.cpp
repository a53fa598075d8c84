// A plugin of qemu-user: how many instructions the emulated program executed, one line on standard
// error. Its interface is declared here because distributions do not package the header; of it only
// what has the same form in all versions is used. SINGULATE_PLUGIN_API is the version to claim.
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>

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

// The programs that are counted have one thread.
std::uint64_t instructions = 0;

void executed(unsigned /*cpu*/, void* data) {
  instructions += reinterpret_cast<std::uintptr_t>(data);
}

void translated(std::uint64_t /*id*/, qemu_plugin_tb* block) {
  constexpr int kTouchesNoRegisters = 0;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, kTouchesNoRegisters,
                                       reinterpret_cast<void*>(qemu_plugin_tb_n_insns(block)));
}

void exits(std::uint64_t /*id*/, void* /*data*/) {
  (void)std::fprintf(stderr, "instructions: %" PRIu64 "\n", instructions);
}

}  // namespace

int qemu_plugin_install(std::uint64_t id, const void* /*info*/, int /*argc*/, char** /*argv*/) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, exits, nullptr);
  return 0;
}
