/** Without a terminal: log lines. Those of the services pass through as they come. */
import type { Logger } from '../shared/log.js';
import type { Counters, Presentation } from './presentation.js';
import type { RadioFigures } from './radio-watch.js';
import type { OutputStream, Service } from './service.js';
import type { Settings } from './settings.js';
import { addresses, type Login, radioSource } from './welcome.js';

export class LogLines implements Presentation {
  readonly figuresEveryMs = 10_000;
  readonly #log: Logger;
  readonly #settings: Settings;
  readonly #login: Login;

  constructor(log: Logger, settings: Settings, login: Login) {
    this.#log = log;
    this.#settings = settings;
    this.#login = login;
  }

  begin(): void {
    const { user, newPassword } = this.#login;
    this.#log.info(
      {
        ...addresses(this.#settings),
        radio: radioSource(this.#settings),
        stateDir: this.#settings.stateDir,
        user,
        // Its only appearance: the state dir has no more than a hash of it.
        ...(newPassword === undefined ? {} : { passwordShownOnce: newPassword }),
      },
      'singulate starts',
    );
  }

  serviceLine(_service: Service, stream: OutputStream, line: string): void {
    process[stream].write(`${line}\n`);
  }

  serviceMessage(): void {}

  restart(service: Service, how: string, delayMs: number): void {
    this.#log.warn({ service: service.name, how, delayMs }, 'service ended and is started again');
  }

  firstTagEvent(ms: number): void {
    this.#log.info({ ms }, 'first tag event');
  }

  figures(figures: RadioFigures | undefined): void {
    if (figures === undefined) {
      this.#log.warn('the radio service does not answer');
      return;
    }
    const { readsPerSecond, uniqueTags, reported, filtered, dropped } = figures;
    this.#log.info({ readsPerSecond, uniqueTags, reported, filtered, dropped }, 'summary');
  }

  replayFinished(counters: Counters): void {
    this.#log.info(counters, 'replay finished');
  }

  stopping(why: string): void {
    this.#log.info({ why }, 'singulate stops');
  }

  end(): void {}
}
