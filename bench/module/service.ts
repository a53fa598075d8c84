/** The processor time of a whole radio-control that reads through a module, subscriber beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RadioClient } from '../../src/contract/client.js';
import { RadioState, type ReadBatch, Session, Target } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { cpuUs, endsWithUs } from '../delivery/process-figures.js';
import { fieldOf } from '../modes/run-mode.js';

const TAGS = 200;
const WARM_UP_SECONDS = 3;
const CONNECT_SECONDS = 30;

export interface ServiceRun {
  readsPerSecond: number;
  /** Of one processor. */
  cpuShare: number;
  cpuUsPerRead: number;
  /** Between the air of the module and the subscriber, no matter who lost them. */
  lost: number;
}

export async function service(seconds: number): Promise<ServiceRun> {
  const { MercuryEmulator } = loadAddon();
  const emulator = new MercuryEmulator({
    ...fieldOf(TAGS, 1, 0),
    profile: 'm7e',
    baudPacing: true,
  });
  const folder = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
  const socket = join(folder, 'radio.sock');
  const child = spawn(
    process.execPath,
    [
      '--force-node-api-uncaught-exceptions-policy=true',
      join(PACKAGE_ROOT, 'dist/src/radio-control/main.js'),
      ...['--socket', socket, '--radio', `mercury:${emulator.path()}`],
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  endsWithUs(child);
  const exit = once(child, 'exit');
  const client = new RadioClient(`unix:${socket}`);
  try {
    await Promise.race([once(child, 'message'), failed(exit)]);
    await connected(client);
    return await read(client, child.pid as number, seconds, () => emulator.counters());
  } finally {
    client.close();
    child.kill('SIGTERM');
    await exit;
    emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function failed(exit: Promise<unknown[]>): Promise<never> {
  const [code] = await exit;
  throw new Error(`radio-control ended with ${code}`);
}

async function connected(client: RadioClient): Promise<void> {
  for (const deadline = Date.now() + CONNECT_SECONDS * 1000; Date.now() < deadline; ) {
    if ((await client.getStatus()).state === RadioState.RADIO_STATE_IDLE) return;
    await sleep(50);
  }
  throw new Error('radio-control found no module');
}

async function read(
  client: RadioClient,
  pid: number,
  seconds: number,
  module: () => { records: number; lostRecords: number },
): Promise<ServiceRun> {
  let reads = 0;
  const stream = client.streamReads();
  stream.on('error', () => {});
  stream.on('data', (batch: ReadBatch) => {
    reads += batch.reads.length;
  });
  await once(stream, 'metadata');
  const query = { session: Session.SESSION_S2, target: Target.TARGET_AB, tagPopulation: TAGS };
  await client.startInventory({
    plan: { linkProfile: 'FM0-640', antennas: [{ port: 1, transmitPowerCdbm: 2700, query }] },
    owner: 'bench',
  });
  await sleep(WARM_UP_SECONDS * 1000);
  const before = { cpu: cpuUs(pid), reads, at: performance.now() };
  await sleep(seconds * 1000);
  const cpu = cpuUs(pid) - before.cpu;
  const took = (performance.now() - before.at) / 1000;
  const counted = reads - before.reads;
  const { counters } = await client.stopInventory();
  // What is on its way at the end.
  for (let i = 0; i < 40 && reads < counterToNumber(counters?.reads); i++) await sleep(50);
  stream.cancel();
  const { records, lostRecords } = module();
  return {
    readsPerSecond: counted / took,
    cpuShare: cpu / 1e6 / took,
    cpuUsPerRead: cpu / counted,
    lost: records + lostRecords - reads,
  };
}
