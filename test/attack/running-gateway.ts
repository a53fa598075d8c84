/** A gateway with the real radio service, as processes of their own, and what they cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { cpuUs, residentBytes } from '../../bench/delivery/process-figures.js';
import { GatewayProcess } from '../gateway/gateway-process.js';
import { radioTarget, send, temporaryFolder, until } from '../gateway/reader.js';
import { startRadioControlAt } from '../oem/radio-control.js';

/** Between the requests of the other client. */
const PAUSE_MS = 20;

export async function startGateway(t: Test): Promise<GatewayProcess> {
  const stateDir = temporaryFolder(t);
  await startRadioControlAt(t, radioTarget(stateDir).replace('unix:', ''), ['--seed', '1']);
  const gateway = await GatewayProcess.start(t, stateDir);
  await gateway.ready(1);
  await until('the radio is there', async () => {
    const { json } = await gateway.call('GET', 'status');
    return json.radioConnection === 'connected';
  });
  return gateway;
}

export interface Cost {
  /** Processor time of the gateway, all threads. */
  cpuMs: number;
  /** Of its resident memory, the highest that was seen above that at the beginning. */
  memoryBytes: number;
  wallMs: number;
  /** Of requests of a client with a token meanwhile. */
  medianMs: number;
  requests: number;
}

/** @param work What somebody else does meanwhile. */
export async function costOf(gateway: GatewayProcess, work: () => Promise<void>): Promise<Cost> {
  const pid = gateway.child.pid as number;
  const headers = { authorization: `Bearer ${await gateway.token()}` };
  const beganAt = performance.now();
  const [cpuBefore, memoryBefore] = [cpuUs(pid), residentBytes(pid)];
  let highest = memoryBefore;
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    const { status } = await send(gateway.restUrl, 'GET', '/cloud/status', { headers });
    if (status !== 200) throw new Error(`the client with a token is answered ${status}`);
    times.push(performance.now() - began);
    highest = Math.max(highest, residentBytes(pid));
    await sleep(PAUSE_MS);
  }
  await over;
  return {
    cpuMs: (cpuUs(pid) - cpuBefore) / 1000,
    memoryBytes: highest - memoryBefore,
    wallMs: performance.now() - beganAt,
    medianMs: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0,
    requests: times.length,
  };
}

export function told({ cpuMs, memoryBytes, medianMs, requests }: Cost): string {
  const memory = `${(memoryBytes / 1e6).toFixed(1)} MB`;
  const others = `others ${medianMs.toFixed(1)} ms at the median of ${requests}`;
  return `${Math.round(cpuMs)} ms of the processor, ${memory}, ${others}`;
}
