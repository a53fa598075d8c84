/** Puts the parts of reader-gateway together. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformName } from '../platform/platform.js';
import { systemClock } from '../shared/clock.js';
import type { Logger } from '../shared/log.js';
import { isMqtt } from './api/connection.js';
import type { UpgradeStatus } from './api/os-update.js';
import { Login } from './auth/login.js';
import { loadLogin } from './auth/login-store.js';
import { Tokens } from './auth/tokens.js';
import { DataEndpoints } from './delivery/data-endpoints.js';
import type { SplitEvent } from './delivery/event-bytes.js';
import { TagEvents } from './delivery/tag-events.js';
import type { EndpointStatus } from './endpoint-status.js';
import { type CommandConnectionConfig, CommandConnections } from './mqtt/command-connections.js';
import { Commands } from './mqtt/commands.js';
import { Machine } from './operations/machine.js';
import type { OperationContext } from './operations/operation.js';
import { OPERATIONS } from './operations/table.js';
import { RadioLink } from './radio/radio-link.js';
import { Reading } from './radio/reading.js';
import { type RestServer, startRestServer } from './rest/server.js';
import { ConfigStore } from './state/config-store.js';
import { factoryEndpoints } from './state/factory-connections.js';
import { ModeStore } from './state/mode-store.js';
import { RunStore } from './state/run-store.js';
import { EventStreams } from './streams/event-streams.js';
import { WebSocketDoor } from './streams/websocket-door.js';
import { Certificates } from './tls/certificates.js';
import { createUpdater, type UpdateSettings } from './update/create.js';
import type { Updater } from './update/updater.js';

export interface GatewayOptions {
  stateDir: string;
  restHost: string;
  restPort: number;
  /** gRPC target of radio-control. */
  radio: string;
  /** Broker of the factory's connections; undefined = there are none. */
  localBroker?: URL | undefined;
  /** Identity of this boot of the machine. */
  bootId: string;
  /** Start reading whatever was before. */
  autostart: boolean;
  /** What the operations on the machine itself work on; default emulated. */
  platform?: PlatformName;
  update?: UpdateSettings;
  log: Logger;
  /** Called with the progress of an OS update. */
  onFirmwareUpdateProgress?(status: UpgradeStatus): void;
  /** Called when the state or the counters of a connection changed. */
  onEndpoints(endpoints: EndpointStatus[]): void;
}

const FLUSH_MS = 2000;
const HEAD_START_MS = 250;
const COUNTERS_MS = 1000;

export class Gateway {
  readonly #reading: Reading;
  readonly #data: DataEndpoints;
  readonly #commands: CommandConnections;
  readonly #rest: RestServer;
  readonly #events: TagEvents;
  readonly #countersTimer: NodeJS.Timeout;
  readonly #update: Updater;

