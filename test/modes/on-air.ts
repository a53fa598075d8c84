/**
 * Runs an operating mode on the simulated radio along the whole way but the network: compiled by
 * the gateway, taken by radio-control, run by the real addon; and looks at the air and at the tags.
 */
import { ReadBatch, type TagRead } from '../../src/contract/messages.js';
import {
  type AirPacket,
  type AirTag,
  loadAddon,
  type NativeRadio,
  type NativeStatus,
  type VirtualOptions,
} from '../../src/radio-control/addon/addon.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import { ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import { ReportRules } from '../../src/radio-control/reports/report-rules.js';
import { eventText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { TagEventFormatter } from '../../src/reader-gateway/delivery/tag-event.js';
import { type CompiledMode, compileMode } from '../../src/reader-gateway/mode/compile.js';
import type { RadioFacts } from '../../src/reader-gateway/mode/radio-facts.js';
import type { Violation } from '../../src/shared/errors.js';

/** 2026-01-01T00:00:00Z */
export const START_NS = 1_767_225_600_000_000_000n;
export const IDENTITY = { mac: '00:11:22:33:44:55', hostName: 'reader-1' };

export interface FieldTag {
  epc: string;
  tid?: string;
  user?: string;
  accessPassword?: number;
  killPassword?: number;
  lock?: number;
  /** Metres from below the antenna. */
  offset?: [number, number, number];
}

export interface RunOptions {
  tags?: FieldTag[];
  /** Antenna ports, above the same tags. */
  ports?: number[];
  facts?: Partial<RadioFacts>;
  field?: Partial<VirtualOptions>;
  /** Ends of the test's own, where the mode has none. */
  cycles?: number;
  durationMs?: number;
  /** Told before the start. */
  inputs?: Record<number, boolean>;
}

/** What came of a mode, on whichever radio. */
export interface Reading {
  compiled: CompiledMode;
  reads: TagRead[];
  // biome-ignore lint/suspicious/noExplicitAny: events as a client sees them
  events: any[];
  status: NativeStatus;
  rules: ReportRules;
}

export interface Run extends Reading {
  packets: AirPacket[];
  commands: AirPacket[];
  tags: AirTag[];
}

export const epcOf = (i: number) => `3034257bf400b780${i.toString(16).padStart(8, '0')}`;

/** Tags with a TID, 8 words of USER and open passwords. */
export function tagsOf(count: number, changes: Partial<FieldTag> = {}): FieldTag[] {
  return Array.from({ length: count }, (_, i) => ({
    epc: epcOf(i),
    tid: `e2801160${'2000'.padEnd(8, '0')}${i.toString(16).padStart(8, '0')}`,
    user: '00112233445566778899aabbccddeeff',
    ...changes,
  }));
}

export function options(run: RunOptions): VirtualOptions {
  const { tags = tagsOf(10), ports = [1, 2, 3, 4], field = {} } = run;
  return {
    module: 'virtual',
    paced: false,
    startTimeNs: START_NS,
    seed: 1,
    antennas: ports.map((port) => ({ port, position: [0, 0, 1], gainDbi: 6 })),
    channelsKhz: [915_250],
    models: [
      {
        name: 'all',
        epcWords: 8,
        userWords: 8,
        writeSensitivityDbm: -30,
        blockWrite: true,
        writeUsPerWord: 800,
      },
    ],
    groups: [
      {
        waypoints: [[0, 0, 0, 0]],
        periodSeconds: 0,
        tags: tags.map((tag, i) => ({
          epc: Buffer.from(tag.epc, 'hex'),
          offset: tag.offset ?? [0.01 * (i % 20), 0.01 * Math.floor(i / 20), 0],
          sensitivityDbm: -20,
          ...(tag.tid === undefined ? {} : { tid: Buffer.from(tag.tid, 'hex') }),
          ...(tag.user === undefined ? {} : { user: Buffer.from(tag.user, 'hex') }),
          accessPassword: tag.accessPassword ?? 0,
          killPassword: tag.killPassword ?? 0,
          lock: tag.lock ?? 0,
        })),
      },
    ],
    ...field,
  };
}

export function factsOf(
  run: RunOptions,
  radio: {
    capabilities(): Omit<RadioFacts, 'region' | 'maxEirpCdbm' | 'channelWidthKhz' | 'readerModel'>;
  },
): RadioFacts {
  return {
    region: '',
    maxEirpCdbm: 0,
    channelWidthKhz: 0,
    readerModel: '',
    ...radio.capabilities(),
    ...run.facts,
  };
}

/** Every violation as `field: message`. */
export function violationsOf(mode: object, run: RunOptions = {}): string[] {
  const radio = new (loadAddon().Radio)(options(run));
  const result = compileMode(mode, factsOf(run, radio));
  if (result.ok) return [];
  return result.violations.map(({ field, message }: Violation) => `${field}: ${message}`);
}

export async function runMode(mode: object, run: RunOptions = {}): Promise<Run> {
  const radio = new (loadAddon().Radio)(options(run));
  radio.logPackets(1_000_000);
  const reading = await readMode(radio, mode, run);
  const { packets } = radio.packets();
  return {
    ...reading,
    packets,
    commands: packets.filter(({ kind }) => kind === 'command'),
    tags: radio.tags(),
  };
}

/** Until the end that the mode or the run has. */
export async function readMode(
  radio: NativeRadio,
  mode: object,
  run: RunOptions = {},
): Promise<Reading> {
  const result = compileMode(mode, factsOf(run, radio));
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  const compiled = result.value;
  const stop = compiled.plan.stop ?? {
    durationMs: run.durationMs ?? 0,
    cycles: run.cycles ?? (run.durationMs === undefined ? 1 : 0),
  };
  const plan = compilePlan({ ...compiled.plan, stop }, radio.capabilities());
  for (const [port, high] of Object.entries(run.inputs ?? {})) radio.setInput(Number(port), high);

  const encoder = new ReadsEncoder();
  const rules = new ReportRules(plan, (record, offset, seen, rssi) =>
    encoder.add(record, offset, seen, rssi),
  );
  const buffer = Buffer.alloc(1024 * RECORD_BYTES);
  const drain = () => {
    for (let n = radio.drain(buffer); n > 0; n = radio.drain(buffer)) {
      for (let at = 0; at < n * RECORD_BYTES; ) {
        rules.take(buffer, at);
        at += RECORD_BYTES * (1 + (buffer[at + RECORD.more] as number));
      }
    }
  };
  await new Promise<void>((resolve) => {
    const pump = () => {
      do {
        drain();
        if (!radio.status().running) return resolve();
      } while (!radio.arm());
      return undefined;
    };
    radio.start(plan.native, pump);
    pump();
  });
  drain();
  rules.end();
  const reads = ReadBatch.decode(encoder.finish().bytes).reads as TagRead[];
  const formatter = new TagEventFormatter(compiled.content, IDENTITY);
  return {
    compiled,
    reads,
    events: reads.map((read, i) => {
      return JSON.parse(eventText(formatter.format(read), i + 1));
    }),
    status: radio.status(),
    rules,
  };
}

export const named = (packets: readonly AirPacket[], name: string): AirPacket[] =>
  packets.filter(({ command }) => command === name);

/** Air time in milliseconds since the start. */
export const atMs = (packet: { timeNs: bigint }): number => Number(packet.timeNs - START_NS) / 1e6;
