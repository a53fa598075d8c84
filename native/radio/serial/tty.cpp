#include "radio/serial/tty.h"

// They cannot stand beside the header of the C library.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace singulate::radio {

namespace {

struct Rate {
  std::uint32_t baud;
  tcflag_t bits;
};

// Where the kernel does not have the calls for any rate (a processor that is emulated by QEMU),
// these are what there is.
constexpr std::array kNamedRates{Rate{110, B110},        Rate{9600, B9600},
                                 Rate{19'200, B19200},   Rate{38'400, B38400},
                                 Rate{57'600, B57600},   Rate{115'200, B115200},
                                 Rate{230'400, B230400}, Rate{460'800, B460800},
                                 Rate{921'600, B921600}, Rate{1'000'000, B1000000}};

bool is_missing() { return errno == ENOSYS; }

bool read_named(int descriptor, termios2& line) {
  termios named{};
  if (::ioctl(descriptor, TCGETS, &named) != 0) return false;
  line.c_iflag = named.c_iflag;
  line.c_oflag = named.c_oflag;
  line.c_cflag = named.c_cflag;
  line.c_lflag = named.c_lflag;
  line.c_line = named.c_line;
  std::copy(std::begin(named.c_cc), std::end(named.c_cc), std::begin(line.c_cc));
  const auto* const rate =
      std::find_if(kNamedRates.begin(), kNamedRates.end(),
                   [&](const Rate& one) { return one.bits == (named.c_cflag & CBAUD); });
  line.c_ispeed = rate == kNamedRates.end() ? 0 : rate->baud;
  line.c_ospeed = line.c_ispeed;
  return true;
}

bool write_named(int descriptor, bool drained, const termios2& line) {
  const auto* const rate = std::find_if(kNamedRates.begin(), kNamedRates.end(),
                                        [&](const Rate& one) { return one.baud == line.c_ospeed; });
  if (rate == kNamedRates.end()) {
    errno = EINVAL;
    return false;
  }
  termios named{};
  named.c_iflag = line.c_iflag;
  named.c_oflag = line.c_oflag;
  named.c_cflag = (line.c_cflag & ~static_cast<tcflag_t>(CBAUD)) | rate->bits;
  named.c_lflag = line.c_lflag;
  named.c_line = line.c_line;
  std::copy(std::begin(line.c_cc), std::end(line.c_cc), std::begin(named.c_cc));
  return ::ioctl(descriptor, drained ? TCSETSW : TCSETS, &named) == 0;
}

bool read_line(int descriptor, termios2& line) {
  if (::ioctl(descriptor, TCGETS2, &line) == 0) return true;
  return is_missing() && read_named(descriptor, line);
}

bool write_line(int descriptor, bool drained, const termios2& line) {
  if (::ioctl(descriptor, drained ? TCSETSW2 : TCSETS2, &line) == 0) return true;
  return is_missing() && write_named(descriptor, drained, line);
}

void set_rate(termios2& line, std::uint32_t baud) {
  line.c_cflag = (line.c_cflag & ~static_cast<tcflag_t>(CBAUD)) | BOTHER;
  line.c_ispeed = baud;
  line.c_ospeed = baud;
}

}  // namespace

std::optional<std::uint32_t> tty_rate(int descriptor) {
  termios2 line{};
  if (!read_line(descriptor, line)) return std::nullopt;
  return line.c_ospeed;
}

bool make_tty_raw(int descriptor, std::uint32_t baud) {
  termios2 line{};
  if (!read_line(descriptor, line)) return false;
  line.c_iflag = 0;
  line.c_oflag = 0;
  line.c_lflag = 0;
  line.c_cflag = CS8 | CREAD | CLOCAL;
  set_rate(line, baud);
  line.c_cc[VMIN] = 0;
  line.c_cc[VTIME] = 0;
  return write_line(descriptor, false, line);
}

bool set_tty_rate(int descriptor, std::uint32_t baud) {
  termios2 line{};
  if (!read_line(descriptor, line)) return false;
  set_rate(line, baud);
  return write_line(descriptor, true, line);
}

std::size_t discard_tty_input(int descriptor) {
  int waiting = 0;
  ::ioctl(descriptor, FIONREAD, &waiting);
  ::ioctl(descriptor, TCFLSH, TCIFLUSH);
  return static_cast<std::size_t>(waiting);
}

}  // namespace singulate::radio