  /** auth.json must be there (ensureLogin). @throws CONFIG */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const { stateDir, log, bootId } = options;
    const modes = new ModeStore(stateDir);
    const run = new RunStore(stateDir, bootId);
    const config = new ConfigStore(stateDir, factoryEndpoints(options.localBroker));
    const [login] = await Promise.all([
      loadLogin(stateDir),
      modes.load(),
      run.load(),
      config.load(),
    ]);
    const machine = new Machine(stateDir);
    const certificates = new Certificates(stateDir);
    const streams = new EventStreams();
    const tokens = new Tokens(login.secret);
    const door = new WebSocketDoor(streams, tokens, log);
    const report = new EndpointReport(() => [...data.status(), ...commands.status()], options);
    const data = new DataEndpoints(
      { certificates, webSockets: door, clock: systemClock, stateDir, log },
      () => report.changed(),
    );
    const events = new TagEvents(machine, (event) => {
      data.offer(event);
      streams.offer(event);
    });
    const radio = new RadioLink(options.radio, log);
    // Also without endpoints: a stream may resume from these events later.
    const reading = new Reading(radio, modes, run, log, (reads, mode) => events.take(reads, mode));
    const update = createUpdater({
      ...options,
      radioAnswers: () => radio.isConnected,
      firmwareUpdateProgress: (status) => options.onFirmwareUpdateProgress?.(status),
    });
    await update.open();
    const context: OperationContext = {
      radio,
      reading,
      modes,
      config,
      machine,
      certificates,
      update,
      endpoints: () => [...data.status(), ...commands.status()],
      applyConnections: () => applyConnections(config, data, commands),
    };
    const commands = new CommandConnections(
      new Commands(OPERATIONS, context, log),
      certificates,
      log,
      () => report.changed(),
    );
    context.applyConnections();
    const wanted = run.resumes ? 'resume' : options.autostart ? 'start' : 'nothing';
    const opened = reading.open(wanted);
    try {
      // The reads come first: the first start also makes a certificate, which is heavy.
      await Promise.race([opened, sleep(HEAD_START_MS)]);
      const [rest] = await Promise.all([
        startRestServer(
          options.restHost,
          options.restPort,
          stateDir,
          { operations: OPERATIONS, context, login: new Login(login), tokens, streams, log },
          door,
        ),
        opened,
      ]);
      const timer = setInterval(() => report.changed(), COUNTERS_MS);
      log.info({ url: rest.url }, 'REST listens');
      // A version that has come so far may be healthy.
      update.resume();
      return new Gateway(reading, events, data, commands, rest, timer, update, streams, door);
    } catch (error) {
      reading.close();
      await Promise.all([data.stop(0), commands.stop(), update.close()]);
      throw error;
    }
  }

  private constructor(
    reading: Reading,
    events: TagEvents,
    data: DataEndpoints,
    commands: CommandConnections,
    rest: RestServer,
    countersTimer: NodeJS.Timeout,
    update: Updater,
    readonly streams: EventStreams,
    readonly webSocketDoor: WebSocketDoor,
  ) {
    this.#reading = reading;
    this.#events = events;
    this.#data = data;
    this.#commands = commands;
    this.#rest = rest;
    this.#countersTimer = countersTimer;
    this.#update = update;
  }

  /** Hands an event to all endpoints and streams, as those of reads are. */
  offer(event: SplitEvent): void {
    this.#data.offer(event);
    this.streams.offer(event);
  }

  /** Events that no endpoint has taken on its way yet. */
  get waitingEvents(): number {
    return this.#data.waitingEvents;
  }

  get restUrl(): string {
    return this.#rest.url;
  }

  /** Ends the service and leaves the radio as it is: the next start finds it reading. */
  async stop(): Promise<void> {
    clearInterval(this.#countersTimer);
    this.#reading.close();
    this.#events.close();
    await Promise.all([this.#data.stop(FLUSH_MS), this.#commands.stop(), this.#update.close()]);
    // Last: clients of a WEBSOCKET endpoint came by this door.
    await this.#rest.close();
  }
}

function applyConnections(
  config: ConfigStore,
  data: DataEndpoints,
  commands: CommandConnections,
): void {
  const gateway = config.stored['READER-GATEWAY'];
  data.apply(config.connections(['data', 'event']), gateway?.batching, gateway?.retention);
  commands.apply(
    (['control', 'management'] as const).flatMap((kind) =>
      config
        .connections([kind, 'commandResponse'])
        .filter(isMqtt)
        .map((connection, index): CommandConnectionConfig => {
          return { interface: kind, name: connection.name ?? `#${index + 1}`, connection };
        }),
    ),
  );
}

/** Tells the states of the connections when they differ, at most once a second. */
class EndpointReport {
  #lastText = '';
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: () => EndpointStatus[],
    private readonly options: GatewayOptions,
  ) {}

  changed(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#lastMs + 1000 - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastMs = Date.now();
      const endpoints = this.read();
      const text = JSON.stringify(endpoints);
      if (text === this.#lastText) return;
      this.#lastText = text;
      this.options.onEndpoints(endpoints);
    }, waitMs);
    this.#timer.unref();
  }
}

/** Path of the socket of a state folder, for people who start both services by hand. */
export function defaultRadioTarget(stateDir: string): string {
  return `unix:${join(stateDir, 'radio.sock')}`;
}
