/** The reader as management events see it. */
import { cpus } from 'node:os';
import type { RadioStatus } from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import type { Platform } from '../../platform/adapters.js';
import { formatEventTime, formatHours } from '../../platform/clock.js';
import { CpuMeter } from '../../platform/cpu.js';
import { readMemory } from '../../platform/memory.js';
import type { NtpWatch } from '../../platform/ntp-watch.js';
import { CpuShares, percent, readProcessUse } from '../../platform/proc.js';
import { readTemperatures } from '../../platform/temperature.js';
import type { Clock } from '../../shared/clock.js';
import type { StateFault } from '../../shared/state-faults.js';
import type { HeartbeatFields } from '../api/management-events.js';
import type { AppFigures } from '../apps/user-app.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Level, Lines } from '../io/lines.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { Reading } from '../radio/reading.js';
import { POWER, readFlash } from '../system/hardware.js';
import type { Look, Measured } from './checks.js';
import { type HeartbeatFacts, heartbeatData, type UserAppFacts } from './heartbeat.js';
import type { ReaderView, Reported } from './management-events.js';
import { type MachineFolders, measure } from './measure.js';

export interface ViewParts {
  radio: Pick<RadioLink, 'status' | 'capabilities' | 'isConnected' | 'activity'>;
  reading: Pick<Reading, 'missed' | 'trouble'>;
  ntp: Pick<NtpWatch, 'read' | 'answers'>;
  power: Pick<Platform['power'], 'uptimeSeconds'>;
  identity: { readonly hostName: string; readonly mac: string };
  apps: { figures(): AppFigures[] };
  lines: Pick<Lines, 'gpis' | 'gpos'> | undefined;
  /** Of all connections. */
  endpoints(): EndpointStatus[];
  /** Events that wait in this service. */
  waitingEvents(): number;
  folders: MachineFolders;
  /** Files of the state folder that cannot be used. */
  stateFaults?(): readonly StateFault[];
  clock: Clock;
  timeOfDay(): number;
}

/** The machine is measured this often at the most: the processor load is that of this time. */
const MEASURE_MS = 5000;

export class GatewayView implements ReaderView {
  readonly #parts: ViewParts;
  readonly #alarmCpu: CpuMeter;
  readonly #beatCpu: CpuMeter;
  readonly #shares = new CpuShares();
  #measured: Measured | undefined;
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  #antennas: ReadonlyMap<number, boolean> = new Map();
  #lost = { inventoryId: '', dropped: 0, missed: 0 };
  /** Events lost by data connections, by their names. */
  #dropped = new Map<string, number>();

  constructor(parts: ViewParts) {
    this.#parts = parts;
    this.#alarmCpu = new CpuMeter(parts.folders.root);
    this.#beatCpu = new CpuMeter(parts.folders.root);
    // Their first answers are the load since the machine was started.
    this.#alarmCpu.read();
    this.#beatCpu.read();
  }

