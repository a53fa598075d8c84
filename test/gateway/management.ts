/** A reader without a gateway around it, for tests of management events: all of it is moved by hand. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Capabilities, RadioStatus } from '../../src/contract/messages.js';
import type { ManagementEventConfig } from '../../src/reader-gateway/api/management-events.js';
import type { AppFigures } from '../../src/reader-gateway/apps/user-app.js';
import { eventText } from '../../src/reader-gateway/delivery/event-bytes.js';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import type { Level, LineChange, Lines } from '../../src/reader-gateway/io/lines.js';
import { ManagementEvents } from '../../src/reader-gateway/management/management-events.js';
import { GatewayView } from '../../src/reader-gateway/management/reader-view.js';
import type { Logger } from '../../src/shared/log.js';
import { settle, VirtualClock } from '../delivery/virtual-clock.js';
import { temporaryFolder } from './reader.js';

/** Everything off but what a test switches on. */
export const NOTHING = {
  errors: {
    cpu: false,
    flash: false,
    ram: false,
    ntp: false,
    reader_gateway: false,
    antenna: false,
    database: false,
    radio: false,
    radio_control: false,
    userapp: false,
  },
  warnings: {
    cpu: false,
    flash: false,
    ram: false,
    ntp: false,
    temperature: false,
    reader_gateway: false,
    database: false,
    radio_api: false,
    radio_control: false,
    userapp: false,
    certificate: false,
  },
  heartbeat: { fields: {}, interval: 0 },
  gpiEvents: false,
  gpoEvents: false,
  userappEvents: false,
  radioEvents: false,
} satisfies ManagementEventConfig;

/** Folders of a kernel whose figures the test writes. */
export class FakeKernel {
  readonly proc: string;
  readonly thermal: string;
  #ticks = { user: 1000, system: 1000, idle: 8000 };

  /** @param root Of its file system. */
  constructor(readonly root: string) {
    const folder = root;
    this.proc = join(folder, 'proc');
    this.thermal = join(folder, 'sys/class/thermal');
    mkdirSync(this.proc);
    mkdirSync(this.thermal, { recursive: true });
    this.memory(1000, 600);
    this.#writeTicks();
  }

  memory(totalKb: number, availableKb: number): void {
    const text = `MemTotal:       ${totalKb} kB\nMemFree: 1 kB\nMemAvailable:   ${availableKb} kB\n`;
    writeFileSync(join(this.proc, 'meminfo'), text);
  }

  /** The next ten seconds had this load. */
  load(userPercent: number, systemPercent: number): void {
    this.#ticks.user += userPercent * 10;
    this.#ticks.system += systemPercent * 10;
    this.#ticks.idle += (100 - userPercent - systemPercent) * 10;
    this.#writeTicks();
  }

  process(pid: number, group: number, cpuTicks: number, residentKb: number): void {
    const folder = join(this.proc, String(pid));
    mkdirSync(folder, { recursive: true });
    const stat = `${pid} (a (odd) name) S 1 ${group} ${group} 0 -1 0 0 0 0 0 ${cpuTicks} 0 0 0 20 0 1 0 0 0 0`;
    writeFileSync(join(folder, 'stat'), stat);
    writeFileSync(join(folder, 'status'), `Name:\tx\nVmRSS:\t   ${residentKb} kB\n`);
  }

