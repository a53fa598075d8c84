/** Puts the parts of reader-gateway together. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform/adapters.js';
import { useTimeZone } from '../platform/clock.js';
import { NtpWatch } from '../platform/ntp-watch.js';
import { openPlatform, type PlatformName } from '../platform/platform.js';
import { systemClock } from '../shared/clock.js';
import { errorMessage, SingulateError } from '../shared/errors.js';
import type { Logger } from '../shared/log.js';
import type { LogFiles } from '../shared/log-files.js';
import { isMqtt } from './api/connection.js';
import type { UpgradeStatus } from './api/os-update.js';
import { UserApps, type UserAppsOptions } from './apps/user-apps.js';
import { Login } from './auth/login.js';
import { loadLogin } from './auth/login-store.js';
import { Tokens } from './auth/tokens.js';
import { CertificateStore } from './certificates/certificate-store.js';
import { ExpiryWatch } from './certificates/expiry-watch.js';
import { DataEndpoints } from './delivery/data-endpoints.js';
import type { SplitEvent } from './delivery/event-bytes.js';
import { TagEvents } from './delivery/tag-events.js';
import type { EndpointStatus } from './endpoint-status.js';
import { Logs } from './logs/logs.js';
import { type CommandConnectionConfig, CommandConnections } from './mqtt/command-connections.js';
import { Commands } from './mqtt/commands.js';
import { Machine } from './operations/machine.js';
import type { OperationContext } from './operations/operation.js';
import { OPERATIONS } from './operations/table.js';
import { RadioLink } from './radio/radio-link.js';
import { Reading } from './radio/reading.js';
import { type RestServer, startRestServer } from './rest/server.js';
import { CableStore } from './state/cable-store.js';
import { ConfigStore } from './state/config-store.js';
import { DescriptionStore } from './state/description-store.js';
import { factoryEndpoints } from './state/factory-connections.js';
import { LogStore } from './state/log-store.js';
import { ModeStore } from './state/mode-store.js';
import { RegionStore } from './state/region-store.js';
import { RunStore } from './state/run-store.js';
import { EventStreams } from './streams/event-streams.js';
import { WebSocketDoor } from './streams/websocket-door.js';
import { Certificates } from './tls/certificates.js';
import { createUpdater, type UpdateSettings } from './update/create.js';

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
  /** The emulated device reboots: this service is to be stopped and started anew. */
  onReboot?(): void;
  /** Where its lines go; undefined: they are in no file. */
  logFiles?: LogFiles | undefined;
  /** Without onGpo, applications have no outputs to set; the rest has defaults. */
  userApps?: Partial<Pick<UserAppsOptions, 'onGpo' | 'limits' | 'times'>> | undefined;
  /** Called with the progress of an OS update. */
  onFirmwareUpdateProgress?(status: UpgradeStatus): void;
  /** Called when the state or the counters of a connection changed. */
  onEndpoints(endpoints: EndpointStatus[]): void;
}

const FLUSH_MS = 2000;
const HEAD_START_MS = 250;
const SETTINGS_MS = 1000;
const COUNTERS_MS = 1000;

