/** All user applications of the reader: installed, started, spoken to. */

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { StateFaults } from '../../shared/state-faults.js';
import type { UserApp as UserAppEntry, UserAppInstall } from '../api/user-apps.js';
import { show } from '../api/validate.js';
import { fetchFault } from '../fetch/fetch-fault.js';
import { fetchInto } from '../fetch/fetch-file.js';
import { FetchProblem, type FetchSource } from '../fetch/fetch-source.js';
import { EVERYWHERE, type Reach } from '../fetch/reach.js';
import { FileSink } from '../fetch/sinks.js';
import type { EventStreams } from '../streams/event-streams.js';
import type { Certificates } from '../tls/certificates.js';
import { type AppState, PROCESS_TIMES, type ProcessTimes } from './app-process.js';
import { SOCKET_TIMES, type SocketTimes } from './app-socket.js';
import { AppCgroup } from './cgroup.js';
import { AppFolders } from './folders.js';
import { PACKAGE_LIMITS, type PackageLimits } from './package/limits.js';
import type { OpenedPackage } from './package/open-package.js';
import { packageSource } from './package-source.js';
import { type AppRecord, AppRegistry } from './registry.js';
import { type AppFigures, UserApp, type UserAppNeeds } from './user-app.js';
import { checkRunsAs, freeUid, MAX_APPS, type RunsAs } from './users.js';

export type Level = 'HIGH' | 'LOW';

export interface UserAppsOptions {
  stateDir: string;
  /** Identity of this boot of the machine. */
  bootId: string;
  streams: EventStreams;
  certificates: Certificates;
  runsAs: RunsAs;
  log: Logger;
  /** Takes a registry that cannot be used; left out: it is an error. */
  faults?: StateFaults;
  /** An application tells something. */
  onEvent(appname: string, data: unknown): void;
  onState(appname: string, state: AppState, lastEnd: string): void;
  /** An application sets an output; rejects with the reason if it cannot be set. */
  onGpo(appname: string, pin: number, state: Level): Promise<void>;
  /** Where packages may come from; left out: everywhere. */
  reach?: Reach;
  limits?: Partial<PackageLimits>;
  times?: Partial<ProcessTimes & SocketTimes>;
}

