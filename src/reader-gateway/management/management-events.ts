/**
 * Everything that is reported to the management endpoints: what is wrong, heartbeats, and what happens
 * to the radio, the lines, the applications and the software. While nobody wants events, nothing is
 * looked at.
 */
import type { Clock, Timer } from '../../shared/clock.js';
import type { Logger } from '../../shared/log.js';
import type {
  Component,
  HeartbeatFields,
  ManagementEventConfig,
  ManagementEventType,
} from '../api/management-events.js';
import type { UpgradeStatus } from '../api/os-update.js';
import type { SplitEvent } from '../delivery/event-bytes.js';
import type { LineChange } from '../io/lines.js';
import { Alarms, type Finding } from './alarms.js';
import { findings, type Look } from './checks.js';
import { splitManagementEvent } from './event.js';
import { type EventSettings, eventSettings, type Subsystem } from './settings.js';

/** Errors and warnings that were reported since the start. */
export type Reported = Readonly<Record<Component, { errors: number; warnings: number }>>;

export interface ReaderView {
  /** What is to be known once a second; never throws. */
  look(): Promise<Look & { antennas: ReadonlyMap<number, boolean> }>;
  /** The data of a heartbeat with these fields; never throws. */
  heartbeat(fields: HeartbeatFields, reported: Reported): Promise<object>;
}

export interface Expiring {
  type: string;
  name: string;
  daysLeft: number;
}

export interface ManagementNeeds {
  view: ReaderView;
  offer(event: SplitEvent): void;
  clock: Clock;
  /** The time of day for timestamps: it follows corrections of the system's time. */
  timeOfDay(): number;
  log: Logger;
}

const LOOK_MS = 1000;

/** Numbers of errors and warnings; they never change. */
const CODES: Readonly<Record<Subsystem, number>> = {
  cpu: 1,
  ram: 2,
  flash: 3,
  ntp: 4,
  temperature: 5,
  userapp: 6,
  antenna: 7,
  radio: 8,
  radio_control: 9,
  radio_api: 10,
  reader_gateway: 11,
  database: 12,
  certificate: 13,
};

export class ManagementEvents {
  readonly #needs: ManagementNeeds;
  readonly #alarms = new Alarms();
  readonly #reported = { RG: { errors: 0, warnings: 0 }, RC: { errors: 0, warnings: 0 } };
  #settings: EventSettings = eventSettings(undefined);
  #wanted = false;
  #lookTimer: Timer | undefined;
  #beatTimer: Timer | undefined;
  #beatAtMs = 0;
  /** As they were reported last. */
  #radio = false;
  #antennas: ReadonlyMap<number, boolean> = new Map();
  /** Grows with each change: a row of looks that was begun before it ends. */
  #epoch = 0;

  constructor(needs: ManagementNeeds) {
    this.#needs = needs;
  }

