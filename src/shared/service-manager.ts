/**
 * Tells systemd how a service is: ready, stopping, and alive (its watchdog). Does nothing where
 * no NOTIFY_SOCKET is, or where a supervisor of our own listens.
 *
 * By systemd-notify, a process for each message: Node.js has no datagram sockets of Unix, and the
 * npm packages that bring them are native and hardly kept any more. That program is there
 * wherever systemd is, waits until systemd has taken the message, and a ping every few seconds
 * costs less than a thousandth of a core. It needs NotifyAccess=all, which lets in only processes
 * of the unit, whose user could end the service anyway.
 */
import { execFile } from 'node:child_process';
import type { Logger } from './log.js';

const PROGRAM = 'systemd-notify';
/** The watchdog's time has room for two pings that come late. */
const PINGS = 3;
const LONGEST_MS = 5000;

export class ServiceManager {
  readonly #socket: string | undefined;
  readonly #watchdogMs: number;
  readonly #log: Logger;
  #last: Promise<void> = Promise.resolve();
  #pinging = false;
  #failed = false;
  #stuck = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger, env: NodeJS.ProcessEnv = process.env, supervised = isSupervised()) {
    this.#log = log;
    this.#socket = supervised ? undefined : env.NOTIFY_SOCKET;
    const micros = Number(env.WATCHDOG_USEC);
    const forOther = env.WATCHDOG_PID !== undefined && env.WATCHDOG_PID !== String(process.pid);
    this.#watchdogMs = this.#socket && micros > 0 && !forOther ? micros / 1000 : 0;
    // Programs that this service starts have nothing to tell.
    for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  }

  /** @param status One line for people who ask systemd. */
  ready(status: string): Promise<void> {
    return this.#tell('READY=1', `STATUS=${oneLine(status)}`);
  }

  /** From now on nothing but the end is awaited. */
  stopping(): Promise<void> {
    clearInterval(this.#timer);
    return this.#tell('STOPPING=1', 'STATUS=stopping');
  }

  /**
   * Pings as long as the event loop turns and the service does not know itself to be stuck;
   * without pings systemd ends it and starts it again.
   * @param stuck Why it is; '' = it is not.
   */
  watch(stuck: () => string = () => ''): void {
    if (this.#watchdogMs === 0) return;
    this.#timer = setInterval(() => this.#ping(stuck()), this.#watchdogMs / PINGS).unref();
    this.#ping(stuck());
  }

  #ping(stuck: string): void {
    if (stuck !== this.#stuck) {
      this.#stuck = stuck;
      if (stuck !== '') this.#log.error({ stuck }, 'the watchdog gets no more pings');
    }
    // One that hangs must not be joined by others.
    if (stuck !== '' || this.#pinging) return;
    this.#pinging = true;
    void this.#tell('WATCHDOG=1').finally(() => {
      this.#pinging = false;
    });
  }

  /** Never rejects: a service without its manager goes on. */
  #tell(...variables: string[]): Promise<void> {
    if (this.#socket === undefined) return Promise.resolve();
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', NOTIFY_SOCKET: this.#socket };
    // One after the other: "stopping" must not be overtaken by "ready".
    this.#last = this.#last.then(
      () =>
        new Promise<void>((resolve) => {
          execFile(PROGRAM, variables, { env, timeout: LONGEST_MS }, (error) => {
            const failed = error !== null;
            if (failed && !this.#failed) {
              this.#log.warn({ err: error }, 'systemd cannot be told how the service is');
            }
            this.#failed = failed;
            resolve();
          });
        }),
    );
    return this.#last;
  }
}

/** By the singulate command, which starts both services with a channel. */
function isSupervised(): boolean {
  return process.send !== undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
