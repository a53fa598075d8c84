#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "gpio/kernel.h"

namespace singulate::gpio {

namespace {

// Again after a signal that has nothing to do with us.
template <typename Call>
auto without_signals(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) return static_cast<decltype(result)>(-errno);
  }
}

class LinuxKernel final : public Kernel {
 public:
  int open(const char* path) override {
    return without_signals([&] { return ::open(path, O_RDWR | O_CLOEXEC); });
  }
  void close(int fd) override { (void)::close(fd); }
  int ioctl(int fd, unsigned long request, void* argument) override {
    return without_signals([&] { return ::ioctl(fd, request, argument); });
  }
  long read(int fd, void* into, std::size_t size) override {
    return without_signals([&] { return static_cast<long>(::read(fd, into, size)); });
  }
  int poll(std::span<pollfd> fds, int timeout_ms) override {
    return without_signals(
        [&] { return ::poll(fds.data(), static_cast<nfds_t>(fds.size()), timeout_ms); });
  }
};

}  // namespace

Kernel& linux_kernel() {
  static LinuxKernel kernel;
  return kernel;
}

}  // namespace singulate::gpio
