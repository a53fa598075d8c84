/**
 * Instructions that the native core executes for one read: two runs of the simulated air that
 * differ in their number of reads, and the difference. They are counted, not timed, so nobody
 * beside the bench can spoil them.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../src/shared/errors.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const run = promisify(execFile);

const TAGS = 200;
const FEW_SEEDS = 2;
const MANY_SEEDS = 12;
/** A processor under an emulator that calls us for every block is slow. */
const WITHIN_MS = 300_000;
const PLUGIN_SOURCE = join(PACKAGE_ROOT, 'native/bench/count_instructions.cpp');
const PLUGIN_FOLDER = join(PACKAGE_ROOT, 'out/bench');
/** Of qemu's plugins; each qemu takes some of them. */
export const PLUGIN_APIS = [1, 2, 4, 5];

export interface Instructions {
  perRead: number | null;
  /** By what, or why there is no number. */
  how: string;
}

type Count = (args: string[]) => Promise<number>;

/** On this machine. */
export function instructionsHere(): Promise<Instructions> {
  const tool = ['--tool=callgrind', '--callgrind-out-file=/dev/null', program('host')];
  return perRead('host', 'valgrind --tool=callgrind', (args) =>
    counted('valgrind', [...tool, ...args], /Collected : (\d+)/),
  );
}

export interface Emulation {
  preset: 'arm64' | 'armv7';
  qemu: string;
  libraries: string;
}

export const EMULATIONS: readonly Emulation[] = [
  { preset: 'arm64', qemu: 'qemu-aarch64', libraries: '/usr/aarch64-linux-gnu' },
  { preset: 'armv7', qemu: 'qemu-arm', libraries: '/usr/arm-linux-gnueabihf' },
];

/** Of the build for another processor, which an emulator executes here. */
export async function instructionsEmulated(emulation: Emulation): Promise<Instructions> {
  const { preset, qemu, libraries } = emulation;
  let why = '';
  for (const api of PLUGIN_APIS) {
    const counting = await perRead(preset, `${qemu} with a plugin that counts`, async (args) => {
      const plugin = await buildPlugin(api);
      const emulated = ['-L', libraries, '-plugin', plugin, program(preset), ...args];
      return counted(qemu, emulated, /^instructions: (\d+)$/m);
    });
    if (counting.perRead !== null) return counting;
    why = counting.how;
  }
  return { perRead: null, how: why };
}

function program(preset: string): string {
  return join(PACKAGE_ROOT, 'out', preset, 'singulate_air_bench');
}

async function perRead(preset: string, how: string, count: Count): Promise<Instructions> {
  if (!existsSync(program(preset))) {
    const make = `cmake --preset ${preset} && cmake --build out/${preset} --target singulate_air_bench`;
    return { perRead: null, how: `not built; ${make}` };
  }
  try {
    const [few, many] = [await count(airArgs(FEW_SEEDS)), await count(airArgs(MANY_SEEDS))];
    return { perRead: (many - few) / (TAGS * (MANY_SEEDS - FEW_SEEDS)), how };
  } catch (error) {
    return { perRead: null, how: errorMessage(error).split('\n').slice(0, 3).join(' ').trim() };
  }
}

function airArgs(seeds: number): string[] {
  return ['FM0-640', String(TAGS), 'adaptive', String(seeds)];
}

async function counted(tool: string, args: string[], form: RegExp): Promise<number> {
  const { stderr } = await run(tool, args, { timeout: WITHIN_MS });
  const found = form.exec(stderr);
  if (found === null) throw new Error(`${tool} printed no count of instructions`);
  return Number(found[1]);
}

/** @returns Its path. @param api Of qemu's plugins. */
export async function buildPlugin(api: number): Promise<string> {
  mkdirSync(PLUGIN_FOLDER, { recursive: true });
  const plugin = join(PLUGIN_FOLDER, `count_instructions_${api}.so`);
  const options = ['-std=c++20', '-O2', '-shared', '-fPIC', `-DSINGULATE_PLUGIN_API=${api}`];
  await run('c++', [...options, '-o', plugin, PLUGIN_SOURCE], { timeout: WITHIN_MS });
  return plugin;
}
