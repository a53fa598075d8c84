/**
 * Instructions that both services execute for a read, from the record of the simulated module to the
 * socket of an MQTT broker: counted by an emulator that runs them at the rate of the bench, so that a read costs
 * what it costs in batches of that size. Waking up and the kernel's part are not in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../src/shared/errors.js';
import { Broker } from '../delivery/broker.js';
import { EventCounter } from '../delivery/event-counter.js';
import { BenchReader } from '../delivery/reader.js';
import { mqttOptions } from '../delivery/transports.js';
import { FIELD, MODE, READS_PER_SECOND } from './field.js';
import { buildPlugin, type Instructions, PLUGIN_APIS } from './instructions.js';
import { AS_SERVICES } from './programs.js';

const EMULATORS: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'qemu-x86_64',
  arm64: 'qemu-aarch64',
};
const SERVICES = ['radio-control', 'reader-gateway'] as const;
/** V8 has optimized by then what it will. */
const WARM_UP_MS = 60_000;
const COUNT_MS = 20_000;
/** The emulated start of the radio may take longer than the gateway waits for it at first. */
const TRY_AGAIN_MS = 1000;
const STARTS_WITHIN_MS = 180_000;
/** A machine that does not keep up makes batches larger, and a read cheaper. */
const RATE_TOLERANCE = 0.05;

export interface EndToEnd {
  radio: Instructions;
  gateway: Instructions;
}

/** On this kind of processor; null with the reason where that cannot be counted. */
export async function instructionsEndToEnd(): Promise<EndToEnd> {
  let why = '';
  for (const api of PLUGIN_APIS) {
    try {
      return await counted(await buildPlugin(api));
    } catch (error) {
      why = errorMessage(error).split('\n')[0] as string;
    }
  }
  const none = { perRead: null, how: why };
  return { radio: none, gateway: none };
}

async function counted(plugin: string): Promise<EndToEnd> {
  const emulator = EMULATORS[process.arch];
  if (emulator === undefined) throw new Error(`no emulator for ${process.arch}`);
  const stateDir = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
  const scenario = join(stateDir, 'field.json');
  writeFileSync(scenario, JSON.stringify(FIELD));
  const countsOf = (service: string) => join(stateDir, `${service}.counts`);
  const broker = await Broker.start();
  const counter = new EventCounter();
  const client = await broker.subscribe((payload) => counter.take(payload));
  try {
    const services = await BenchReader.startServices(stateDir, {
      radioArgs: ['--scenario', scenario],
      mode: MODE,
      ...AS_SERVICES,
      under: (service) => [emulator, '-plugin', `${plugin},counts=${countsOf(service)}`],
    });
    try {
      const connection = { name: 'bench', type: 'mqtt', options: mqttOptions(broker.port, 0) };
      await services.deliverTo([connection]);
      await startReading(services);
      await sleep(WARM_UP_MS);
      const read = () => ({
        instructions: SERVICES.map((service) => sumIn(countsOf(service))),
        events: counter.received,
        at: performance.now(),
      });
      const before = read();
      await sleep(COUNT_MS);
      const after = read();
      const events = after.events - before.events;
      const rate = (events * 1000) / (after.at - before.at);
      if (Math.abs(rate - READS_PER_SECOND) > READS_PER_SECOND * RATE_TOLERANCE) {
        throw new Error(`${rate.toFixed(0)} reads a second, ${READS_PER_SECOND} wanted`);
      }
      const [radio, gateway] = after.instructions.map((sum, i) => ({
        perRead: (sum - (before.instructions[i] as number)) / events,
        how: `${emulator} with a plugin that counts`,
      }));
      return { radio, gateway } as EndToEnd;
    } finally {
      await services.stop();
    }
  } finally {
    await client.endAsync(true);
    await broker.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function startReading(services: BenchReader): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    try {
      return await services.startReading();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** As the plugin writes them: a number of 64 bits for each thread. */
function sumIn(path: string): number {
  return Number(
    new BigUint64Array(new Uint8Array(readFileSync(path)).buffer).reduce((a, b) => a + b, 0n),
  );
}