  /**
   * Holds from now on; what goes on as before is not disturbed.
   * @param wanted There are endpoints for events.
   */
  apply(config: ManagementEventConfig | undefined, wanted: boolean): void {
    const before = { settings: this.#settings, wanted: this.#wanted };
    this.#settings = eventSettings(config);
    this.#wanted = wanted;
    const { errors, warnings, heartbeat, radio } = this.#settings;
    const looks = wanted && (radio || hasAny(errors) || hasAny(warnings));
    this.#lookTimer?.cancel();
    this.#epoch++;
    // At once: a new threshold may be reached already.
    if (looks) void this.#look(this.#epoch);
    const same =
      before.wanted === wanted &&
      JSON.stringify(before.settings.heartbeat) === JSON.stringify(heartbeat);
    if (same) return;
    this.#beatTimer?.cancel();
    this.#beatTimer = undefined;
    if (!wanted || heartbeat === undefined) return;
    this.#beatAtMs = this.#needs.clock.now();
    this.#nextBeat(heartbeat);
  }

  close(): void {
    this.apply(undefined, false);
  }

  line({ kind, port, level }: LineChange): void {
    if (this.#settings[kind]) this.#report('RC', kind, { pin: port, state: level });
  }

  /** What an application says. */
  userApp(appname: string, event: unknown): void {
    if (this.#settings.userapp) this.#report('RG', 'userapp', { appname, event });
  }

  userAppState(appname: string, state: string, lastEnd: string): void {
    if (this.#settings.userapp) this.#report('RG', 'userapp', { appname, state, lastEnd });
  }

  reading(isReading: boolean, reason: string): void {
    if (!this.#settings.radio) return;
    const event = isReading ? 'readingStarted' : 'readingStopped';
    this.#report('RC', 'radio', reason === '' ? { event } : { event, reason });
  }

  /** Cannot be switched off. */
  firmware(status: UpgradeStatus): void {
    this.#report('RG', 'firmwareUpdateProgress', status);
  }

  /** One that expires soon; comes once a day. */
  certificate(expiring: Expiring, message: string): void {
    if (this.#settings.warnings.certificate === undefined) return;
    const { type, name, daysLeft } = expiring;
    this.#alarm({
      level: 'warning',
      component: 'RG',
      subsystem: 'certificate',
      instance: `${type} ${name}`,
      message,
      value: daysLeft,
    });
  }

  async #look(epoch: number): Promise<void> {
    const { view, clock, log } = this.#needs;
    try {
      const look = await view.look();
      if (!this.#wanted) return;
      // Also after a change: what was lost since the look before is in this one alone.
      if (this.#settings.radio) this.#radioEvents(look.module, look.antennas);
      this.#radio = look.module;
      this.#antennas = look.antennas;
      const due = this.#alarms.due(findings(look, this.#settings), clock.now());
      for (const finding of due) this.#alarm(finding);
    } catch (error) {
      log.error({ err: error }, 'the reader cannot be looked at');
    }
    if (epoch !== this.#epoch) return;
    this.#lookTimer = clock.setTimeout(() => void this.#look(epoch), LOOK_MS);
  }

  #radioEvents(radio: boolean, antennas: ReadonlyMap<number, boolean>): void {
    if (radio !== this.#radio) {
      this.#report('RC', 'radio', { event: radio ? 'connected' : 'disconnected' });
    }
    for (const [antenna, isThere] of antennas) {
      // The first look at an antenna is no change.
      if ((this.#antennas.get(antenna) ?? isThere) === isThere) continue;
      this.#report('RC', 'antenna', { antenna, state: isThere ? 'connected' : 'disconnected' });
    }
  }

  #alarm(finding: Omit<Finding, 'intervalMs'>): void {
    const { level, component, subsystem, instance, message, value, threshold } = finding;
    if (level === 'error') this.#reported[component].errors++;
    else this.#reported[component].warnings++;
    this.#report(component, level, {
      code: CODES[subsystem],
      subsystem,
      message,
      ...(instance === undefined ? {} : { instance }),
      ...(value === undefined ? {} : { value }),
      ...(threshold === undefined ? {} : { threshold }),
    });
  }

  #nextBeat(heartbeat: NonNullable<EventSettings['heartbeat']>): void {
    const { view, clock, log } = this.#needs;
    const { fields, intervalMs } = heartbeat;
    const now = clock.now();
    // One that was late does not make all that follow late; those that were missed are left out.
    this.#beatAtMs = Math.max(this.#beatAtMs + intervalMs, now);
    const timer = clock.setTimeout(async () => {
      try {
        const data = await view.heartbeat(fields, this.#reported);
        if (timer !== this.#beatTimer) return;
        this.#report('RG', 'heartbeat', data);
      } catch (error) {
        log.error({ err: error }, 'no heartbeat');
      }
      if (timer === this.#beatTimer) this.#nextBeat(heartbeat);
    }, this.#beatAtMs - now);
    this.#beatTimer = timer;
  }

  #report(component: Component, type: ManagementEventType, data: object): void {
    if (!this.#wanted) return;
    const { offer, timeOfDay } = this.#needs;
    offer(splitManagementEvent(component, type, data, timeOfDay()));
  }
}

function hasAny(rules: object): boolean {
  return Object.keys(rules).length > 0;
}
