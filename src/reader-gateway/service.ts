/** The service reader-gateway. */
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PLATFORM_NAMES, type PlatformName } from '../platform/platform-name.js';
import { finishFirst } from '../shared/end-with-starter.js';
import { configError, EXIT_CONFIG, errorMessage, isSingulateError } from '../shared/errors.js';
import { logTheEnd, openLogger } from '../shared/log.js';
import { LOG_FOLDER, LOG_MEGABYTES, LogFiles, logLimits } from '../shared/log-files.js';
import { LOG_FORMATS, type LogFormat } from '../shared/log-formats.js';
import { beat, LONG_TURN, LoopWatch } from '../shared/loop-watch.js';
import { withOptionFile } from '../shared/option-file.js';
import { releaseProgramPages } from '../shared/program-pages.js';
import { ServiceManager } from '../shared/service-manager.js';
import { RESTARTS, type ServiceRestarts } from '../shared/service-restarts.js';
import { tell } from '../shared/starter.js';
import { StateFaults } from '../shared/state-faults.js';
import { ensureLogin } from './auth/login-store.js';
import { defaultRadioTarget, Gateway } from './gateway.js';
import { LEAST_UPTIME_S } from './operations/reboots.js';

/** Seconds. */
const MOST_LEAST_UPTIME_S = 3600;

interface Options {
  stateDir: string;
  logDir: string;
  restHost: string;
  restPort: number;
  radio: string;
  localBroker: URL | undefined;
  bootId: string;
  autostart: boolean;
  trustLocalPrograms: boolean;
  refuseLocalFetches: boolean;
  certificateFolders: string[] | undefined;
  passwordToFile: boolean;
  platform: PlatformName;
  leds: string | undefined;
  update: { trusted: string | undefined };
  leastUptime: number;
  logFormat: LogFormat;
  /** Of all log files of this service. */
  logMegabytes: number;
}

function readOptions(args: string[]): Options {
  const values = parse(args);
  const stateDir = values['state-dir'];
  if (!stateDir) throw configError('--state-dir is required');
  const restPort = Number(values['rest-port'] ?? 8443);
  if (!Number.isInteger(restPort) || restPort < 0 || restPort > 65535) {
    throw configError(`--rest-port: ${values['rest-port']} is not a port of 0 to 65535`);
  }
  const logFormat = values['log-format'] ?? 'json';
  if (!LOG_FORMATS.includes(logFormat as LogFormat)) {
    throw configError(`--log-format: ${logFormat} is not one of ${LOG_FORMATS.join(', ')}`);
  }
  const platform = values.platform ?? 'emulated';
  if (!PLATFORM_NAMES.includes(platform as PlatformName)) {
    throw configError(`--platform: ${platform} is not one of ${PLATFORM_NAMES.join(', ')}`);
  }
  const logMegabytes = Number(values['log-mb'] ?? LOG_MEGABYTES);
  if (!Number.isInteger(logMegabytes) || logMegabytes < 1 || logMegabytes > 1000) {
    throw configError(`--log-mb: ${values['log-mb']} is not a number of 1 to 1000`);
  }
  const leastUptime = Number(values['least-uptime'] ?? LEAST_UPTIME_S);
  if (!Number.isInteger(leastUptime) || leastUptime < 0 || leastUptime > MOST_LEAST_UPTIME_S) {
    throw configError(
      `--least-uptime: ${values['least-uptime']} is not a number of 0 to ${MOST_LEAST_UPTIME_S}`,
    );
  }
  return {
    stateDir,
    logDir: values['log-dir'] ?? join(stateDir, LOG_FOLDER),
    platform: platform as PlatformName,
    leds: values.leds,
    restHost: values['rest-host'] ?? '0.0.0.0',
    restPort,
    radio: values.radio ?? defaultRadioTarget(stateDir),
    localBroker: brokerUrl(values['local-broker']),
    bootId: values['boot-id'] ?? '',
    autostart: values.autostart ?? false,
    trustLocalPrograms: values['trust-local-programs'] ?? false,
    refuseLocalFetches: values['refuse-local-fetches'] ?? false,
    certificateFolders: certificateFolders(values['certificate-folders']),
    passwordToFile: values['password-to-file'] ?? false,
    update: { trusted: values['update-cert'] },
    leastUptime,
    logFormat: logFormat as LogFormat,
    logMegabytes,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'state-dir': { type: 'string' },
        'log-dir': { type: 'string' },
        'rest-host': { type: 'string' },
        'rest-port': { type: 'string' },
        radio: { type: 'string' },
        'local-broker': { type: 'string' },
        'boot-id': { type: 'string' },
        platform: { type: 'string' },
        leds: { type: 'string' },
        'update-cert': { type: 'string' },
        'least-uptime': { type: 'string' },
        autostart: { type: 'boolean' },
        'trust-local-programs': { type: 'boolean' },
        'refuse-local-fetches': { type: 'boolean' },
        'certificate-folders': { type: 'string' },
        'password-to-file': { type: 'boolean' },
        'log-format': { type: 'string' },
        'log-mb': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw configError(errorMessage(error));
  }
}

