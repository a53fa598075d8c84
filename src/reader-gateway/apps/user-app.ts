/** One installed application: its record, its process and its socket. */
import { join } from 'node:path';
import { SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { UserApp as UserAppEntry } from '../api/user-apps.js';
import type { EventStreams } from '../streams/event-streams.js';
import { AppProcess, type AppState, type ProcessTimes } from './app-process.js';
import {
  AppSocket,
  type SocketFigures,
  type SocketHandlers,
  type SocketTimes,
} from './app-socket.js';
import { AppCgroup } from './cgroup.js';
import type { AppFolders } from './folders.js';
import { groupLimits, type Launch, launchOf, limitsText, protectionText } from './launch.js';
import { findLauncher, type Launcher } from './launcher.js';
import type { AppRecord } from './registry.js';
import { checkRunsAs, type RunsAs, userText } from './users.js';

export interface UserAppNeeds {
  folders: AppFolders;
  streams: EventStreams;
  handlers: SocketHandlers & { onState(state: AppState, lastEnd: string): void };
  log: Logger;
  times: ProcessTimes & SocketTimes;
  runsAs: RunsAs;
}

export interface AppFigures extends SocketFigures {
  appname: string;
  state: AppState;
  uptimeMs: number;
  pid: number | undefined;
  lastEnd: string;
}

export class UserApp {
  readonly record: AppRecord;
  readonly #folders: AppFolders;
  readonly #process: AppProcess;
  readonly #socket: AppSocket;
  readonly #uid: number | undefined;
  readonly #runsAs: RunsAs;
  /** Once it was asked for. */
  #launcher: Launcher | undefined;
  #group: AppCgroup | undefined;

  constructor(record: AppRecord, needs: UserAppNeeds) {
    const { folders, streams, handlers, log, times } = needs;
    this.record = record;
    this.#folders = folders;
    this.#runsAs = needs.runsAs;
    const { manifest, uid } = record;
    const paths = folders.of(manifest.name);
    // A record of a service that was root is of no use to one that is not.
    this.#uid = needs.runsAs === 'own' ? (uid ?? undefined) : undefined;
    this.#socket = new AppSocket(manifest.name, paths.socket, streams, handlers, times);
    this.#process = new AppProcess(
      {
        name: manifest.name,
        restart: manifest.restart ?? 'on-failure',
        launch: () => this.#launch(),
        afterEnd: async () => {
          const group = this.#group;
          this.#group = undefined;
          await group?.kill();
        },
        log: paths.log,
        run: paths.run,
        uid: this.#uid,
        socket: paths.socket,
        onState: (state) => handlers.onState(state, this.#process.lastEnd),
      },
      log,
      times,
    );
  }

  /** It runs, or is about to. */
  get isOn(): boolean {
    return this.#process.state === 'running' || this.#process.state === 'waiting';
  }

  /** For the heartbeat. */
  get figures(): AppFigures {
    const { state, uptimeMs, pid, lastEnd } = this.#process;
    const { name: appname } = this.record.manifest;
    return { appname, state, uptimeMs, pid, lastEnd, ...this.#socket.figures };
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** @throws STATE */
  async start(): Promise<void> {
    const { name } = this.record.manifest;
    this.#checkUser();
    await this.#folders.prepare(name, this.#uid);
    const barrier = this.#uid === undefined ? undefined : await this.#folders.barrier();
    if (barrier !== undefined) {
      const message = `other users cannot pass the folder ${barrier}, so its own user cannot reach it`;
      throw new SingulateError('STATE', `${name}: ${message}`);
    }
    await this.#socket.open(this.#uid);
    await this.#process.start();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    await this.#socket.close();
  }

  /** Stops it for good. @throws STATE if something of it lives on. */
  async end(): Promise<void> {
    await this.stop();
    await this.#process.endLeftovers();
  }

  /** @throws STATE, UNAVAILABLE, TOO_MANY */
  async send(command: string): Promise<string> {
    if (this.#process.state !== 'running') {
      const message = `appname: ${this.record.manifest.name} does not run`;
      throw new SingulateError('STATE', message);
    }
    return this.#socket.send(command);
  }

  gpi(pin: number, state: 'HIGH' | 'LOW'): void {
    this.#socket.gpi(pin, state);
  }

  /** @throws STATE if it would run as a user that can do more than an application shall. */
  #checkUser(): void {
    checkRunsAs(this.#runsAs);
    if (this.#runsAs === 'service' || this.#uid !== undefined) return;
    const { name } = this.record.manifest;
    const why = 'it was installed by a service that was not root and has no user; install it again';
    throw new SingulateError('STATE', `${name}: ${why}`);
  }

  async #launch(): Promise<Launch> {
    const { manifest, version } = this.record;
    const paths = this.#folders.of(manifest.name);
    const launcher = await findLauncher();
    this.#launcher = launcher;
    this.#group = await AppCgroup.make(manifest.name, groupLimits(manifest));
    return launchOf({
      manifest,
      folder: join(paths.versions, version),
      paths,
      uid: this.#uid,
      launcher,
      cgroup: this.#group?.folder,
    });
  }

  get entry(): UserAppEntry {
    const { manifest, autostart } = this.record;
    const { state, restarts, lastEnd } = this.#process;
    const description = manifest.description === undefined ? '' : `: ${manifest.description}`;
    return {
      appname: manifest.name,
      autostart,
      metadata: `version ${manifest.version}${description}`,
      runningStatus: state === 'running',
      state,
      version: manifest.version,
      user: userText(this.#uid),
      limits: limitsText(manifest, this.#uid),
      protection: protectionText(this.#uid, this.#launcher),
      restarts,
      lastEnd,
      connected: this.#socket.connected,
      lostEvents: this.#socket.lost,
    };
  }
}
