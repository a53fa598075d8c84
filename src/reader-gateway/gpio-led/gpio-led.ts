/** Does what the GPIO-LED part of the configuration says when its events happen. */
import type { Led, LedColor } from '../../platform/adapters.js';
import type { Clock } from '../../shared/clock.js';
import type { Logger } from '../../shared/log.js';
import { type Action, type GpioLed, TRIGGERS, type Trigger } from '../api/gpio-led.js';
import type { Level, Lines } from '../io/lines.js';
import { ActionList } from './action-list.js';
import { AppLed } from './app-led.js';
import { Channel } from './channel.js';
import { type Facts, holds } from './conditions.js';
import { Debounce } from './debounce.js';
import { Output, type Settable } from './output.js';

export interface GpioLedNeeds {
  lines: Lines;
  leds: readonly Led[];
  clock: Clock;
  log: Logger;
}

export interface TriggerCounters {
  runs: number;
  /** Events that were no run of their own, because one was waiting already. */
  merged: number;
}

/** Most outputs that the interface has. */
const GPOS = 4;
const DEBOUNCE_MS = 50;
const KNOWN_KEYS: readonly string[] = [...TRIGGERS, 'GPODefaults', 'LEDDefaults', 'GPIDebounce'];

export class GpioLedControl {
  readonly appLed: AppLed;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #lines: Lines;
  readonly #outputs: Output<string>[] = [];
  readonly #gpos: readonly Channel<Level>[];
  readonly #leds: readonly Channel<LedColor | 'OFF'>[];
  readonly #debounce: Debounce;
  readonly #endLines: () => void;
  readonly #facts: Facts = { cloudConnected: false, radioOngoing: false };
  readonly #counters = new Map<Trigger, TriggerCounters>();
  #config: GpioLed = {};
  #lists = new Map<Trigger, ActionList>();
  #closed = false;

