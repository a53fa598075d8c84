/**
 * From the start of the process that runs the reader to the first tag event at an MQTT client of its
 * broker. The client is there before and tries to connect all the time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { RadioClient } from '../../src/contract/client.js';
import { freePort } from '../delivery/free-port.js';
import { cpuUs, endsWithUs } from '../delivery/process-figures.js';
import { median } from '../measure.js';
import { bundled } from './programs.js';

const EVENTS = 'singulate/d-evt';
const WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 5;

/** Seconds since the start of the process. */
export interface StartUp {
  radioReady: number;
  /** At a subscriber of the gRPC stream that is there as soon as it can be. */
  firstRead: number;
  gatewayReady: number;
  firstEvent: number;
  /** Processor time of all processes until the first event: the start's cost on any machine. */
  cpu: number;
}

/** The first start of all, which also makes the state folder, then the median of those after it. */
export async function startUp(times: number): Promise<{ first: StartUp; again: StartUp }> {
  const stateDir = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
  try {
    const first = await startOnce(stateDir);
    const later: StartUp[] = [];
    for (let i = 0; i < times; i++) later.push(await startOnce(stateDir));
    const of = (part: keyof StartUp) => median(later.map((one) => one[part]));
    return {
      first,
      again: {
        radioReady: of('radioReady'),
        firstRead: of('firstRead'),
        gatewayReady: of('gatewayReady'),
        firstEvent: of('firstEvent'),
        cpu: of('cpu'),
      },
    };
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function startOnce(stateDir: string): Promise<StartUp> {
  const mqttPort = await freePort();
  const restPort = await freePort();
  const client = mqtt.connect({
    host: '127.0.0.1',
    port: mqttPort,
    reconnectPeriod: TRY_AGAIN_MS,
    manualConnect: true,
  });
  client.on('error', () => {});
  client.on('connect', () => client.subscribe(EVENTS));
  // Not by once(), which an error of the connection would end.
  const event = new Promise<void>((resolve) => client.on('message', () => resolve()));
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  const child = spawn(
    process.execPath,
    [
      bundled('cli'),
      ...['start', '--state-dir', stateDir, '--log-format', 'json'],
      ...['--rest-port', String(restPort), '--mqtt-port', String(mqttPort), '--open-tag-events'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endsWithUs(child);
  const deadline = new AbortController();
  try {
    client.connect();
    const at = <Value>(thing: Promise<Value>) => thing.then(since);
    const parts = Promise.all([
      at(logLine(child, 'radio-control is ready')),
      at(firstRead(join(stateDir, 'radio.sock'), deadline.signal)),
      at(logLine(child, 'REST listens')),
      event.then(() => ({ firstEvent: since(), cpu: cpuOfAll(child.pid as number) })),
    ]);
    const late = sleep(WITHIN_MS, undefined, { signal: deadline.signal }).then(() => {
      throw new Error(`no tag event within ${WITHIN_MS / 1000} s`);
    });
    const gone = once(child, 'exit', { signal: deadline.signal }).then(([code]) => {
      throw new Error(`the reader ended with ${code}`);
    });
    const [radioReady, readSeconds, gatewayReady, atEvent] = await Promise.race([
      parts,
      late,
      gone,
    ]);
    return { radioReady, firstRead: readSeconds, gatewayReady, ...atEvent };
  } finally {
    deadline.abort();
    await client.endAsync(true);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

/** Of a process and its children, seconds. */
function cpuOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const pids = [pid, ...children.filter((text) => text.trim() !== '').map(Number)];
  return pids.reduce((sum, one) => sum + cpuUs(one), 0) / 1e6;
}

function logLine(child: ChildProcess, message: string): Promise<void> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      if (line.includes(`"msg":"${message}"`)) resolve();
    });
  });
}

async function firstRead(socket: string, ended: AbortSignal): Promise<void> {
  const client = new RadioClient(`unix:${socket}`);
  try {
    while (!ended.aborted) {
      const stream = client.streamReads({ maxLatencyMs: 1 });
      // A stream that cannot be had yet ends with an error, and is asked for again.
      const read = await Promise.race([
        once(stream, 'data', { signal: ended }).then(
          () => true,
          () => false,
        ),
        once(stream, 'close').then(() => false),
      ]);
      stream.cancel();
      if (read) return;
      await sleep(TRY_AGAIN_MS);
    }
  } finally {
    client.close();
  }
}
