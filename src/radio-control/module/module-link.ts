/**
 * Keeps a radio module on a serial line connected: looks for it until it is there, for ever; asks
 * it how it is while nothing reads; tells the log when it is lost and found. While an inventory
 * runs the native core itself finds a module again, and only the telling is done here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RadioStatusInput } from '../../contract/messages.js';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { NativeHealth, NativeLink, NativeRadio } from '../addon/addon.js';
import type { RadioNews } from '../events/event-log.js';
import type { AwayModule } from '../inventory.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** How often the link is looked at, and how often the module is asked while nothing reads. */
const LOOK_MS = 250;
const ASK_MS = 2000;

/** How often the module is asked for its inputs, if it has any that are the reader's. */
const INPUTS_MS = 50;

type Radio = Pick<
  NativeRadio,
  'open' | 'close' | 'health' | 'link' | 'status' | 'capabilities' | 'tendLines'
>;

/** Whom the link tells, beside the log. */
export interface ModuleLinkOptions {
  /** Pins of the module are inputs of the reader: they are looked at. */
  hasInputs: boolean;
  onNews(news: RadioNews): void;
}

export class ModuleLink implements AwayModule {
  readonly #radio: Radio;
  readonly #path: string;
  readonly #log: Logger;
  readonly #closing = new AbortController();
  #onFound = () => {};
  #knownReconnects = 0;
  /** Losses with their returns that the log has. */
  #reportedReconnects = 0;
  /** Connected by open(); while an inventory runs the native link knows better. */
  #opened = false;
  #health: NativeHealth | undefined;
  /** As it was told last: undefined = there. */
  #reportedFault: string | undefined = '';
  #reportedComplaint = '';

  constructor(
    radio: Radio,
    path: string,
    log: Logger,
    private readonly options: ModuleLinkOptions,
  ) {
    this.#radio = radio;
    this.#path = path;
    this.#log = log;
  }

  /** @param onFound When it was found, and nothing reads: what the module can do may have changed. */
  start(onFound: () => void): void {
    this.#onFound = onFound;
    this.#run().catch((error) => {
      if (!this.#closing.signal.aborted) this.#log.error({ err: error }, 'the module link failed');
    });
  }

  /** Lets go of the module. */
  close(): void {
    this.#closing.abort();
    void this.#radio.close();
  }

  get away(): string {
    const { connected, fault } = this.#link;
    if (connected && this.#opened) return '';
    return fault || `${this.#path}: it is looked for`;
  }

  /** Outputs that changed reach the module now, unless an inventory runs, which sees to them itself. */
  tendLines(): void {
    this.#tend().catch((error) =>
      this.#log.error({ err: error }, 'the lines of the module failed'),
    );
  }

  async #tend(): Promise<void> {
    if (this.#radio.status().running) return;
    try {
      await this.#radio.tendLines();
    } catch (error) {
      // Whether it is there says its link; outputs are told again when it is back.
      this.#log.debug({ reason: errorMessage(error) }, 'the radio module does not tend its lines');
    }
  }

  status(): Partial<RadioStatusInput> {
    const { away } = this;
    const { temperatureCelsius: whileReading, lastFault: _, ...link } = this.#link;
    const { temperatureCelsius: asked, antennas = [] } = this.#health ?? {};
    // It is asked only while nothing reads.
    const { running } = this.#radio.status();
    const temperatureCelsius = running ? (whileReading ?? asked) : (asked ?? whileReading);
    return {
      link: {
        ...link,
        path: this.#path,
        connected: away === '',
        fault: away,
      },
      ...(temperatureCelsius === undefined ? {} : { temperatureCelsius }),
      antennas,
    };
  }

  get #link(): NativeLink {
    return this.#radio.link() as NativeLink;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#connect();
      await this.#watch();
      this.#opened = false;
      this.#health = undefined;
    }
  }

  async #connect(): Promise<void> {
    const backoff = new Backoff({ firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS });
    for (;;) {
      try {
        await this.#radio.open();
        break;
      } catch (error) {
        this.#reportLost(errorMessage(error));
        await this.#sleep(backoff.next());
      }
    }
    this.#opened = true;
    this.#lookAgain();
    this.#reportFound(this.#link.reconnects);
  }

  #lookAgain(): void {
    this.#knownReconnects = this.#link.reconnects;
    this.#onFound();
  }

  /** Until the module is lost while nothing reads. */
  async #watch(): Promise<void> {
    let askAt = 0;
    for (;;) {
      const { running } = this.#radio.status();
      const link = this.#link;
      const { connected, reconnects } = link;
      this.#reportLink(link);
      if (!running) {
        if (!connected) return;
        if (reconnects !== this.#knownReconnects) this.#lookAgain();
        if (Date.now() >= askAt) {
          await this.#ask();
          askAt = Date.now() + ASK_MS;
          continue;
        }
      }
      const { hasInputs } = this.options;
      if (hasInputs) await this.#tend();
      await this.#sleep(hasInputs ? INPUTS_MS : LOOK_MS);
    }
  }

  async #ask(): Promise<void> {
    try {
      const before = this.#health;
      this.#health = await this.#radio.health();
      this.#reportAntennas(before, this.#health);
    } catch (error) {
      // A module without sensors is a module all the same: whether it is there says its link.
      this.#log.debug({ reason: errorMessage(error) }, 'the radio module does not say how it is');
    }
  }

  /** What was not known before is no change. */
  #reportAntennas(before: NativeHealth | undefined, now: NativeHealth): void {
    for (const { port, connected } of now.antennas) {
      const known = before?.antennas.find((antenna) => antenna.port === port);
      if (known === undefined || known.connected === connected) continue;
      this.#log.info({ port, connected }, 'an antenna was plugged or unplugged');
      this.options.onNews({ antennaChanged: { port, connected } });
    }
  }

  #reportLink({ connected, fault, lastFault, complaint, reconnects }: NativeLink): void {
    // Between two looks it may have been lost and found again.
    while (this.#reportedReconnects < reconnects) {
      if (this.#reportedFault === undefined) this.#reportLost(lastFault);
      this.#reportFound(this.#reportedReconnects + 1);
    }
    if (!connected) this.#reportLost(fault);
    else if (this.#reportedFault !== undefined) this.#reportFound(reconnects);
    this.#reportComplaint(complaint);
  }

  /** Reports a reason once, not with every try. */
  #reportLost(reason: string): void {
    if (this.#closing.signal.aborted || reason === this.#reportedFault) return;
    // The first look for it finds nothing lost.
    if (this.#reportedFault === undefined) this.options.onNews({ moduleLost: { fault: reason } });
    this.#reportedFault = reason;
    this.#log.warn(
      { line: this.#path, reason },
      'the radio module is not connected, it is looked for',
    );
  }

  #reportComplaint(complaint: string): void {
    if (complaint === this.#reportedComplaint) return;
    this.#reportedComplaint = complaint;
    if (complaint === '') this.#log.info('the radio module complains no more');
    else this.#log.warn({ complaint }, 'the radio module complains');
  }

  #reportFound(reconnects: number): void {
    this.#reportedFault = undefined;
    this.#reportedReconnects = reconnects;
    const { model, firmware } = this.#radio.capabilities();
    this.#log.info(
      { line: this.#path, model, firmware, reconnects },
      'the radio module is connected',
    );
    this.options.onNews({ moduleConnected: { model, reconnects } });
  }

  #sleep(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal });
  }
}
