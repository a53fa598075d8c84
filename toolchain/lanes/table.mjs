/**
 * All lanes of the checks, in the order they are begun. `npm run test:full` runs them, `.ci/run` those
 * that say so.
 *
 * - `name`: on the command line and in toolchain/proved.json; `about`: what it shows.
 * - `command`: prints last "N passed, N failed", or counts as one.
 * - `inputs`: paths (files and folders) that what it shows depends on, besides COMMON_INPUTS.
 * - `track`: at most one lane of each track runs at a time. 'machines' compiles, looks at sources or
 *   runs what no clock is in; 'readers' runs readers by the one test runner. 'alone': nothing beside it.
 * - `ci`: undefined: not there. Otherwise `args` and `env` bound there what is long; `always`: never
 *   left out as proved.
 */

/** How things are built and run. The record of what was proved is no input of what it proves. */
export const COMMON_INPUTS = ['package.json', 'package-lock.json', '.npmrc', 'toolchain'];
export const NO_INPUTS = ['toolchain/proved.json'];

const NATIVE = ['native', 'CMakeLists.txt', 'CMakePresets.json'];
const SERVICES = [...NATIVE, 'src', 'proto', 'tsconfig.json'];
const READERS = [...SERVICES, 'test'];
/** The programs, whose documents and examples are served and packed too. */
const EVERYTHING = [...READERS, 'bench', 'docs', 'packaging', 'proto-released'];

const npm = (name, ...args) => ['npm', 'run', '--silent', name, ...args];

export const LANES = [
  {
    name: 'test',
    about: 'npm test: what a user needs to trust a clone',
    command: ['npm', 'test'],
    inputs: EVERYTHING,
    track: 'alone',
    ci: { always: true },
  },
  {
    name: 'lint',
    about: 'format, types, layers, words, documents and contract; all but clang-tidy',
    command: npm('lint', '--', '--but', 'clang-tidy'),
    inputs: EVERYTHING,
    track: 'machines',
    ci: { always: true },
  },
  {
    name: 'attack',
    about: 'what strangers send, and floods that need the machine for themselves',
    command: npm('test:attack'),
    inputs: READERS,
    track: 'alone',
  },
  {
    name: 'packages',
    about: 'packages for each architecture, in a clean Debian with its own systemd',
    command: npm('test:packages'),
    inputs: [...SERVICES, 'packaging', 'docs', 'README.md', 'SECURITY.md', 'LICENSE'],
    track: 'machines',
    ci: {},
  },
  {
    name: 'examples',
    about: 'clients of OEM applications in four languages',
    command: npm('test:examples'),
    inputs: [...READERS, 'docs/examples'],
    track: 'readers',
    ci: {},
  },
  {
    name: 'arm64',
    about: 'ARM 64-bit, emulated',
    command: npm('test:arm64'),
    inputs: SERVICES,
    track: 'machines',
    ci: {},
  },
  {
    name: 'browser',
    about: 'pages in a browser',
    command: npm('test:browser'),
    inputs: READERS,
    track: 'readers',
    ci: {},
  },
  {
    name: 'dbus',
    about: 'a Linux system over D-Bus',
    command: npm('test:dbus'),
    inputs: [...READERS, 'packaging'],
    track: 'readers',
    ci: {},
  },
  {
    name: 'mosquitto',
    about: 'MQTT on a real broker',
    command: npm('test:mosquitto'),
    inputs: READERS,
    track: 'readers',
    ci: {},
  },
  {
    name: 'armv7',
    about: 'ARM 32-bit, emulated',
    command: npm('test:armv7'),
    inputs: SERVICES,
    track: 'machines',
    ci: {},
  },
  {
    name: 'nodes',
    about:
      'each line of Node.js that is supported; whole with a minute of bench -- footprint on each',
    command: npm('test:nodes'),
    inputs: [...READERS, 'bench'],
    track: 'readers',
    ci: { args: ['--', '--quick'] },
  },
  {
    name: 'ftps',
    about: 'certificates from a real FTPS server',
    command: npm('test:ftps'),
    inputs: READERS,
    track: 'readers',
    ci: {},
  },
  {
    name: 'network',
    about: 'networks that are cut',
    command: npm('test:network'),
    inputs: READERS,
    track: 'readers',
    ci: {},
  },
  {
    name: 'sanitizers',
    about: 'native tests and the addon under the sanitizers for addresses, behaviour and threads',
    command: npm('test:sanitizers'),
    inputs: [...SERVICES, 'test/addon'],
    track: 'machines',
    ci: {},
  },
  {
    name: 'fuzz',
    about: 'bytes of radio modules and tags, at random',
    command: npm('test:fuzz'),
    inputs: NATIVE,
    track: 'machines',
    ci: { args: ['--', '--runs', '50000'] },
  },
  {
    name: 'property',
    about: 'random requests for each operation',
    command: npm('test:property'),
    inputs: READERS,
    track: 'readers',
    ci: { env: { PROPERTY_RUNS: '2000', PROPERTY_HTTPS_RUNS: '50' } },
  },
  {
    name: 'kills',
    about: 'programs killed at many moments',
    command: npm('test:kills'),
    inputs: READERS,
    track: 'readers',
    ci: { env: { KILLS_SHARE: '0.1' } },
  },
  {
    name: 'long',
    about: 'a day of virtual operation',
    command: npm('test:long'),
    inputs: READERS,
    track: 'readers',
    ci: {},
  },
  {
    name: 'clang-tidy',
    about: 'what clang-tidy says of the native sources',
    command: npm('lint', '--', 'clang-tidy'),
    inputs: [...NATIVE, '.clang-tidy'],
    track: 'machines',
    ci: {},
  },
  {
    name: 'builds',
    about: 'the addon of cmake-js, with a driver from outside the tree, and that of node-gyp load',
    command: ['node', 'toolchain/other-builds.mjs'],
    inputs: [...SERVICES, 'binding.gyp', 'docs/drivers.md'],
    track: 'machines',
    ci: {},
  },
  {
    name: 'campaign',
    about: 'faults at random under load, and every event accounted',
    command: npm('test:campaign', '--'),
    inputs: READERS,
    track: 'readers',
    args: ['--minutes', '10'],
    ci: { args: ['--minutes', '2', '--seed', '1'] },
  },
  {
    name: 'campaign-spill',
    about: 'the same with spillToDisk',
    command: npm('test:campaign', '--'),
    inputs: READERS,
    track: 'readers',
    args: ['--minutes', '10', '--spill'],
  },
  {
    name: 'scanners',
    about: 'programs that look for holes; one comes from the index of Python packages',
    command: npm('test:scanners'),
    inputs: READERS,
    track: 'readers',
  },
];

/** Before lanes run beside each other: they would build the same at the same time. */
export const BUILD = { name: 'build', command: npm('build', '--', '--tests') };

/** The command of a lane: as long as it is, or bounded for CI. */
export function commandOf({ command, args = [], ci }, inCi) {
  return [...command, ...(inCi ? (ci?.args ?? args) : args)];
}
