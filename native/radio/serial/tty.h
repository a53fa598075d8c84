// The settings of a serial line, by the kernel's own calls: any baud rate, where the C library
// knows a list of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace singulate::radio {

// The baud rate of a tty; nothing: it is none. With errno.
std::optional<std::uint32_t> tty_rate(int descriptor);

// Raw, 8N1, at that rate. False: it cannot be had, with errno.
bool make_tty_raw(int descriptor, std::uint32_t baud);

// Waits for what was written to leave, then changes the rate. False with errno.
bool set_tty_rate(int descriptor, std::uint32_t baud);

// Throws away what has come and was not read.
// @returns how many bytes that were.
std::size_t discard_tty_input(int descriptor);

}  // namespace singulate::radio
