/** What the system itself must bring: checks, and one clear line for each thing that is missing. */
import { existsSync } from 'node:fs';
import { LINES, nodeFault } from './node-lines.mjs';
import { run, SetupError, step } from './steps.mjs';

/** Debian packages by what shows that they are there: one of `commands`, or all of `files`. */
const TOOLS = {
  compiler: { commands: ['c++', 'g++', 'clang++'], what: 'a C++20 compiler', packages: ['g++'] },
  cmake: { commands: ['cmake'], what: 'CMake 3.22 or newer', packages: ['cmake'] },
  make: { commands: ['ninja', 'make'], what: 'make or ninja', packages: ['make'] },
  'clang-format': { commands: ['clang-format'], what: 'clang-format', packages: ['clang-format'] },
  'clang-tidy': { commands: ['clang-tidy'], what: 'clang-tidy', packages: ['clang-tidy'] },
  clang: {
    commands: ['clang++'],
    what: 'clang with libFuzzer',
    packages: ['clang', 'libclang-rt-14-dev'],
  },
  arm64: {
    files: ['/usr/bin/aarch64-linux-gnu-g++', '/usr/bin/qemu-aarch64'],
    what: 'a cross compiler for ARM 64-bit and its emulator',
    packages: ['g++-aarch64-linux-gnu', 'qemu-user'],
  },
  armv7: {
    files: ['/usr/bin/arm-linux-gnueabihf-g++', '/usr/bin/qemu-arm'],
    what: 'a cross compiler for ARM 32-bit (hard float) and its emulator',
    packages: ['g++-arm-linux-gnueabihf', 'qemu-user'],
  },
  'dpkg-deb': {
    files: ['/usr/bin/dpkg-deb', '/usr/bin/readelf'],
    what: 'dpkg-deb, and readelf and strip of binutils',
    packages: ['dpkg', 'binutils'],
  },
  'debian-root': {
    files: ['/usr/bin/mmdebstrap', '/usr/bin/unshare', '/usr/bin/systemd-analyze'],
    what: 'mmdebstrap, unshare and systemd-analyze',
    packages: ['mmdebstrap', 'util-linux', 'systemd'],
  },
  shellcheck: {
    commands: ['shellcheck'],
    what: 'shellcheck',
    packages: ['shellcheck'],
  },
  grpcio: {
    files: [
      '/usr/lib/python3/dist-packages/grpc/__init__.py',
      '/usr/bin/protoc',
      '/usr/bin/grpc_python_plugin',
    ],
    what: "Python's grpcio and the protobuf compiler with its Python plugin",
    packages: ['python3-grpcio', 'protobuf-compiler', 'protobuf-compiler-grpc'],
  },
  'grpc++': {
    files: [
      '/usr/include/grpcpp/grpcpp.h',
      '/usr/bin/protoc',
      '/usr/bin/grpc_cpp_plugin',
      '/usr/bin/pkg-config',
    ],
    what: 'gRPC for C++ and the protobuf compiler with its C++ plugin',
    packages: ['libgrpc++-dev', 'protobuf-compiler', 'protobuf-compiler-grpc', 'pkg-config'],
  },
  'grpc-go': {
    files: [
      '/usr/bin/go',
      '/usr/bin/protoc',
      '/usr/bin/protoc-gen-go',
      '/usr/bin/protoc-gen-go-grpc',
      '/usr/share/gocode/src/google.golang.org/grpc/version.go',
      // The older one of two that exclude each other knows nothing of `optional`.
      '/usr/share/gocode/src/google.golang.org/protobuf/go.mod',
      '/usr/share/gocode/src/github.com/golang/protobuf/proto/proto.go',
    ],
    what: 'Go with gRPC, and the protobuf compiler with its Go plugins',
    packages: [
      'golang-go',
      'golang-google-grpc-dev',
      'golang-github-golang-protobuf-1-5-dev',
      'protobuf-compiler',
      'protoc-gen-go',
      'protoc-gen-go-grpc',
    ],
  },
  pyftpdlib: {
    files: [
      '/usr/lib/python3/dist-packages/pyftpdlib/__init__.py',
      '/usr/lib/python3/dist-packages/OpenSSL/__init__.py',
    ],
    what: 'the FTPS server pyftpdlib',
    packages: ['python3-pyftpdlib', 'python3-openssl'],
  },
  namespaces: {
    files: ['/usr/bin/unshare', '/usr/bin/nsenter', '/usr/sbin/ip'],
    what: 'network namespaces (unshare, nsenter, ip)',
    packages: ['util-linux', 'iproute2'],
  },
  dbus: {
    files: ['/usr/bin/dbus-daemon', '/usr/lib/python3/dist-packages/dbusmock/__init__.py'],
    what: 'a D-Bus daemon, and python-dbusmock with its mocks of system services',
    packages: ['dbus', 'python3-dbusmock'],
  },
  chromium: {
    files: ['/usr/bin/chromium'],
    what: 'the browser Chromium',
    packages: ['chromium'],
  },
  sslscan: { commands: ['sslscan'], what: 'sslscan', packages: ['sslscan'] },
  testssl: {
    commands: ['testssl'],
    what: 'testssl.sh',
    packages: ['testssl.sh', 'bsdextrautils'],
  },
  'python-venv': {
    files: ['/usr/bin/python3', '/usr/share/doc/python3-venv'],
    what: 'Python 3 with venv',
    packages: ['python3-venv'],
  },
  mosquitto: {
    files: ['/usr/sbin/mosquitto', '/usr/bin/mosquitto_passwd'],
    what: 'the MQTT broker Mosquitto 2',
    packages: ['mosquitto'],
  },
  faketime: {
    commands: ['faketime'],
    what: 'a clock of a program that can be set (libfaketime)',
    packages: ['faketime'],
  },
};