  async look(): Promise<Look & { antennas: ReadonlyMap<number, boolean> }> {
    const { radio, reading, clock, ntp } = this.#parts;
    const status = await radio.status().catch(() => undefined);
    const module = status !== undefined && radio.isConnected;
    const now = clock.now();
    if (this.#measured === undefined || now >= this.#measuredAtMs + MEASURE_MS) {
      this.#measuredAtMs = now;
      this.#measured = await measure(this.#parts.folders, this.#alarmCpu);
      if (module) await this.#lookAtAntennas();
    }
    const connections = this.#parts.endpoints();
    const { answers } = ntp;
    return {
      service: status !== undefined,
      module,
      trouble: reading.trouble,
      lostReads: this.#lostReads(status),
      antennas: this.#antennas,
      missingAntennas: [...this.#antennas].filter(([, there]) => !there).map(([port]) => port),
      connections,
      lostEvents: this.#lostEvents(connections),
      appsDown: this.#parts.apps
        .figures()
        .filter(({ state }) => state === 'waiting' || state === 'failed'),
      ntp: answers === undefined ? undefined : { offset: ntp.read().offset, answers },
      measured: this.#measured,
      stateFaults: this.#parts.stateFaults?.() ?? [],
    };
  }

  async heartbeat(fields: HeartbeatFields, reported: Reported): Promise<object> {
    const { radio, waitingEvents } = this.#parts;
    const [status, flash] = await Promise.all([
      radio.status().catch(() => undefined),
      readFlash(this.#parts.folders.stateDir),
    ]);
    if (status !== undefined && radio.isConnected) await this.#lookAtAntennas();
    const endpoints = this.#parts.endpoints();
    const memory = readMemory(this.#parts.folders.root);
    const own = readProcessUse(process.pid, this.#parts.folders.root);
    const facts: HeartbeatFacts = {
      radio_control: this.#radioFacts(status, memory.total, reported),
      reader_gateway: {
        cpu: this.#share('reader_gateway', own.cpuMs, process.uptime() * 1000),
        nolockqDepth: waitingEvents(),
        numErrors: reported.RG.errors,
        numManagementEventsTxed: endpoints
          .filter((one) => one.interface === 'managementEvent')
          .reduce((sum, { sent }) => sum + sent, 0),
        numWarnings: reported.RG.warnings,
        ram: percent(own.memoryBytes, memory.total),
        uptime: formatHours(process.uptime()),
      },
      data: endpoints.filter((one) => one.interface === 'data'),
      system: { ...this.#systemFacts(), flash, ram: memory },
      userapps: fields.userapps === undefined ? [] : this.#appFacts(memory.total),
    };
    return heartbeatData(fields, facts);
  }

  #radioFacts(
    status: RadioStatus | undefined,
    memory: number,
    { RC }: Reported,
  ): HeartbeatFacts['radio_control'] {
    const { radio } = this.#parts;
    const { counters, service } = status ?? {};
    const connection = status !== undefined && radio.isConnected;
    const uptimeMs = counterToNumber(service?.uptimeMs);
    return {
      antennas: byPort([...this.#antennas], (isThere) => connected(connection && isThere)),
      cpu: this.#share('radio_control', counterToNumber(service?.cpuTimeMs), uptimeMs),
      numDataMessagesTxed: counterToNumber(counters?.reported),
      numErrors: RC.errors,
      numRadioPacketsRxed: counterToNumber(counters?.singleSlots),
      numTagReads: counterToNumber(counters?.reads),
      numTagReadsPerAntenna: Object.fromEntries(
        Object.entries({
          ...byPort([...this.#antennas], () => 0),
          ...counters?.readsByAntenna,
        }).map(([port, reads]) => [port, counterToNumber(reads)]),
      ),
      numWarnings: RC.warnings,
      radioActivity: status === undefined ? 'inactive' : radio.activity,
      radioConnection: connected(connection),
      ram: percent(counterToNumber(service?.memoryBytes), memory),
      status: status === undefined ? 'stopped' : 'running',
      uptime: formatHours(uptimeMs / 1000),
    };
  }

  #systemFacts(): Omit<HeartbeatFacts['system'], 'flash' | 'ram'> {
    const { lines, identity, ntp, power, folders, timeOfDay } = this.#parts;
    const { ambient = 0, pa = 0 } = readTemperatures(folders.root);
    const { user, system } = this.#beatCpu.read();
    const level = (one: Level) => one;
    return {
      GPI: byPort([...(lines?.gpis ?? [])], level),
      GPO: byPort([...(lines?.gpos ?? [])], level),
      cpu: { system, user },
      hostname: identity.hostName,
      macAddress: identity.mac,
      macaddress: identity.mac,
      ntp: ntp.read(),
      ...POWER,
      systemtime: formatEventTime(timeOfDay()),
      temperature: { ambient, pa },
      uptime: formatHours(power.uptimeSeconds()),
    };
  }

  #appFacts(memory: number): UserAppFacts[] {
    return this.#parts.apps.figures().map((app) => {
      const use =
        app.pid === undefined
          ? { cpuMs: 0, memoryBytes: 0 }
          : readProcessUse(app.pid, this.#parts.folders.root);
      return {
        appname: app.appname,
        cpu: this.#share(`userapp ${app.appname}`, use.cpuMs, app.uptimeMs),
        incomingDataBufferPercentageRemaining: app.incomingPercentFree,
        numDataMessagesRxed: app.received,
        numDataMessagesTxed: app.sent,
        outgoingDataBufferPercentageRemaining: app.outgoingPercentFree,
        ram: percent(use.memoryBytes, memory),
        status: app.state,
        uptime: formatHours(app.uptimeMs / 1000),
      };
    });
  }

  #share(key: string, cpuMs: number, uptimeMs: number): number {
    const now = this.#parts.clock.now();
    return this.#shares.percent(key, cpuMs, uptimeMs, now, cpus().length);
  }

  /** A port that is not named any more is missing until it is named again. */
  async #lookAtAntennas(): Promise<void> {
    const known = await this.#parts.radio.capabilities().catch(() => undefined);
    if (known === undefined) return;
    const ports = new Set([...this.#antennas.keys(), ...known.antennas]);
    this.#antennas = new Map([...ports].map((port) => [port, known.antennas.includes(port)]));
  }

  #lostReads(status: RadioStatus | undefined): number {
    const { missed } = this.#parts.reading;
    const before = this.#lost;
    const inventoryId = status?.inventoryId ?? before.inventoryId;
    const same = inventoryId === before.inventoryId;
    const dropped =
      status === undefined ? before.dropped : counterToNumber(status.counters?.dropped);
    this.#lost = { inventoryId, dropped, missed };
    return Math.max(0, dropped - (same ? before.dropped : 0)) + (missed - before.missed);
  }

  #lostEvents(connections: readonly EndpointStatus[]): ReadonlyMap<string, number> {
    const before = this.#dropped;
    const data = connections.filter((one) => one.interface === 'data');
    this.#dropped = new Map(data.map(({ name, dropped }) => [name, dropped]));
    const lost = data.map(
      // One that is new has lost since it is there.
      ({ name, dropped }) => [name, dropped - (before.get(name) ?? 0)] as const,
    );
    return new Map(lost.filter(([, count]) => count > 0));
  }
}

function byPort<T, U>(ports: readonly (readonly [number, T])[], value: (of: T) => U) {
  return Object.fromEntries(ports.map(([port, of]) => [String(port), value(of)]));
}

function connected(isConnected: boolean): 'connected' | 'disconnected' {
  return isConnected ? 'connected' : 'disconnected';
}
