/** Keeps the services of the reader running until the program is told to end. */
import { EXIT_CONFIG } from '../shared/errors.js';
import { RESTARTS, type ServiceRestarts } from '../shared/service-restarts.js';
import { LastResort } from './last-resort.js';
import {
  type OutputStream,
  Service,
  type ServiceMessage,
  type ServiceOptions,
  type ServiceSpec,
} from './service.js';

const GRACE_MS = 5000;
/** A package runner passes on the signal that the terminal already sent: that is not a second one. */
const SAME_SIGNAL_MS = 500;

export interface SupervisorHandlers {
  onMessage(service: Service, message: ServiceMessage): void;
  onLine(service: Service, stream: OutputStream, line: string): void;
  onRestart(service: Service, how: string, delayMs: number): void;
  onStopping(why: string): void;
}

export class Supervisor {
  readonly services: readonly Service[];
  readonly #handlers: SupervisorHandlers;
  readonly #lastResort = new LastResort();
  readonly #finished: Promise<number>;
  #finish: (code: number) => void = () => {};
  #stoppingSince: number | undefined;

  constructor(
    specs: readonly ServiceSpec[],
    handlers: SupervisorHandlers,
    options: ServiceOptions = {},
  ) {
    this.#handlers = handlers;
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.services = specs.map((spec) => {
      const service: Service = new Service(
        spec,
        {
          onMessage: (message) => {
            if (message.type === 'ready') this.#sendRestarts();
            handlers.onMessage(service, message);
          },
          onLine: (stream, line) => handlers.onLine(service, stream, line),
          onRestart: (how, delayMs) => {
            this.#sendRestarts();
            handlers.onRestart(service, how, delayMs);
          },
          onProcess: () => this.#watchProcesses(),
          onRefused: () => void this.#stopAll(`${spec.name} refused its settings`, EXIT_CONFIG),
        },
        options,
      );
      return service;
    });
  }

  /** Starts all services at once. @returns the exit code when everything has ended. */
  run(): Promise<number> {
    for (const service of this.services) service.start();
    return this.#finished;
  }

  /** A signal that ends the program; one that comes again later ends it at once. */
  signal(name: NodeJS.Signals): void {
    if (this.#stoppingSince === undefined) {
      void this.#stopAll(name, 0);
    } else if (Date.now() - this.#stoppingSince >= SAME_SIGNAL_MS) {
      for (const service of this.services) service.kill();
    }
  }

  /** Those of all services begin in one turn: what takes longer waits until they have begun. */
  #watchProcesses(): void {
    setImmediate(() => {
      const pids = this.services.map(({ pid }) => pid).filter((pid) => pid !== undefined);
      this.#lastResort.watch(pids);
    });
  }

  #sendRestarts(): void {
    const restarts: ServiceRestarts[] = this.services.flatMap(({ name, restartsBy }) =>
      [...restartsBy].map(([reason, count]) => ({ service: name, reason, count })),
    );
    for (const service of this.services) {
      if (service.receivesRestarts) service.tell({ type: RESTARTS, restarts });
    }
  }

  async #stopAll(why: string, code: number): Promise<void> {
    if (this.#stoppingSince !== undefined) return;
    this.#stoppingSince = Date.now();
    this.#handlers.onStopping(why);
    await Promise.all(this.services.map((service) => service.stop(GRACE_MS)));
    this.#lastResort.watch([]);
    this.#finish(code);
  }
}