export class UserApps {
  readonly #options: UserAppsOptions;
  readonly #folders: AppFolders;
  readonly #registry: AppRegistry;
  readonly #limits: PackageLimits;
  readonly #needs: Omit<UserAppNeeds, 'handlers'>;
  readonly #apps = new Map<string, UserApp>();
  /** Changes go one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #installing = false;
  readonly #stop = new AbortController();

  /** Starts nothing yet. @throws CONFIG if the registry cannot be used. */
  static async load(options: UserAppsOptions): Promise<UserApps> {
    const apps = new UserApps(options);
    await apps.#registry.load(options.faults);
    // Before anybody can install: later it would be taken from under an installation.
    await apps.#folders.sweepStaging().catch((err) => {
      options.log.warn({ err }, 'files of an interrupted installation are left');
    });
    for (const record of apps.#registry.records.values()) apps.#put(record);
    return apps;
  }

  private constructor(options: UserAppsOptions) {
    const { stateDir, streams, log, limits, times } = options;
    this.#options = options;
    this.#folders = new AppFolders(stateDir);
    this.#registry = new AppRegistry(this.#folders.base);
    this.#limits = { ...PACKAGE_LIMITS, ...limits };
    const allTimes = { ...PROCESS_TIMES, ...SOCKET_TIMES, ...times };
    const { runsAs } = options;
    this.#needs = { folders: this.#folders, streams, log, times: allTimes, runsAs };
  }

  /** Starts what shall run: within one boot what ran before, after a boot those with autostart. */
  async resume(): Promise<void> {
    await this.#exclusive(async () => {
      const { log, bootId } = this.#options;
      if (this.#registry.isKnown) {
        await this.#folders.sweep(this.#registry.records).catch((err) => {
          log.warn({ err }, 'files of removed user applications are left');
        });
      }
      await AppCgroup.sweep();
      await Promise.all(
        [...this.#apps.values()].map(async (app) => {
          const { wanted, autostart, manifest } = app.record;
          const sameBoot = wanted !== undefined && bootId !== '' && wanted.bootId === bootId;
          if (!(sameBoot ? wanted.running : autostart)) return;
          await app.start().catch((error) => {
            const why = errorMessage(error);
            log.error({ app: manifest.name, why }, 'user application cannot be started');
          });
        }),
      );
    });
  }

  list(): UserAppEntry[] {
    return [...this.#apps.values()].map(({ entry }) => entry);
  }

  figures(): AppFigures[] {
    return [...this.#apps.values()].map(({ figures }) => figures);
  }

  /** @throws INVALID for a wrong request or package, STATE, UNAVAILABLE if the server is away, TOO_MANY. */
  async install(request: UserAppInstall): Promise<void> {
    checkRunsAs(this.#options.runsAs);
    const source = packageSource(request);
    if (this.#installing) {
      throw new SingulateError('TOO_MANY', 'an application is being installed; try again later');
    }
    this.#installing = true;
    let stage: string | undefined;
    try {
      stage = await this.#folders.stage();
      const file = join(stage, 'package');
      await this.#fetch(source, file);
      const { openPackage } = await import('./package/open-package.js');
      const opened = await openPackage(file, join(stage, 'tree'), this.#limits);
      await this.#exclusive(() => this.#replace(opened));
    } catch (error) {
      throw diskError(error);
    } finally {
      if (stage !== undefined) await rm(stage, { recursive: true, force: true }).catch(() => {});
      this.#installing = false;
    }
  }

  async #fetch(source: FetchSource, file: string): Promise<void> {
    const { certificates, reach = EVERYWHERE, log } = this.#options;
    const maxBytes = this.#limits.maxPackageBytes;
    const { host } = new URL(source.url);
    const sinkOf = () => new FileSink(file, maxBytes);
    try {
      await fetchInto(source, certificates, sinkOf, maxBytes, {
        stop: this.#stop.signal,
        reach,
        onRetry: ({ message }) => log.info({ host, reason: message }, 'fetching is tried again'),
      });
    } catch (error) {
      throw error instanceof FetchProblem ? fetchFault(error) : error;
    }
  }

  async uninstall(name: string): Promise<void> {
    await this.#exclusive(async () => {
      const app = this.#app(name);
      // Nobody is left who could write while its files go.
      await app.end();
      await this.#registry.remove(name);
      this.#apps.delete(name);
      // From here on it is not installed; if this does not come to an end, the next start does it.
      await this.#folders.remove(name).catch((err) => {
        this.#options.log.warn({ err, app: name }, 'files of a removed user application are left');
      });
    });
    this.#options.log.info({ app: name }, 'user application uninstalled');
  }

  async start(name: string): Promise<void> {
    await this.#exclusive(async () => {
      const app = this.#app(name);
      await app.start();
      await this.#want(app, true);
    });
  }

  async stop(name: string): Promise<void> {
    await this.#exclusive(async () => {
      const app = this.#app(name);
      await app.stop();
      await this.#want(app, false);
    });
  }

  async setAutostart(name: string, autostart: boolean): Promise<void> {
    await this.#exclusive(() => this.#change(this.#app(name), { autostart }));
  }

  /** @returns What the application answers. */
  async send(name: string, command: string): Promise<string> {
    return this.#app(name).send(command);
  }

  /** Tells all applications of an input. */
  gpi(pin: number, state: Level): void {
    for (const app of this.#apps.values()) app.gpi(pin, state);
  }

  /** Process of an application, if it runs. */
  pid(name: string): number | undefined {
    return this.#apps.get(name)?.pid;
  }

  /** Stops all applications; the next start of the service starts them again. */
  async close(): Promise<void> {
    this.#stop.abort();
    // A package that is unpacked meanwhile is not installed any more.
    await this.#last.catch(() => {});
    await Promise.all([...this.#apps.values()].map((app) => app.stop()));
  }

  async #replace({ manifest, folder }: OpenedPackage): Promise<void> {
    const { name } = manifest;
    const old = this.#apps.get(name);
    const records = [...this.#registry.records.values()];
    if (old === undefined && records.length >= MAX_APPS) {
      const message = `${MAX_APPS} applications are installed, which is the most; uninstall one`;
      throw new SingulateError('STATE', message);
    }
    // What an application of this name left is not the new one's.
    if (old === undefined) await this.#folders.remove(name);
    const version = this.#folders.newVersion();
    const { versions } = this.#folders.of(name);
    const target = join(versions, version);
    await mkdir(versions, { recursive: true, mode: 0o700 });
    try {
      await rename(folder, target);
      await flushFolder(versions);
      const taken = [
        ...records.map((record) => record.uid),
        ...(await this.#folders.removedUids()),
      ];
      const uid = old?.record.uid ?? freeUid(taken);
      const { autostart = false, wanted } = old?.record ?? {};
      const record = { manifest, version, uid, autostart, ...(wanted ? { wanted } : {}) };
      // From here on it is installed; until here nothing has changed.
      await this.#registry.put(record);
      const runs = old?.isOn ?? false;
      await old?.stop();
      this.#options.log.info(
        { app: name, version: manifest.version },
        'user application installed',
      );
      const app = this.#put(record);
      if (runs) await app.start();
    } finally {
      const kept = this.#registry.records.get(name);
      if (kept === undefined) await this.#folders.remove(name);
      else await this.#folders.keepOnly(name, kept.version);
    }
  }

  async #want(app: UserApp, running: boolean): Promise<void> {
    await this.#change(app, { wanted: { running, bootId: this.#options.bootId } });
  }

  async #change(app: UserApp, change: Partial<AppRecord>): Promise<void> {
    const record = { ...app.record, ...change };
    await this.#registry.put(record);
    Object.assign(app.record, change);
  }

  #put(record: AppRecord): UserApp {
    const { name } = record.manifest;
    const handlers = {
      onEvent: (data: unknown) => this.#options.onEvent(name, data),
      onState: (state: AppState, lastEnd: string) => this.#options.onState(name, state, lastEnd),
      onGpo: (pin: number, state: Level) => this.#options.onGpo(name, pin, state),
    };
    // The registry has its own: what is shown changes once a change is on the disk.
    const app = new UserApp({ ...record }, { ...this.#needs, handlers });
    this.#apps.set(name, app);
    return app;
  }

  #app(name: string): UserApp {
    const app = this.#apps.get(name);
    if (app !== undefined) return app;
    const names = [...this.#apps.keys()].join(', ') || 'nothing';
    const message = `appname: ${show(name)} is not installed; installed: ${names}`;
    throw new SingulateError('NOT_FOUND', message);
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(() => {
      if (this.#stop.signal.aborted) throw new SingulateError('STATE', 'the reader is stopping');
      return work();
    });
    this.#last = run.catch(() => {});
    return run;
  }
}

/** The name of a new version lasts only once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function diskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new SingulateError('UNAVAILABLE', 'the reader has no space left for the application');
}
