/** Puts the parts of reader-gateway together. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform, PlatformOptions } from '../platform/adapters.js';
import { useTimeZone } from '../platform/clock.js';
import { NtpWatch } from '../platform/ntp-watch.js';
import { openPlatform } from '../platform/platform.js';
import type { PlatformName } from '../platform/platform-name.js';
import { systemClock } from '../shared/clock.js';
import { errorMessage } from '../shared/errors.js';
import type { Logger } from '../shared/log.js';
import type { LogFiles } from '../shared/log-files.js';
import type { EndpointConfig } from './api/config.js';
import { isMqtt } from './api/connection.js';
import type { UpgradeStatus } from './api/os-update.js';
import { userAppEvent } from './apps/user-app-event.js';
import { UserApps, type UserAppsOptions } from './apps/user-apps.js';
import { Admission } from './auth/admission.js';
import { Login } from './auth/login.js';
import { LoginStore } from './auth/login-store.js';
import { Tokens } from './auth/tokens.js';
import { CertificateStore } from './certificates/certificate-store.js';
import { ExpiryWatch } from './certificates/expiry-watch.js';
import type { SplitEvent } from './delivery/event-bytes.js';
import { EventEndpoints, TAG_EVENTS } from './delivery/event-endpoints.js';
import { TagEvents } from './delivery/tag-events.js';
import { Ending } from './ending.js';
import type { EndpointStatus } from './endpoint-status.js';
import { boardOf } from './gpio-led/board.js';
import { cloudConnected } from './gpio-led/cloud.js';
import { GpioLedControl } from './gpio-led/gpio-led.js';
import type { Lines } from './io/lines.js';
import { RadioLines } from './io/radio-lines.js';
import { Logs } from './logs/logs.js';
import { MANAGEMENT_EVENTS } from './management/event.js';
import { ManagementEvents } from './management/management-events.js';
import { GatewayView } from './management/reader-view.js';
import { type CommandConnectionConfig, CommandConnections } from './mqtt/command-connections.js';
import { Commands } from './mqtt/commands.js';
import { Machine } from './operations/machine.js';
import type { OperationContext } from './operations/operation.js';
import { OPERATIONS } from './operations/table.js';
import { RadioLink } from './radio/radio-link.js';
import { Reading } from './radio/reading.js';
import { type RestLimits, type RestServer, startRestServer } from './rest/server.js';
import { finishReset } from './settings/factory-reset.js';
import { Settings } from './settings/settings.js';
import { finishImport } from './settings/unfinished-import.js';
import { CableStore } from './state/cable-store.js';
import { ConfigStore } from './state/config-store.js';
import { DescriptionStore } from './state/description-store.js';
import { factoryEndpoints } from './state/factory-connections.js';
import { LogStore } from './state/log-store.js';
import { ModeStore } from './state/mode-store.js';
import { RegionStore } from './state/region-store.js';
import { RunStore } from './state/run-store.js';
import { tidyStateFolder } from './state/state-folder.js';
import { EventStreams } from './streams/event-streams.js';
import { shareDoor } from './streams/shared-taker.js';
import { WebSocketDoor } from './streams/websocket-door.js';
import { Certificates } from './tls/certificates.js';
import { Updater, type UpdaterOptions } from './update/updater.js';

export interface GatewayOptions {
  stateDir: string;
  restHost: string;
  restPort: number;
  /** Default: those of a reader. */
  restLimits?: Partial<RestLimits>;
  /** Programs on this reader call REST without a token; default: nobody does. */
  trustLocalPrograms?: boolean;
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
  /** The LEDs of a Linux system; left out: those of the usual names. */
  leds?: string | undefined;
  /** What acts on inputs and outputs takes these; left out: those of the radio service. */
  lines?: Lines | undefined;
  /** Limits of OS updates, and whose bundles the emulated device takes. */
  update?: Pick<PlatformOptions, 'trusted' | 'maxBoots'> &
    Partial<Pick<UpdaterOptions, 'confirmMs' | 'maxBytes'>>;
  log: Logger;
  /** The emulated device reboots: this service is to be stopped and started anew. */
  onReboot?(): void;
  /** Where its lines go; undefined: they are in no file. */
  logFiles?: LogFiles | undefined;
  /** Without onGpo, applications set the outputs of the reader; the rest has defaults. */
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
    const ending = new Ending();
    try {
      return await Gateway.#begin(options, ending);
    } catch (error) {
      await ending.run(0);
      throw error;
    }
  }

  static async #begin(options: GatewayOptions, ending: Ending): Promise<Gateway> {
    const { stateDir, log } = options;
    const factory = factoryEndpoints(options.localBroker);
    const removeOldBackups = await openState(stateDir, factory, log);
    const { trusted, maxBoots, ...updateLimits } = options.update ?? {};
    const platform = await openPlatform(options.platform ?? 'emulated', {
      stateDir,
      bootId: options.bootId,
      trusted,
      maxBoots,
      leds: options.leds,
      log,
    });
    ending.foundation(() => platform.close());
    const { bootId } = platform.power;
    const modes = new ModeStore(stateDir);
    const run = new RunStore(stateDir, bootId);
    const cables = new CableStore(stateDir);
    const region = new RegionStore(stateDir);
    const description = new DescriptionStore(stateDir);
    const config = new ConfigStore(stateDir, factory);
    const logStore = new LogStore(stateDir);
    const [logins] = await Promise.all([
      LoginStore.load(stateDir),
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
    ending.source(() => ntp.stop());
    // A system service that hangs does not keep the reader from reading.
    await Promise.race([
      takeSettings(platform, machine, ntp, log),
      sleep(SETTINGS_MS, undefined, { ref: false }),
    ]);
    const certificates = new Certificates(stateDir);
    const certificateStore = new CertificateStore(stateDir, certificates, log);
    certificateStore.recover();
    const streams = new EventStreams();
    const tokens = new Tokens(logins.state.secret);
    const login = new Login(logins, tokens);
    const admission = new Admission(tokens, options.trustLocalPrograms);
    const door = new WebSocketDoor(streams, admission, log);
    let onReport = () => {};
    const [dataDoor, managementDoor] = shareDoor(door);
    const delivery = { certificates, clock: systemClock, stateDir, log };
    const data = ending.receiver(
      new EventEndpoints(TAG_EVENTS, { ...delivery, webSockets: dataDoor }, () => onReport()),
    );
    const management = ending.receiver(
      new EventEndpoints(MANAGEMENT_EVENTS, { ...delivery, webSockets: managementDoor }, () =>
        onReport(),
      ),
    );
    const events = new TagEvents(machine, (event) => {
      data.offer(event);
      streams.offer(event);
    });
    ending.source(() => events.close());
    const radioLines = new RadioLines(options.radio, log);
    ending.source(() => radioLines.close());
    const lines = options.lines ?? radioLines;
    const apps = await UserApps.load({
      stateDir,
      bootId,
      streams,
      certificates,
      log,
      onEvent: (appname, said) => {
        const event = userAppEvent(appname, said, Date.now());
        data.offer(event);
        streams.offer(event);
        managementEvents.userApp(appname, said);
      },
      onState: (appname, state, lastEnd) => managementEvents.userAppState(appname, state, lastEnd),
      onGpo: (_appname, pin, state) => lines.setGpo(pin, state),
      ...options.userApps,
    });
    ending.receiver({ stop: () => apps.close() });
    lines.onChange(({ kind, port, level }) => {
      if (kind === 'gpi') apps.gpi(port, level);
    });
    const radio = new RadioLink(options.radio, log);
    // Also without endpoints: a stream may resume from these events later.
    const gpioLed = new GpioLedControl({
      lines,
      leds: platform.leds,
      clock: systemClock,
      log,
    });
    ending.source(() => gpioLed.close());
    gpioLed.configure(config.stored['GPIO-LED'] ?? {});
    const reading = new Reading(radio, { modes, run, cables, region }, log, (reads, mode) => {
      events.take(reads, mode);
      gpioLed.fire('TAG_READ');
    });
    ending.source(() => reading.close());
    reading.onActivity((isReading) => gpioLed.radio(isReading));
    const managementEvents = new ManagementEvents({
      view: new GatewayView({
        radio,
        reading,
        ntp,
        power: platform.power,
        identity: machine,
        apps,
        lines,
        endpoints: () => context.endpoints(),
        waitingEvents: () => data.waitingEvents,
        folders: { stateDir },
        clock: systemClock,
        timeOfDay: Date.now,
      }),
      offer: (event) => management.offer(event),
      clock: systemClock,
      timeOfDay: Date.now,
      log,
    });
    ending.source(() => managementEvents.close());
    reading.onActivity((isReading, reason) => managementEvents.reading(isReading, reason));
    lines.onChange((change) => managementEvents.line(change));
    const onReboot = () => {
      if (platform.emulated) options.onReboot?.();
    };
    const update = new Updater({
      engine: platform.update,
      folder: join(stateDir, 'update'),
      log,
      reboot: async () => {
        const rebootNow = await platform.power.prepareReboot();
        await rebootNow();
        onReboot();
      },
      radioAnswers: () => radio.isConnected,
      firmwareUpdateProgress: (status) => {
        managementEvents.firmware(status);
        options.onFirmwareUpdateProgress?.(status);
      },
      ...updateLimits,
    });
    ending.receiver({ stop: () => update.close() });
    await update.open();
    const logs = new Logs({ stateDir, store: logStore, radio, log, files: options.logFiles });
    const stores = { config, modes, cables, region, description, logStore };
    const context: OperationContext = {
      radio,
      lines: radioLines,
      reading,
      modes,
      config,
      machine,
      certificates,
      platform,
      ntp,
      cables,
      description,
      login,
      log,
      logs,
      settings: new Settings({
        ...{ stateDir, stores, radio, reading, logs, log },
        board: () => boardOf(radio, platform),
      }),
      apps,
      update,
      gpioLed,
      endpoints: () => [...data.status(), ...commands.status(), ...management.status()],
      applyConnections: () => {
        applyConnections(config, data, management, commands);
        const wanted = config.stored['READER-GATEWAY']?.managementEventConfig;
        managementEvents.apply(wanted, !management.isEmpty);
      },
      sendWaiting: () => data.sendWaiting(),
      onReboot,
      certificateStore,
      applyCertificates: () => {
        context.applyConnections();
        renewRest();
      },
    };
    let renewRest = () => {};
    const commands = ending.receiver(
      new CommandConnections(new Commands(OPERATIONS, context, log), certificates, log, () =>
        onReport(),
      ),
    );
    context.applyConnections();
    const report = new EndpointReport(context.endpoints, options);
    onReport = () => {
      report.changed();
      gpioLed.cloud(cloudConnected(context.endpoints(), (path) => config.isFactory(path)));
    };
    const expiry = new ExpiryWatch(certificateStore, systemClock, log, (certificate, message) =>
      managementEvents.certificate(certificate, message),
    );
    ending.source(() => expiry.close());
    const counters = setInterval(onReport, COUNTERS_MS);
    ending.source(() => clearInterval(counters));
    const wanted = run.resumes ? 'resume' : options.autostart ? 'start' : 'nothing';
    const opened = reading.open(wanted);
    // The reads come first: the first start also makes a certificate, which is heavy.
    await Promise.race([opened, sleep(HEAD_START_MS)]);
    const [rest] = await Promise.all([
      startRestServer(
        options.restHost,
        options.restPort,
        stateDir,
        { operations: OPERATIONS, context, login, admission, streams, log },
        door,
        options.restLimits,
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
    await removeOldBackups();
    return new Gateway(data, rest, ending, streams, door, apps, context);
  }

  private constructor(
    private readonly data: EventEndpoints,
    private readonly rest: RestServer,
    private readonly ending: Ending,
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
    await this.ending.run(FLUSH_MS);
    // Last: clients of a WEBSOCKET endpoint came by this door.
    await this.rest.close();
  }
}

/** Before the state is read. @returns To be called once the service runs. @throws CONFIG */
async function openState(
  stateDir: string,
  factory: EndpointConfig,
  log: Logger,
): Promise<() => Promise<void>> {
  if (await finishReset(stateDir)) log.warn('factory reset done');
  const runs = await tidyStateFolder(stateDir);
  await finishImport(stateDir, factory);
  return runs;
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
  data: EventEndpoints,
  management: EventEndpoints,
  commands: CommandConnections,
): void {
  const { batching, retention } = config.stored['READER-GATEWAY'] ?? {};
  data.apply(config.connections(['data', 'event']), batching, retention);
  management.apply(config.connections(['management', 'event']), batching, retention);
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
