/**
 * Runs one mode on a simulated radio that imitates a module, and on the emulated module itself
 * behind a pseudo-terminal, both with the same tags in the same field: what they report must be
 * the same. The module takes real time.
 */
import type { Test } from 'tap';
import { loadAddon, type NativeRadio } from '../../src/radio-control/addon/addon.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import type { Violation } from '../../src/shared/errors.js';
import { factsOf, options, type Reading, type RunOptions, readMode } from '../modes/on-air.js';
import { Running } from '../modes/running.js';

export interface Both {
  simulated: Reading;
  module: Reading;
}

export interface Radios {
  simulated: NativeRadio;
  module: NativeRadio;
}

/** Both with fresh tags. They end with the test. */
export async function openBoth(t: Test, run: RunOptions = {}, profile = 'm7e'): Promise<Radios> {
  const { MercuryEmulator, Radio } = loadAddon();
  const field = options(run);
  const emulator = new MercuryEmulator({ ...field, profile, baudPacing: false });
  t.teardown(() => emulator.close());
  const module = new Radio({ module: 'mercury', path: emulator.path() });
  t.teardown(() => module.close());
  await module.open();
  const imitate = profile === 'nano' ? 'm6e' : profile;
  return { simulated: new Radio({ ...field, imitate }), module };
}

export async function readBoth(
  { simulated, module }: Radios,
  mode: object,
  run: RunOptions = {},
): Promise<Both> {
  return {
    simulated: await readMode(simulated, mode, run),
    module: await readMode(module, mode, run),
  };
}

/** A mode on fresh tags. */
export async function runBoth(t: Test, mode: object, run: RunOptions = {}): Promise<Both> {
  return readBoth(await openBoth(t, run), mode, run);
}

/** Both go on until the test stops them. */
export async function runningBoth(t: Test, run: RunOptions = {}): Promise<[Running, Running]> {
  const { simulated, module } = await openBoth(t, {
    ...run,
    field: { ...run.field, paced: true },
  });
  return [new Running(run, simulated), new Running(run, module)];
}

/** Why each of them does not take a mode: the fields of the mode or, if it compiles, of the plan. */
export async function refusals(
  t: Test,
  mode: object,
  run: RunOptions = {},
): Promise<{ simulated: string[]; module: string[] }> {
  const { simulated, module } = await openBoth(t, run);
  return {
    simulated: refusedFields(simulated, mode, run),
    module: refusedFields(module, mode, run),
  };
}

function refusedFields(radio: NativeRadio, mode: object, run: RunOptions): string[] {
  const fields = (violations: readonly Violation[]) => violations.map(({ field }) => field);
  const compiled = compileMode(mode, factsOf(run, radio));
  if (!compiled.ok) return fields(compiled.violations);
  try {
    radio.start(compilePlan(compiled.value.plan, radio.capabilities()).native, () => {});
  } catch (error) {
    const { violations = [] } = error as { violations?: Violation[] };
    return fields(violations);
  }
  void radio.stop();
  return [];
}

/** What of an event depends on chance or on the time. */
const CHANCE = ['eventNum', 'peakRssi', 'phase', 'reads', 'channel'];

// biome-ignore lint/suspicious/noExplicitAny: events as a client sees them
function contents(events: any[]): string[] {
  return events
    .map(({ type, data }) => {
      const known = Object.entries(data).filter(([name]) => !CHANCE.includes(name));
      return JSON.stringify({ type, ...Object.fromEntries(known), fields: Object.keys(data) });
    })
    .sort();
}

/**
 * @param often The mode says how often each tag is reported; otherwise that depends on how fast
 *   the radio is, and only what is reported of each tag is compared.
 */
export function sameReports(t: Test, { simulated, module }: Both, often = true): void {
  const of = ({ events }: Reading) => {
    const all = contents(events);
    return often ? all : [...new Set(all)];
  };
  t.ok(simulated.events.length > 0, 'there are reports');
  t.same(of(module), of(simulated), 'the module reports the same');
  t.equal(module.status.dropped, 0, 'nothing is lost');
}

/** Of the reports of each tag by each antenna, dBm. */
export function sameRssi(t: Test, { simulated, module }: Both): void {
  const levels = ({ events }: Reading) => {
    const sums = new Map<string, number[]>();
    for (const { data } of events) {
      const name = `${data.idHex} at ${data.antenna}`;
      sums.set(name, [...(sums.get(name) ?? []), data.peakRssi]);
    }
    return sums;
  };
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const expected = levels(simulated);
  for (const [name, values] of levels(module)) {
    const difference = mean(values) - mean(expected.get(name) ?? []);
    // Modules tell whole dBm.
    t.ok(Math.abs(difference) <= 1.1, `${name}: ${difference} dB`);
  }
}