  temperature(zone: number, type: string, celsius: number): void {
    const folder = join(this.thermal, `thermal_zone${zone}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'type'), `${type}\n`);
    writeFileSync(join(folder, 'temp'), `${celsius * 1000}\n`);
  }

  #writeTicks(): void {
    const { user, system, idle } = this.#ticks;
    writeFileSync(
      join(this.proc, 'stat'),
      `cpu  ${user} 0 ${system} ${idle} 0 0 0 0 0 0\ncpu0 1\n`,
    );
  }
}

export class FakeLines implements Lines {
  readonly gpis = new Map<number, Level>([
    [1, 'HIGH'],
    [2, 'LOW'],
  ]);
  readonly gpos = new Map<number, Level>([[1, 'LOW']]);
  listeners = new Set<(change: LineChange) => void>();

  async setGpo(port: number, level: Level): Promise<void> {
    this.move({ kind: 'gpo', port, level });
  }

  onChange(listener: (change: LineChange) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  move(change: LineChange): void {
    (change.kind === 'gpi' ? this.gpis : this.gpos).set(change.port, change.level);
    for (const listener of this.listeners) listener(change);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into events
type Event = any;

/** Management events over fakes of everything they look at. */
export class Bench {
  readonly clock = new VirtualClock();
  readonly kernel: FakeKernel;
  readonly lines = new FakeLines();
  readonly sent: Event[] = [];
  /** Questions to the radio service. */
  asked = 0;
  /** undefined: it does not answer. */
  status: RadioStatus | undefined = { inventoryId: 'a', counters: {} } as RadioStatus;
  isConnected = true;
  antennas = [1, 2];
  reading = { missed: 0, trouble: '' };
  ntp = { offset: 0, answers: undefined as boolean | undefined };
  apps: AppFigures[] = [];
  endpoints: EndpointStatus[] = [];
  #pending = 0;
  readonly events: ManagementEvents;

  constructor(t: Test) {
    const stateDir = temporaryFolder(t);
    this.kernel = new FakeKernel(stateDir);
    const bench = this;
    const timeOfDay = () => this.clock.now();
    const view = new GatewayView({
      radio: {
        status: async () => {
          this.asked++;
          if (this.status === undefined) throw new Error('away');
          return this.status;
        },
        capabilities: async () => ({ antennas: this.antennas }) as Capabilities,
        get isConnected() {
          return bench.isConnected;
        },
        activity: 'inactive',
      },
      reading: {
        get missed() {
          return bench.reading.missed;
        },
        get trouble() {
          return bench.reading.trouble;
        },
      },
      ntp: {
        read: () => ({ offset: this.ntp.offset, reach: 377 }),
        get answers() {
          return bench.ntp.answers;
        },
      },
      power: { uptimeSeconds: () => 3780 },
      identity: { hostName: 'READER01', mac: '00:11:22:33:44:55' },
      apps: { figures: () => this.apps },
      lines: this.lines,
      endpoints: () => this.endpoints,
      waitingEvents: () => 7,
      folders: { stateDir, root: this.kernel.root },
      clock: this.clock,
      timeOfDay,
    });
    this.events = new ManagementEvents({
      view: {
        look: () => this.#track(view.look()),
        heartbeat: (fields, told) => this.#track(view.heartbeat(fields, told)),
      },
      offer: (event) => void this.sent.push(JSON.parse(eventText(event, this.sent.length + 1))),
      clock: this.clock,
      timeOfDay,
      log: { error: ({ err }: { err: unknown }) => t.error(err) } as unknown as Logger,
    });
    t.teardown(() => this.events.close());
  }

  /** Only what is given is on. */
  apply(config: ManagementEventConfig, wanted = true): void {
    const { errors, warnings } = config;
    this.events.apply(
      {
        ...NOTHING,
        ...config,
        errors: { ...NOTHING.errors, ...errors },
        warnings: { ...NOTHING.warnings, ...warnings },
      },
      wanted,
    );
  }

  /** Moves on in steps that file systems can keep up with. */
  async seconds(count: number): Promise<void> {
    await this.#looked();
    for (let second = 0; second < count; second++) {
      await this.clock.advance(1000);
      await this.#looked();
    }
  }

  /** The questions to the file systems are answered in real time. */
  async #looked(): Promise<void> {
    do {
      await settle();
    } while (this.#pending > 0);
    await settle();
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await work;
    } finally {
      this.#pending--;
    }
  }

  /** Times and messages of errors and warnings, seconds since the start. */
  get alarms(): [number, string, string][] {
    return this.sent
      .filter(({ type }) => type === 'error' || type === 'warning')
      .map(({ timestamp, type, data }) => [
        (Date.parse(timestamp) - START_MS) / 1000,
        `${type} ${data.subsystem}`,
        data.message,
      ]);
  }
}

export const PROCESSORS = cpus().length;
const START_MS = 1_767_225_600_000;
