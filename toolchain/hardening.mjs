/**
 * The one list of hardening flags, for CMake, cmake-js and node-gyp alike:
 *
 *   node toolchain/hardening.mjs compile|link [COMPILER [ARGUMENT...]]
 *
 * prints those that the compiler (else $CXX, else c++) knows, one in a line.
 */
import { spawnSync } from 'node:child_process';

/** `machine` is matched with what the compiler says it compiles for. */
const COMPILE = [
  { flag: '-fstack-protector-strong' },
  { flag: '-fstack-clash-protection' },
  { flag: '-fcf-protection=full', machine: /^(x86_64|i[3-6]86)-/ },
  { flag: '-mbranch-protection=standard', machine: /^aarch64-/ },
];

const LINK = ['-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack'];

/** Level 3 came with these; an older one would warn of it in every file. */
const KNOWS_LEVEL_3 = `
#if defined(__clang__) ? __clang_major__ < 9 : __GNUC__ < 12
#error
#endif
`;

function compilerOf(words) {
  if (words.length > 0) return words;
  // Cross builds put arguments after the compiler's name.
  return (process.env.CXX ?? 'c++').split(/\s+/).filter((word) => word !== '');
}

function ask([command, ...first], args, input = '') {
  const { status, stdout } = spawnSync(command, [...first, ...args], { input, encoding: 'utf8' });
  return { ok: status === 0, output: stdout ?? '' };
}

/** No header is needed for it: where they are is known to the build alone. */
function compiles(compiler, flags, source) {
  const args = [...flags, '-Werror', '-O2', '-x', 'c++', '-S', '-o', '/dev/null', '-'];
  return ask(compiler, args, source).ok;
}

function compileFlags(compiler, machine) {
  const flags = COMPILE.filter(
    (entry) =>
      (entry.machine === undefined || entry.machine.test(machine)) &&
      compiles(compiler, [entry.flag], 'void f(void) {}\n'),
  ).map(({ flag }) => flag);
  const level = compiles(compiler, [], KNOWS_LEVEL_3) ? 3 : 2;
  // Some compilers set a level of their own, and two of them are a warning.
  return [...flags, '-U_FORTIFY_SOURCE', `-D_FORTIFY_SOURCE=${level}`];
}

const [kind, ...words] = process.argv.slice(2);
const compiler = compilerOf(words);
const { ok, output: machine } = ask(compiler, ['-dumpmachine']);
if (!ok || (kind !== 'compile' && kind !== 'link')) {
  const why = ok
    ? 'the first argument is compile or link'
    : `no compiler at "${compiler.join(' ')}"`;
  process.stderr.write(`toolchain/hardening.mjs: ${why}\n`);
  process.exitCode = 1;
} else if (machine.includes('linux')) {
  console.log((kind === 'link' ? LINK : compileFlags(compiler, machine)).join('\n'));
}
