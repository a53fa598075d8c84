// The few system calls that GPIO lines need. Tests give a kernel of their own.
#pragma once

#include <poll.h>

#include <cstddef>
#include <span>

namespace singulate::gpio {

// Every call gives its result, or a negative error number.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  Kernel(Kernel&&) = delete;
  Kernel& operator=(Kernel&&) = delete;
  virtual ~Kernel() = default;

  // A file descriptor, for reading and writing.
  virtual int open(const char* path) = 0;
  virtual void close(int fd) = 0;
  virtual int ioctl(int fd, unsigned long request, void* argument) = 0;
  virtual long read(int fd, void* into, std::size_t size) = 0;
  // A timeout below 0 waits for ever.
  virtual int poll(std::span<pollfd> fds, int timeout_ms) = 0;
};

// The one of this machine.
Kernel& linux_kernel();

}  // namespace singulate::gpio