  constructor({ lines, leds, clock, log }: GpioLedNeeds) {
    this.#log = log;
    this.#clock = clock;
    this.#lines = lines;
    this.#gpos = Array.from({ length: GPOS }, (_, index) => this.#gpo(index + 1));
    const lights = leds.map((led, index) =>
      this.#output<LedColor | 'OFF'>({
        name: `LED ${index + 1}`,
        write: (color) => led.set(color),
      }),
    );
    this.appLed = new AppLed(lights.at(-1), leds.at(-1)?.colors ?? [], clock);
    this.#leds = lights.map((light, index) => {
      const target: Settable<LedColor | 'OFF'> = index + 1 < lights.length ? light : this.appLed;
      return new Channel(target, clock);
    });
    this.#debounce = new Debounce(
      clock,
      (port) => this.#config.GPIDebounce?.[port] ?? DEBOUNCE_MS,
      (port, level) => this.fire(`GPI_${port}_${level === 'HIGH' ? 'H' : 'L'}` as Trigger),
    );
    this.#debounce.begin(lines.gpis);
    this.#endLines = lines.onChange(({ kind, port, level }) => {
      if (kind === 'gpi') this.#debounce.changed(port, level);
      // Outputs that tell of themselves can be set.
      else for (const output of this.#outputs) output.retryNow();
    });
  }

  /**
   * Acts on this configuration from now on: what runs ends, and outputs and LEDs get their
   * defaults. An LED without one is off, an output without one stays as it is.
   */
  configure(config: GpioLed): void {
    this.#debounce.begin(this.#lines.gpis);
    for (const list of this.#lists.values()) list.close();
    this.#keepCounters();
    this.#config = config;
    this.#lists = new Map(
      TRIGGERS.filter((trigger) => (config[trigger]?.length ?? 0) > 0).map((trigger) => [
        trigger,
        new ActionList(config[trigger] ?? [], (action) => this.#perform(trigger, action)),
      ]),
    );
    this.#gpos.forEach((gpo, index) => {
      gpo.rest(config.GPODefaults?.[index + 1]);
    });
    this.#leds.forEach((led, index) => {
      led.rest(config.LEDDefaults?.[index + 1] ?? 'OFF');
    });
    const unknown = Object.keys(config).filter((key) => !KNOWN_KEYS.includes(key));
    if (unknown.length > 0) this.#log.warn({ unknown }, 'keys of GPIO-LED that nothing acts on');
  }

  /** Cheap for a trigger without actions, and for one whose actions run. */
  fire(trigger: Trigger): void {
    if (!this.#closed) this.#lists.get(trigger)?.fire();
  }

  /** Tells of the cloud; only a change is an event. */
  cloud(connected: boolean): void {
    if (this.#facts.cloudConnected === connected) return;
    this.#facts.cloudConnected = connected;
    this.fire(connected ? 'CLOUD_CONNECT' : 'CLOUD_DISCONNECT');
  }

  /** Tells of the radio; only a change is an event. */
  radio(ongoing: boolean): void {
    if (this.#facts.radioOngoing === ongoing) return;
    this.#facts.radioOngoing = ongoing;
    this.fire(ongoing ? 'RADIO_START' : 'RADIO_STOP');
  }

  /** Since the start of the service, of every trigger that ever had actions. */
  get triggers(): ReadonlyMap<Trigger, TriggerCounters> {
    this.#keepCounters();
    return this.#counters;
  }

  /** Every output and LED that the reader has: its state, and how many writes failed. */
  get outputs(): readonly Pick<Output<string>, 'name' | 'state' | 'failures'>[] {
    // Those of ports beyond the model have no level.
    return this.#outputs.filter(
      (output, index) => index >= GPOS || output.state !== undefined || output.failures > 0,
    );
  }

  /** Leaves outputs and LEDs as they are. */
  close(): void {
    this.#closed = true;
    this.#endLines();
    this.#debounce.close();
    for (const list of this.#lists.values()) list.close();
    for (const channel of [...this.#gpos, ...this.#leds]) channel.close();
    this.appLed.close();
    for (const output of this.#outputs) output.close();
  }

  async #perform(trigger: Trigger, action: Action): Promise<void> {
    if (!holds(action.conditions, this.#facts)) return;
    const { blink } = action;
    if (action.type === 'GPO') {
      const { pin, state, postActionState } = action;
      const off = state === 'HIGH' ? 'LOW' : 'HIGH';
      const after = postActionState ?? this.#config.GPODefaults?.[pin] ?? off;
      await this.#gpos[pin - 1]?.drive(action, { value: state, off, blink, after });
      return;
    }
    const { led, color, postActionColor } = action;
    const channel = this.#leds[led - 1];
    // A configuration of before the hardware changed; a new one is refused.
    if (channel === undefined) this.#log.warn({ trigger, led }, 'an action names an LED too many');
    const after = postActionColor ?? this.#config.LEDDefaults?.[led] ?? 'OFF';
    await channel?.drive(action, { value: color, off: 'OFF', blink, after });
  }

  #gpo(port: number): Channel<Level> {
    const output = this.#output<Level>({
      name: `GPO ${port}`,
      write: (level) => this.#lines.setGpo(port, level),
      present: () => this.#lines.gpos.get(port),
    });
    return new Channel(output, this.#clock);
  }

  #output<V extends string>(port: ConstructorParameters<typeof Output<V>>[0]): Output<V> {
    const output = new Output<V>(port, this.#clock, this.#log);
    this.#outputs.push(output as unknown as Output<string>);
    return output;
  }

  #keepCounters(): void {
    for (const [trigger, list] of this.#lists) {
      const { runs, merged } = this.#counters.get(trigger) ?? { runs: 0, merged: 0 };
      this.#counters.set(trigger, { runs: runs + list.runs, merged: merged + list.merged });
      list.runs = 0;
      list.merged = 0;
    }
  }
}
