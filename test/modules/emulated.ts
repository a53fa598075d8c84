/** An emulated module on a pseudo-terminal, behind a link that stays; and radio-control on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import type { ReadBatch, TagRead } from '../../src/contract/messages.js';
import type { NativeMercuryEmulator } from '../../src/radio-control/addon/addon.js';
import { openEmulator } from '../../src/radio-control/module/emulator.js';
import { startRadioControl } from '../oem/radio-control.js';

export interface EmulatedModule {
  path: string;
  emulator: NativeMercuryEmulator;
}

/** Ends with the test. */
export async function emulated(
  t: Test,
  options: { profile?: string; scenario?: string; path?: string } = {},
): Promise<EmulatedModule> {
  const { profile = 'm7e', scenario = 'retail-shelf', path = linePath(t) } = options;
  const emulator = await openEmulator({ profile, scenario, baudPacing: false, link: path });
  t.teardown(() => emulator.close());
  return { path, emulator };
}

/** Where a line may be, in a folder that ends with the test. */
export function linePath(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-line-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'line');
}

export async function radioOn(t: Test, path: string) {
  const service = await startRadioControl(t, ['--radio', `mercury:${path}`]);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  return { service, client };
}

/** Collects reads from now on. */
export async function listen(t: Test, client: RadioClient): Promise<TagRead[]> {
  const reads: TagRead[] = [];
  const stream = client.streamReads({});
  stream.on('error', () => {});
  stream.on('data', (batch: ReadBatch) => reads.push(...(batch.reads as TagRead[])));
  t.teardown(() => stream.cancel());
  await new Promise((resolve) => stream.once('metadata', resolve));
  return reads;
}

export const epcOf = ({ epc }: TagRead): string => Buffer.from(epc).toString('hex');

export async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}
