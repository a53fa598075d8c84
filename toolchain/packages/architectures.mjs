/** The architectures there are packages for, by Debian's names; `node` is that of Node.js. */
export const ARCHITECTURES = {
  amd64: {
    node: 'x64',
    preset: 'host',
    machine: 'Advanced Micro Devices X86-64',
    tools: 'x86_64-linux-gnu-',
    tool: 'compiler',
    prebuild: 'linux-x64/@serialport+bindings-cpp.glibc.node',
  },
  arm64: {
    node: 'arm64',
    preset: 'arm64',
    machine: 'AArch64',
    tools: 'aarch64-linux-gnu-',
    tool: 'arm64',
    prebuild: 'linux-arm64/@serialport+bindings-cpp.armv8.glibc.node',
  },
  armhf: {
    node: 'arm',
    preset: 'armv7',
    machine: 'ARM',
    tools: 'arm-linux-gnueabihf-',
    tool: 'armv7',
    prebuild: 'linux-arm/@serialport+bindings-cpp.armv7.glibc.node',
  },
};

/** Debian's name of the machine that runs this; undefined: there are no packages for it. */
export const HOST = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' }[process.arch];
