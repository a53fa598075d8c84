/** Puts the parts of reader-gateway together. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NtpWatch } from '../platform/ntp-watch.js';
import { openPlatform } from '../platform/platform.js';
import { KnownClients } from '../shared/arrivals/known-clients.js';
import { Cached } from '../shared/cached.js';
import { systemClock } from '../shared/clock.js';
import { LOG_FOLDER } from '../shared/log-files.js';
import { StateFaults } from '../shared/state-faults.js';
import { applyConnections, reportFaults } from './apply-connections.js';
import { userAppEvent } from './apps/user-app-event.js';
import { UserApps } from './apps/user-apps.js';
import { whomToRunAs } from './apps/users.js';
import { Admission } from './auth/admission.js';
import { Login } from './auth/login.js';
import { LoginStore } from './auth/login-store.js';
import { Tokens } from './auth/tokens.js';
import { CertificateStore } from './certificates/certificate-store.js';
import { ExpiryWatch } from './certificates/expiry-watch.js';
import type { SplitEvent } from './delivery/event-bytes.js';
import { EventEndpoints, TAG_EVENTS } from './delivery/event-endpoints.js';
import { NumberLedger } from './delivery/numbers/ledger.js';
import { TagEvents } from './delivery/tag-events.js';
import { Ending } from './ending.js';
import { EndpointReport } from './endpoint-report.js';
import { Reach } from './fetch/reach.js';
import type { GatewayOptions } from './gateway-options.js';
import { boardOf } from './gpio-led/board.js';
import { cloudConnected } from './gpio-led/cloud.js';
import { GpioLedControl } from './gpio-led/gpio-led.js';
import { RadioLines } from './io/radio-lines.js';
import { Logs } from './logs/logs.js';
import { MANAGEMENT_EVENTS } from './management/event.js';
import { ManagementEvents } from './management/management-events.js';
import { GatewayView } from './management/reader-view.js';
import { CommandConnections } from './mqtt/command-connections.js';
import { Commands } from './mqtt/commands.js';
import { Machine } from './operations/machine.js';
import type { OperationContext } from './operations/operation.js';
import { readerStatus } from './operations/reader-status.js';
import { LEAST_UPTIME_S, Reboots } from './operations/reboots.js';
import { OPERATIONS } from './operations/table.js';
import { RadioLink } from './radio/radio-link.js';
import { RadioSettings } from './radio/radio-settings.js';
import { Reading } from './radio/reading.js';
import { WantedPlan } from './radio/wanted-plan.js';
import type { RestServer } from './rest/server.js';
import { finishReset } from './settings/factory-reset.js';
import { Settings } from './settings/settings.js';
import { loadStores } from './settings/stores.js';
import { finishImport } from './settings/unfinished-import.js';
import { factoryEndpoints } from './state/factory-connections.js';
import { RunStore } from './state/run-store.js';
import { tidyStateFolder } from './state/state-folder.js';
import { EventStreams } from './streams/event-streams.js';
import { shareDoor } from './streams/shared-taker.js';
import { WebSocketDoor } from './streams/websocket-door.js';
import { takeSettings } from './system/take-settings.js';
import { Certificates } from './tls/certificates.js';
import { LocalBroker } from './tls/local-broker.js';
import { defaultFolders, NamedFiles } from './tls/named-files.js';
import { Updater } from './update/updater.js';

const FLUSH_MS = 2000;
const HEAD_START_MS = 250;
const SETTINGS_MS = 1000;
const COUNTERS_MS = 1000;
const STATUS_AGE_MS = 20;

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
    const logDir = options.logDir ?? join(stateDir, LOG_FOLDER);
    const factory = factoryEndpoints(options.localBroker);
    const faults = new StateFaults(log);
    if (await finishReset(stateDir, logDir, faults)) log.warn('factory reset done');
    const removeOldBackups = await tidyStateFolder(stateDir);
    await finishImport(stateDir, factory, faults);
    const { trusted, maxBoots, ...updateLimits } = options.update ?? {};
    const platform = await openPlatform(options.platform ?? 'emulated', {
      stateDir,
      faults,
      bootId: options.bootId,
      trusted,
      maxBoots,
      leds: options.leds,
      log,
    });
    ending.foundation(() => platform.close());
    const { bootId } = platform.power;
    const run = new RunStore(stateDir, bootId);
    const [logins, stores] = await Promise.all([
      LoginStore.load(stateDir),
      loadStores(stateDir, factory, { faults, log }),
      run.load(faults),
    ]);
    const { config, modes, cables, description, logStore, changes } = stores;
    reportFaults(config, log);
    const machine = new Machine(stateDir);
    const ntp = new NtpWatch();
    ending.source(() => ntp.stop());
    // A system service that hangs does not keep the reader from reading.
    await Promise.race([
      takeSettings(platform, machine, ntp, log),
      sleep(SETTINGS_MS, undefined, { ref: false }),
    ]);
    const files = new NamedFiles(
      stateDir,
      options.certificateFolders ?? defaultFolders(options.platform),
    );
    const reach = new Reach(options.refuseLocalFetches ?? false);
    const { localBroker } = options;
    const certificates = new Certificates(
      stateDir,
      files,
      localBroker && new LocalBroker(localBroker, stateDir),
    );
    const certificateStore = new CertificateStore(stateDir, certificates, log, reach);
    certificateStore.recover();
    const numbers = NumberLedger.open(stateDir, log);
    ending.foundation(() => numbers.close());
    const streams = new EventStreams({}, numbers.numbers('stream', ''));
    const tokens = new Tokens(logins.state.secret);
    const known = new KnownClients();
    const login = new Login(logins, tokens, known);
    const admission = new Admission(tokens, options.trustLocalPrograms, known);
    const door = new WebSocketDoor(streams, admission, log);
    let onReport = () => {};
    const [dataDoor, managementDoor] = shareDoor(door);
    const delivery = { certificates, clock: systemClock, stateDir, numbers, log };
    const data = ending.receiver(
      new EventEndpoints(TAG_EVENTS, { ...delivery, webSockets: dataDoor }, () => onReport()),
    );
    const management = ending.receiver(
      new EventEndpoints(MANAGEMENT_EVENTS, { ...delivery, webSockets: managementDoor }, () =>
        onReport(),
      ),
    );
    let first = true;
    const events = new TagEvents(machine, (event) => {
      data.offer(event);
      streams.offer(event);
      if (!first) return;
      first = false;
      options.onFirstEvent?.();
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
      reach,
      runsAs: whomToRunAs(options.platform ?? 'emulated'),
      log,
      faults,
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
    const wanted = new WantedPlan(radio, stores);
    const reading = new Reading({ link: radio, wanted, run, changes, log }, (reads, mode) => {
      events.take(reads, mode);
      gpioLed.fire('TAG_READ');
    });
    const radioSettings = new RadioSettings({
      link: radio,
      wanted,
      reading,
      settings: stores,
      changes,
      log,
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
        stateFaults: () => faults.list,
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
      faults,
      files,
      reach,
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
    const logs = new Logs({
      folder: logDir,
      store: logStore,
      changes,
      radio,
      log,
      files: options.logFiles,
    });
    const context: OperationContext = {
      radio,
      lines: radioLines,
      reading,
      wanted,
      radioSettings,
      stateFaults: () => faults.list,
      modes,
      config,
      machine,
      certificates,
      reach,
      platform,
      ntp,
      cables,
      description,
      login,
      log,
      logs,
      settings: new Settings({
        ...{ stateDir, stores, changes, radio, reading, wanted, radioSettings, logs, log },
        board: () => boardOf(radio, platform),
      }),
      apps,
      update,
      gpioLed,
      health: options.health,
      status: new Cached(() => readerStatus(context), STATUS_AGE_MS),
      numbers,
      endpoints: () => [...data.status(), ...commands.status(), ...management.status()],
      applyConnections: () => {
        applyConnections(config, { data, management, commands });
        const events = config.stored['READER-GATEWAY']?.managementEventConfig;
        managementEvents.apply(events, !management.isEmpty);
      },
      sendWaiting: () => data.sendWaiting(),
      reboots: new Reboots(options.leastUptime ?? LEAST_UPTIME_S),
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
    const report = new EndpointReport(context.endpoints, options.onEndpoints);
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
    const starts = options.autostart && !run.isDecided;
    const begin = run.resumes ? 'resume' : starts ? 'start' : 'nothing';
    const opened = reading.open(begin);
    // The reads come first: REST takes long to load, and the first start also makes a certificate.
    await Promise.race([opened, sleep(HEAD_START_MS)]);
    const { startRestServer } = await import('./rest/server.js');
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

/** Path of the socket of a state folder, for people who start both services by hand. */
export function defaultRadioTarget(stateDir: string): string {
  return `unix:${join(stateDir, 'radio.sock')}`;
}
