/** The engine of GPIO-LED on a clock that stands still, with outputs and LEDs that remember. */
import type { Test } from 'tap';
import { LED_COLORS, type Led, type LedColor } from '../../src/platform/adapters.js';
import type { GpioLed } from '../../src/reader-gateway/api/gpio-led.js';
import { GpioLedControl } from '../../src/reader-gateway/gpio-led/gpio-led.js';
import { createLogger } from '../../src/shared/log.js';
import { settle, VirtualClock } from '../delivery/virtual-clock.js';
import { FakeLines } from './fake-lines.js';

/** An LED that remembers what it was told, and when. */
export class FakeLed implements Led {
  readonly colors = LED_COLORS;
  readonly writes: { atMs: number; color: LedColor | 'OFF' }[] = [];
  fails: Error | undefined;

  constructor(private readonly now: () => number) {}

  async set(color: LedColor | 'OFF'): Promise<void> {
    if (this.fails !== undefined) throw this.fails;
    this.writes.push({ atMs: this.now(), color });
  }

  get shown(): LedColor | 'OFF' | undefined {
    return this.writes.at(-1)?.color;
  }
}

export interface Bench {
  clock: VirtualClock;
  lines: FakeLines;
  leds: FakeLed[];
  control: GpioLedControl;
  /** Acts on this from now on; what was written before is forgotten. */
  configure(config: GpioLed): Promise<void>;
  /** What was written of an output: `0 HIGH`, `100 LOW` in milliseconds since configure(). */
  gpo(port: number): string[];
  /** What was written of an LED, as gpo() has it. */
  led(number: number): string[];
}

export function bench(t: Test): Bench {
  const clock = new VirtualClock();
  const now = () => clock.now();
  const lines = new FakeLines(now);
  const leds = [new FakeLed(now), new FakeLed(now), new FakeLed(now)];
  const log = createLogger('reader_gateway', { fd: 2, level: 'silent' });
  const control = new GpioLedControl({ lines, leds, clock, log });
  t.teardown(() => control.close());
  let beganMs = clock.now();
  return {
    clock,
    lines,
    leds,
    control,
    async configure(config) {
      control.configure(config);
      await settle();
      beganMs = clock.now();
      lines.writes.length = 0;
      for (const led of leds) led.writes.length = 0;
    },
    gpo: (port) =>
      lines.writes
        .filter((write) => write.port === port)
        .map(({ atMs, level }) => `${atMs - beganMs} ${level}`),
    led: (number) =>
      leds[number - 1]?.writes.map(({ atMs, color }) => `${atMs - beganMs} ${color}`) ?? [],
  };
}
