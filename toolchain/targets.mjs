/**
 * The machines that Singulate is built for. `preset` is CMake's; `debian` what Debian calls the
 * architecture; `elf` what a file for it must say of itself.
 */
export const HOST = {
  preset: 'host',
  title: 'this machine',
  // Elsewhere a build of one's own is taken as it is.
  elf:
    process.arch === 'x64'
      ? { Class: 'ELF64', Machine: 'Advanced Micro Devices X86-64' }
      : process.arch === 'arm64'
        ? { Class: 'ELF64', Machine: 'AArch64' }
        : {},
};

export const TARGETS = {
  arm64: {
    preset: 'arm64',
    title: 'ARM 64-bit',
    debian: 'arm64',
    emulator: 'qemu-aarch64',
    libraries: '/usr/aarch64-linux-gnu',
    elf: { Class: 'ELF64', Machine: 'AArch64' },
  },
  armv7: {
    preset: 'armv7',
    title: 'ARM 32-bit',
    debian: 'armhf',
    emulator: 'qemu-arm',
    libraries: '/usr/arm-linux-gnueabihf',
    elf: {
      Class: 'ELF32',
      Machine: 'ARM',
      Tag_CPU_arch: 'v7',
      Tag_FP_arch: 'VFPv3-D16',
      Tag_ABI_VFP_args: 'VFP registers',
    },
  },
};

/** The target that the command line names; undefined with a line on standard error. */
export function targetFrom(args) {
  const names = Object.keys(TARGETS);
  if (args.length === 1 && names.includes(args[0])) return TARGETS[args[0]];
  console.error(`${args.join(' ') || 'nothing'} given; allowed: one of ${names.join(', ')}`);
  process.exitCode = 1;
  return undefined;
}