export function inPath(command) {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.some((folder) => existsSync(`${folder}/${command}`));
}

function found({ commands = [], files = [] }) {
  return commands.some(inPath) || (files.length > 0 && files.every((file) => existsSync(file)));
}

export function has(tool) {
  return found(TOOLS[tool]);
}

/**
 * Makes sure the tools are there. As root in CI on Debian it installs them; elsewhere it
 * ends with one line that names what is missing and how to get it.
 */
export async function need(...tools) {
  const missing = tools.filter((tool) => !has(tool));
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => TOOLS[tool].packages);
  const mayInstall = process.getuid?.() === 0 && process.env.CI && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // One at a time: lanes run beside each other.
    const apt = ['/tmp/singulate-apt.lock', 'apt-get'];
    await step('updating the list of Debian packages', 'flock', [...apt, 'update', '-q'], { env });
    const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
    await step(`installing ${packages.join(', ')}`, 'flock', [...apt, ...install], { env });
    return;
  }
  const what = missing.map((tool) => TOOLS[tool].what).join(', ');
  throw new SetupError(
    `missing on this system: ${what}. On Debian or Ubuntu: apt-get install ${packages.join(' ')}`,
  );
}

/** Tools that are installed where need() may; without them something is left out. */
export async function wish(...tools) {
  try {
    await need(...tools);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
  }
}

/** Checks a Node.js, else the running one, against the lines that are supported. */
export function checkNode(version = process.versions.node) {
  const fault = nodeFault(version, LINES);
  if (fault !== undefined) throw new SetupError(fault);
}

/** The compiler must know C++20; an old one fails with pages of errors otherwise. */
export async function checkCompiler() {
  const compiler = process.env.CXX ?? 'c++';
  const { code } = await run(compiler, ['-std=c++20', '-E', '-x', 'c++', '/dev/null']);
  if (code !== 0) {
    throw new SetupError(`${compiler} does not know C++20; g++ 12 or clang++ 14 (or newer) do`);
  }
}
