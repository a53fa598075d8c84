/** Whether all events have arrived. */
import type { EventCounter } from './event-counter.js';

/** What became of the events of all runs. */
export class Accounts {
  /** Neither received nor counted as dropped. */
  unaccounted = 0;

  add(run: string, offered: number, { received, late }: EventCounter, dropped: number): void {
    if (late > 0) process.stderr.write(`bench: out of order: ${run}: ${late} events came late\n`);
    const missing = offered - received - dropped;
    this.unaccounted += missing;
    if (missing === 0 && dropped === 0) return;
    const counts = `${offered} offered, ${received} received, ${dropped} dropped`;
    process.stderr.write(`bench: events are missing: ${run}: ${counts}\n`);
  }
}
