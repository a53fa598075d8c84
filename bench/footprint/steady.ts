/**
 * Both services alone, as an init system runs them, at a steady rate for minutes. Broker and
 * subscriber are processes of their own and count for nothing.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broker } from '../delivery/broker.js';
import { EventCounter } from '../delivery/event-counter.js';
import { cpuUs, endsWithUs } from '../delivery/process-figures.js';
import { BenchReader } from '../delivery/reader.js';
import { mqttOptions } from '../delivery/transports.js';
import { FIELD, MODE } from './field.js';
import { type Memory, memoryOf, slope, sum } from './memory.js';
import { AS_SERVICES } from './programs.js';

const IDLE_SECONDS = 10;
const SAMPLE_MS = 2000;
const MINUTE_MS = 60_000;
const TEN_MINUTES = 10;

export interface Of<Value> {
  radio: Value;
  gateway: Value;
}

export interface Steady {
  /** Ready for this long, nothing to read. */
  idle: Of<Memory>;
  /** The means over the last tenth of the run. */
  end: Of<Memory>;
  /** Of a straight line through the second half of the run, both together. */
  growthMbInTenMinutes: number;
  /** Means over the first and the last tenth of the second half. */
  halfwayMb: number;
  endMb: number;
  /** Tag events at the subscriber. */
  events: number;
  eventsPerSecond: number;
  /** Numbers of events that never came. */
  lost: number;
  cpuUsPerRead: Of<number>;
  /** Of one processor. */
  cpuShare: Of<number>;
  broker: string;
}

interface Sample {
  atMs: number;
  memory: Of<Memory>;
}

export async function steady(minutes: number, warmUpMs: number): Promise<Steady> {
  const stateDir = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
  const scenario = join(stateDir, 'field.json');
  writeFileSync(scenario, JSON.stringify(FIELD));
  const broker = await Broker.start();
  const services = await BenchReader.startServices(stateDir, {
    radioArgs: ['--scenario', scenario],
    mode: MODE,
    ...AS_SERVICES,
  });
  for (const child of [services.radio, services.gateway]) {
    if (child !== undefined) endsWithUs(child);
  }
  const counter = new EventCounter();
  const client = await broker.subscribe((payload) => counter.take(payload));
  const memory = () => ({
    radio: memoryOf(services.radioPid),
    gateway: memoryOf(services.gatewayPid),
  });
  try {
    const connection = { name: 'bench', type: 'mqtt', options: mqttOptions(broker.port, 0) };
    await services.deliverTo([connection]);
    await services.endpointsSay('connected', ([one]) => one?.state === 'connected');
    await sleep(Math.min(IDLE_SECONDS * 1000, minutes * MINUTE_MS));
    const idle = memory();
    await services.startReading();
    await sleep(warmUpMs);
    const cpu = () => ({ radio: cpuUs(services.radioPid), gateway: cpuUs(services.gatewayPid) });
    const before = { cpu: cpu(), events: counter.received, at: performance.now() };
    const samples: Sample[] = [];
    while (performance.now() - before.at < minutes * MINUTE_MS) {
      await sleep(Math.min(SAMPLE_MS, (minutes * MINUTE_MS) / 10));
      samples.push({ atMs: performance.now() - before.at, memory: memory() });
    }
    const after = { cpu: cpu(), events: counter.received, at: performance.now() };
    await services.call('PUT', 'stop');
    const seconds = (after.at - before.at) / 1000;
    const events = after.events - before.events;
    const used = {
      radio: after.cpu.radio - before.cpu.radio,
      gateway: after.cpu.gateway - before.cpu.gateway,
    };
    return {
      idle,
      ...overTime(samples),
      events,
      eventsPerSecond: events / seconds,
      lost: counter.highest - counter.received,
      cpuUsPerRead: { radio: used.radio / events, gateway: used.gateway / events },
      cpuShare: { radio: used.radio / 1e6 / seconds, gateway: used.gateway / 1e6 / seconds },
      broker: broker.kind,
    };
  } finally {
    await client.endAsync(true);
    await services.stop();
    await broker.stop();
  }
}

function overTime(samples: Sample[]) {
  // What the first half loads, compiles and fills is not growth.
  const half = samples.slice(Math.floor(samples.length / 2));
  const tenth = Math.max(1, Math.floor(half.length / 10));
  const last = half.slice(-tenth);
  const together = ({ memory }: Sample) => sum(memory.radio, memory.gateway).rssMb;
  const points = half.map((sample) => ({
    x: sample.atMs / MINUTE_MS / TEN_MINUTES,
    y: together(sample),
  }));
  return {
    end: {
      radio: meanMemory(last.map(({ memory }) => memory.radio)),
      gateway: meanMemory(last.map(({ memory }) => memory.gateway)),
    },
    growthMbInTenMinutes: slope(points),
    halfwayMb: mean(half.slice(0, tenth).map(together)),
    endMb: mean(last.map(together)),
  };
}

function meanMemory(all: Memory[]): Memory {
  const { rssMb, pssMb } = sum(...all);
  return { rssMb: rssMb / all.length, pssMb: pssMb === null ? null : pssMb / all.length };
}

function mean(values: number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
