/** Requests per second of the reader and of bare Koa, with the same TLS and the same bodies, in turns. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuUs } from '../delivery/process-figures.js';
import { BenchReader } from '../delivery/reader.js';
import { MODE } from '../delivery/sample-events.js';
import { inTurns, type Sample } from '../measure.js';
import { Load, type LoadRequest } from './load.js';

const ROUNDS = 5;
const TURN_MS = 1500;
const CONNECTIONS = 8;

export const GET_STATUS: LoadRequest = { method: 'GET', path: '/cloud/status' };
export const PUT_MODE: LoadRequest = {
  method: 'PUT',
  path: '/cloud/mode',
  body: JSON.stringify(MODE),
};
/** Another mode each time: it is compiled, tried out by the radio and written to the disk. */
const OTHER_MODES: LoadRequest[] = [20, 21].map((transmitPower) => ({
  ...PUT_MODE,
  body: JSON.stringify({ ...MODE, transmitPower }),
}));

export interface Throughput {
  getStatus: Sample;
  koaGet: Sample;
  putMode: Sample;
  koaPut: Sample;
  putOtherMode: Sample;
}

export async function throughput(): Promise<Throughput> {
  const reader = await BenchReader.start({ reads: 1, spacingNs: 1e6, paced: true });
  const load = new Load();
  let koa: ChildProcess | undefined;
  try {
    koa = fork(fileURLToPath(new URL('./koa-child.js', import.meta.url)), [
      join(reader.stateDir, 'tls'),
    ]);
    const [port] = (await once(koa, 'message')) as [number];
    koa.send((await reader.call('GET', 'status')) as object);
    await once(koa, 'message');
    const floor = { url: `https://127.0.0.1:${port}`, pids: [koa.pid as number] };
    const ours = { url: reader.restUrl, pids: [reader.gatewayPid, reader.radioPid] };
    const side = (to: { url: string; pids: number[] }, requests: LoadRequest[]) => async () => {
      const cpu = () => to.pids.reduce((sum, pid) => sum + cpuUs(pid), 0);
      const { url } = to;
      const task = { url, token: reader.token, requests, connections: CONNECTIONS, perSecond: 0 };
      await load.begin(task);
      const before = cpu();
      await sleep(TURN_MS);
      const used = cpu() - before;
      const { answers, seconds } = await load.end();
      return { perSecond: answers / seconds, cpuUs: used / answers };
    };
    return await inTurns(ROUNDS, {
      getStatus: side(ours, [GET_STATUS]),
      koaGet: side(floor, [GET_STATUS]),
      putMode: side(ours, [PUT_MODE]),
      koaPut: side(floor, [PUT_MODE]),
      putOtherMode: side(ours, OTHER_MODES),
    });
  } finally {
    load.close();
    koa?.disconnect();
    await reader.stop();
  }
}