export class Gateway {
  /** auth.json must be there (ensureLogin). @throws CONFIG */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const { stateDir, log } = options;
    const platform = await openPlatform(options.platform ?? 'emulated', stateDir);
    const bootId = [options.bootId, platform.power.bootId].join(' ').trim();
    const modes = new ModeStore(stateDir);
    const run = new RunStore(stateDir, bootId);
    const cables = new CableStore(stateDir);
    const region = new RegionStore(stateDir);
    const description = new DescriptionStore(stateDir);
    const config = new ConfigStore(stateDir, factoryEndpoints(options.localBroker));
    const logStore = new LogStore(stateDir);
    const [login] = await Promise.all([
      loadLogin(stateDir),
      modes.load(),
      run.load(),
      config.load(),
      cables.load(),
      region.load(),
      description.load(),
      logStore.load(),
    ]);
    const machine = new Machine(stateDir);
    const ntp = new NtpWatch();
    // A system service that hangs does not keep the reader from reading.
    await Promise.race([
      takeSettings(platform, machine, ntp, log),
      sleep(SETTINGS_MS, undefined, { ref: false }),
    ]);
    const certificates = new Certificates(stateDir);
    const certificateStore = new CertificateStore(stateDir, certificates, log);
    certificateStore.recover();
    const streams = new EventStreams();
    const tokens = new Tokens(login.secret);
    const door = new WebSocketDoor(streams, tokens, log);
    let onReport = () => {};
    const data = new DataEndpoints(
      { certificates, webSockets: door, clock: systemClock, stateDir, log },
      () => onReport(),
    );
    const events = new TagEvents(machine, (event) => {
      data.offer(event);
      streams.offer(event);
    });
    const apps = await UserApps.load({
      stateDir,
      bootId,
      streams,
      certificates,
      log,
      onEvent: (event) => {
        data.offer(event);
        streams.offer(event);
      },
      onGpo: noOutputs,
      ...options.userApps,
    });
    const radio = new RadioLink(options.radio, log);
    // Also without endpoints: a stream may resume from these events later.
    const reading = new Reading(radio, { modes, run, cables, region }, log, (reads, mode) =>
      events.take(reads, mode),
    );
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
      platform,
      ntp,
      cables,
      description,
      log,
      logs: new Logs({ stateDir, store: logStore, radio, log, files: options.logFiles }),
      apps,
      update,
      endpoints: () => [...data.status(), ...commands.status()],
      applyConnections: () => applyConnections(config, data, commands),
      onReboot: () => {
        if (platform.emulated) options.onReboot?.();
      },
      certificateStore,
      applyCertificates: () => {
        context.applyConnections();
        renewRest();
      },
    };
    let renewRest = () => {};
    const commands = new CommandConnections(
      new Commands(OPERATIONS, context, log),
      certificates,
      log,
      () => onReport(),
    );
    context.applyConnections();
    const report = new EndpointReport(context.endpoints, options);
    onReport = () => report.changed();
    const expiry = new ExpiryWatch(certificateStore, systemClock, log);
    const counters = setInterval(onReport, COUNTERS_MS);
    const end = {
      sources: [
        () => clearInterval(counters),
        () => ntp.stop(),
        () => platform.close(),
        () => expiry.close(),
        () => reading.close(),
        () => events.close(),
      ],
      endpoints: [data, commands, { stop: () => apps.close() }, { stop: () => update.close() }],
    };
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
      renewRest = () =>
        void rest
          .renewCertificate()
          .catch((error) => log.error({ err: error }, 'REST keeps its certificate'));
      log.info({ url: rest.url }, 'REST listens');
      // Last: the reads, and the doors, do not wait for applications.
      apps.resume().catch((err) => log.error({ err }, 'user applications cannot be started'));
      // A version that has come so far may be healthy.
      update.resume();
      return new Gateway(data, rest, end, streams, door, apps, context);
    } catch (error) {
      await endOf(end, 0);
      throw error;
    }
  }

  private constructor(
    private readonly data: DataEndpoints,
    private readonly rest: RestServer,
    private readonly parts: Parts,
    readonly streams: EventStreams,
    readonly webSocketDoor: WebSocketDoor,
    readonly apps: UserApps,
    /** What its operations work on. */
    readonly context: OperationContext,
  ) {}

  /** Hands an event to all endpoints and streams, as those of reads are. */
  offer(event: SplitEvent): void {
    this.data.offer(event);
    this.streams.offer(event);
  }

  /** Events that no endpoint has taken on its way yet. */
  get waitingEvents(): number {
    return this.data.waitingEvents;
  }

  get restUrl(): string {
    return this.rest.url;
  }

  /** Ends the service and leaves the radio as it is: the next start finds it reading. */
  async stop(): Promise<void> {
    await endOf(this.parts, FLUSH_MS);
    // Last: clients of a WEBSOCKET endpoint came by this door.
    await this.rest.close();
  }
}

/** What ends with the service, beside REST. */
interface Parts {
  /** What makes events and reports, in the order of their end. */
  sources: readonly (() => void)[];
  endpoints: readonly { stop(flushMs: number): Promise<void> }[];
}

async function endOf({ sources, endpoints }: Parts, flushMs: number): Promise<void> {
  for (const close of sources) close();
  await Promise.all(endpoints.map((one) => one.stop(flushMs)));
}

/** What the services themselves need of the settings of the system. */
async function takeSettings(
  platform: Platform,
  machine: Machine,
  ntp: NtpWatch,
  log: Logger,
): Promise<void> {
  const parts = [
    platform.hostName.read().then((name) => {
      machine.hostName = name;
    }),
    platform.timeZone.read().then((zone) => {
      // Where the system does not know its zone by name, the times stay as they are.
      if (zone !== '') useTimeZone(zone);
    }),
    platform.ntp.read().then((server) => ntp.watch(server)),
  ];
  // A reader reads tags also while a system service is away.
  for (const { status, reason } of (await Promise.allSettled(parts)) as PromiseRejectedResult[]) {
    if (status === 'rejected') log.warn({ reason: errorMessage(reason) }, 'a setting is unknown');
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

async function noOutputs(): Promise<void> {
  throw new SingulateError('STATE', 'outputs cannot be set on this reader');
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
