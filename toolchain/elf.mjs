/**
 * What is wrong with a built file: its machine, its hardening, what it exports and needs.
 *
 *   node toolchain/elf.mjs TARGET [--released] FILE...
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SetupError } from './steps.mjs';
import { HOST, TARGETS } from './targets.mjs';

/** What Node looks for in an addon. */
const EXPORTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];

/** The newest versions of library symbols that Debian bookworm has. */
const LIBRARIES = { GLIBC: '2.36', GLIBCXX: '3.4.30', CXXABI: '1.3.13', GCC: '12.0.0' };

/** Of the addon without its debug symbols. */
export const ADDON_LIMIT = 1_600_000;

function readelf(path) {
  const args = ['--wide', '-h', '-l', '-d', '-A', '--dyn-syms', path];
  const { status, stdout, stderr, error } = spawnSync('readelf', args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw new SetupError(`readelf does not run: ${error.message} (Debian: binutils)`);
  if (status !== 0) throw new SetupError(`readelf ${path}: ${stderr.trim()}`);
  return stdout;
}

/** The names in the table of dynamic symbols: what it needs, and what it gives. */
function symbols(text) {
  const needed = [];
  const given = [];
  const line = /^ +\d+: [0-9a-f]+ +\S+ \S+ +(\S+) +\S+ +(\S+) (\S+)/;
  for (const match of text.split('\n').map((each) => line.exec(each))) {
    if (match === null || match[1] === 'LOCAL') continue;
    (match[2] === 'UND' ? needed : given).push(match[3]);
  }
  return { needed, given };
}

function newer(version, than) {
  const parts = version.split('.').map(Number);
  const limits = than.split('.').map(Number);
  const at = parts.findIndex((part, i) => part !== (limits[i] ?? 0));
  return at >= 0 && parts[at] > (limits[at] ?? 0);
}

function* hardeningFaults(text, needed) {
  if (!/^ +GNU_RELRO /m.test(text)) yield 'no RELRO';
  if (!/\(FLAGS\).*\bBIND_NOW\b|\(FLAGS_1\).*\bNOW\b/.test(text)) yield 'RELRO is not full';
  const stack = /^ +GNU_STACK +(?:0x[0-9a-f]+ +){5}(\S+)/m.exec(text);
  if (stack === null || stack[1].includes('E')) yield 'its stack is executable';
  if (/\(TEXTREL\)/.test(text)) yield 'its code is written to when it is loaded';
  if (/\((RPATH|RUNPATH)\)/.test(text)) yield 'it looks for libraries in folders of its own';
  if (!/^ +Type: +DYN /m.test(text)) yield 'it is not position independent';
  const functions = needed.map((name) => name.split('@')[0]);
  if (!functions.includes('__stack_chk_fail')) yield 'no stack protector';
  const checked = functions.filter((name) => /^__.+_chk$/.test(name));
  if (checked.length === 0) yield 'no call of a function that FORTIFY checks';
}

function* machineFaults(text, elf) {
  for (const [name, expected] of Object.entries(elf)) {
    const found = new RegExp(`^ +${name}: +(.*?) *$`, 'm').exec(text)?.[1] ?? 'nothing';
    if (found !== expected) yield `${name} is ${found}, not ${expected}`;
  }
}

function* libraryFaults(needed) {
  for (const symbol of needed) {
    const [, library, version] = /@([A-Z]+)_([\d.]+)$/.exec(symbol) ?? [];
    if (library in LIBRARIES && newer(version, LIBRARIES[library])) {
      yield `${symbol} is newer than ${library}_${LIBRARIES[library]} of Debian bookworm`;
    }
  }
}

function* addonFaults(given, path, stripped) {
  const names = given.map((name) => name.split('@')[0]).sort();
  const missing = EXPORTS.filter((name) => !names.includes(name));
  if (missing.length > 0) yield `it does not export ${missing.join(', ')}`;
  const more = names.filter((name) => !EXPORTS.includes(name));
  if (more.length > 0) yield `it exports ${more.length} names more, such as ${more[0]}`;
  const { size } = statSync(path);
  if (stripped && size > ADDON_LIMIT) yield `${size} bytes are more than ${ADDON_LIMIT}`;
}

/**
 * @param path a program, or an addon (`*.node`).
 * @param target of toolchain/targets.mjs.
 * @param options.released it is what goes to others: stripped, and good for Debian bookworm.
 * @returns one line for each fault.
 */
export function elfFaults(path, target, { released = false } = {}) {
  const text = readelf(path);
  const { needed, given } = symbols(text);
  return [
    ...machineFaults(text, target.elf),
    ...hardeningFaults(text, needed),
    ...(released ? libraryFaults(needed) : []),
    ...(path.endsWith('.node') ? addonFaults(given, path, released) : []),
  ];
}

function main() {
  const { values, positionals } = parseArgs({
    options: { released: { type: 'boolean' } },
    allowPositionals: true,
  });
  const targets = { host: HOST, ...TARGETS };
  const [name, ...files] = positionals;
  if (!Object.hasOwn(targets, name ?? '') || files.length === 0) {
    throw new SetupError(
      `TARGET and FILE... are needed; TARGET is one of ${Object.keys(targets).join(', ')}`,
    );
  }
  for (const file of files) {
    const faults = elfFaults(file, targets[name], values);
    for (const fault of faults) console.log(`${file}: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    main();
  } catch (error) {
    if (!(error instanceof SetupError) && error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw error;
    console.error(`toolchain/elf.mjs: ${error.message}`);
    process.exitCode = 2;
  }
}
