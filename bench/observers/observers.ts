/**
 * Many clients on the read stream: what each further one costs the radio service, over what the
 * first one costs; whether all of them get every report; and whether one that takes nothing is
 * noticed by the others.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RadioClient } from '../../src/contract/client.js';
import { counterToNumber } from '../../src/contract/time.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { FIELD, PLAN } from '../footprint/field.js';
import type { BenchResult } from '../main.js';
import type { WatchersReport } from './watchers-child.js';

const MANY = 50;
const WARM_MS = 3000;
const MEASURED_MS = 20_000;
/** Beyond this the processor time grows with the clients as if nothing were shared. */
export const LIMIT_OVER_LINEAR = 0.6;

interface Measured {
  readsPerSecond: number;
  /** Of the radio service, of one core. */
  cpuShare: number;
  report: WatchersReport;
}

export async function observers(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-observers-'));
  const socket = join(folder, 'radio.sock');
  const scenario = join(folder, 'field.json');
  writeFileSync(scenario, JSON.stringify(FIELD));
  const service = fork(
    join(PACKAGE_ROOT, 'dist/src/radio-control/main.js'),
    ['--socket', socket, '--scenario', scenario],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  try {
    await once(service, 'message');
    const target = `unix:${socket}`;
    const client = new RadioClient(target);
    await client.startInventory({ plan: PLAN, owner: 'bench' });
    const none = await measure(client, target, 0, 0);
    const one = await measure(client, target, 1, 0);
    const many = await measure(client, target, MANY, 0);
    const stalled = await measure(client, target, MANY, 1);
    const counters = (await client.stopInventory()).counters;
    client.close();
    const lost = [one, many, stalled].reduce((sum, { report }) => sum + report.missing, 0);
    return {
      bench: 'observers',
      rows: [
        row('no client', none),
        row('1 client', one),
        row(`${MANY} clients`, many),
        row(`${MANY} clients, one of them takes nothing`, stalled),
      ],
      ratios: {
        cpu_50_over_linear: many.cpuShare / (MANY * one.cpuShare),
        cpu_further_client_over_first:
          (many.cpuShare - one.cpuShare) /
          (MANY - 1) /
          Math.max(one.cpuShare - none.cpuShare, 1e-9),
        p99_stalled_over_none: stalled.report.p99Ms / many.report.p99Ms,
        dropped: lost + counterToNumber(counters?.dropped),
      },
    };
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  client: RadioClient,
  target: string,
  watchers: number,
  stalled: number,
): Promise<Measured> {
  const script = fileURLToPath(new URL('./watchers-child.js', import.meta.url));
  const child = fork(script, [target, String(watchers), String(stalled)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  await sleep(WARM_MS);
  await ask(child, 'begin');
  const before = await client.getStatus();
  const begun = performance.now();
  await sleep(MEASURED_MS);
  const after = await client.getStatus();
  const seconds = (performance.now() - begun) / 1000;
  const report = (await ask(child, 'report')) as WatchersReport;
  child.disconnect();
  await once(child, 'exit');
  const grown = (of: (status: typeof before) => Parameters<typeof counterToNumber>[0]) =>
    counterToNumber(of(after)) - counterToNumber(of(before));
  return {
    readsPerSecond: grown(({ counters }) => counters?.reported) / seconds,
    cpuShare: grown(({ service }) => service?.cpuTimeMs) / 1000 / seconds,
    report,
  };
}

async function ask(child: ChildProcess, what: string): Promise<unknown> {
  child.send(what);
  const [answer] = await once(child, 'message');
  return answer;
}

function row(name: string, { readsPerSecond, cpuShare, report }: Measured) {
  return {
    clients: name,
    'reads/s': Math.round(readsPerSecond),
    'cpu %': Number((100 * cpuShare).toFixed(2)),
    'p99 ms': Number(report.p99Ms.toFixed(1)),
    missing: report.missing,
  };
}
