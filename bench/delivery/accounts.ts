/** What became of the events of all runs. */
export class Accounts {
  /** Neither received nor counted as dropped. */
  unaccounted = 0;

  add(run: string, offered: number, received: number, dropped: number): void {
    const missing = offered - received - dropped;
    this.unaccounted += missing;
    if (missing === 0 && dropped === 0) return;
    const counts = `${offered} offered, ${received} received, ${dropped} dropped`;
    process.stderr.write(`bench: events are missing: ${run}: ${counts}\n`);
  }
}