/** @param text Absolute paths with colons between them; empty: of the state folder alone. */
function certificateFolders(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const folders = text.split(':').filter((folder) => folder !== '');
  const wrong = folders.find((folder) => !isAbsolute(folder));
  if (wrong === undefined) return folders;
  throw configError(`--certificate-folders: ${wrong} is not an absolute path`);
}

function brokerUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'mqtt:' || url.hostname === '') {
    throw configError(`--local-broker: ${text} is not like mqtt://127.0.0.1:1883`);
  }
  return url;
}

async function main(): Promise<void> {
  beat();
  // While it starts there is nothing to stop: what its files say is whole at every moment.
  let stop: (reason: string) => Promise<void> = async () => {};
  let ended: Promise<void> | undefined;
  const end = (reason: string) => {
    ended ??= stop(reason);
    return ended;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Whatever hangs, the supervisor gets its exit.
      setTimeout(() => process.exit(0), 4000).unref();
      void end(signal).then(() => process.exit(0));
    });
  }
  const options = await withOptionFile(process.argv.slice(2), readOptions);
  const limits = logLimits(options.logMegabytes);
  const logFiles = new LogFiles(options.logDir, 'reader_gateway', limits);
  const log = await openLogger('reader_gateway', { format: options.logFormat, files: logFiles });
  logTheEnd(log, logFiles);
  const manager = new ServiceManager(log);
  // A supervisor has made the login itself and shown it. What systemd starts has its lines kept in
  // the journal, which is no place for a password.
  const toFile = options.passwordToFile;
  const given = process.env.SINGULATE_PASSWORD;
  const faults = new StateFaults(log);
  const { user, newPassword, passwordFile } = await ensureLogin(options.stateDir, given, {
    toFile,
    faults,
  });
  if (passwordFile !== undefined) {
    log.info({ user, file: passwordFile }, 'the first password is in this file');
  } else if (newPassword !== undefined && process.send === undefined) {
    process.stdout.write(`login: ${user}, password: ${newPassword} (shown only this once)\n`);
  }
  const loop = new LoopWatch((turns) => log.warn(turns, LONG_TURN));
  let restarts: readonly ServiceRestarts[] = [];
  process.on('message', (message: { type?: string; restarts?: ServiceRestarts[] }) => {
    if (message.type === RESTARTS) restarts = message.restarts ?? [];
  });
  const start = (autostart: boolean) =>
    Gateway.start({
      ...options,
      autostart,
      health: { loop, restarts: () => restarts },
      log,
      logFiles,
      onFirstEvent: () => tell({ type: 'first-tag-event' }),
      onEndpoints: (endpoints) => tell({ type: 'endpoints', endpoints }),
      onReboot: () => void reboot(),
    });
  /** Once it is up, until it is stopped. */
  let running: Gateway | undefined;
  let stopped = Promise.resolve();
  const stopRunning = () => {
    if (running !== undefined) stopped = running.stop();
    running = undefined;
    return stopped;
  };
  const startAndReport = async (autostart: boolean) => {
    const gateway = await start(autostart);
    running = gateway;
    tell({ type: 'ready', restUrl: gateway.restUrl });
    return gateway;
  };
  /** The emulated device comes up again as after a power cycle, in the same process. */
  const reboot = async () => {
    // A second request may have been answered before the service was down.
    if (running === undefined) return;
    try {
      await stopRunning();
      if (ended === undefined) await startAndReport(false);
    } catch (error) {
      fail(error);
    }
  };
  const { restUrl } = await startAndReport(options.autostart);
  loop.start();
  stop = async (reason) => {
    log.info({ reason }, 'stopping');
    void manager.stopping();
    loop.stop();
    await stopRunning();
    await logFiles.close();
  };
  finishFirst(() => end('the supervisor is gone'));
  await manager.ready(`REST on ${restUrl}`);
  manager.watch();
  releaseProgramPages(log);
}

export async function runService(): Promise<void> {
  await main().catch(fail);
}

function fail(error: unknown): never {
  if (isSingulateError(error, 'CONFIG')) {
    process.stderr.write(`reader-gateway: ${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
  process.stderr.write(`reader-gateway: ${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
