/** Everything that a refused request must leave as it was. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../conformance/operation-case.js';

type Watched = Pick<World, 'reader' | 'radio'>;

/**
 * Content is only read again of files that were touched: a request that is refused at once must not
 * cost more than the look at its state.
 */
export class WholeState {
  readonly #hashes = new Map<string, { stamp: string; hash: string }>();

  constructor(private readonly watched: Watched) {}

  read(): string {
    const { reader, radio } = this.watched;
    const { config, modes, machine, apps, update, cables, description } = reader.gateway.context;
    const told = [
      radio.starts.length,
      radio.changes.length,
      radio.stops,
      radio.regionChanges,
      radio.region,
      radio.logLevels.length,
      radio.packetLogs.length,
      radio.state,
    ];
    const held = [
      config.effective(),
      modes.mode,
      machine.hostName,
      process.env.TZ,
      apps.list().map(({ appname, autostart }) => [appname, autostart]),
      update.status,
      cables.of(1),
      description.present,
      told,
    ];
    return `${this.#folder(reader.stateDir)}\n${JSON.stringify(held)}`;
  }

  /** Empty folders are no content: the first use of a part may make its own. */
  #folder(folder: string): string {
    const parts = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [`${entry.name} ${entry.isFile() ? this.#hash(path) : ''}`];
      const inside = this.#folder(path);
      return inside === '' ? [] : [`${entry.name}/(${inside})`];
    });
    return parts.sort().join('\n');
  }

  #hash(path: string): string {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    const stamp = [ino, size, mtimeNs, ctimeNs].join(' ');
    const known = this.#hashes.get(path);
    if (known?.stamp === stamp) return known.hash;
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    this.#hashes.set(path, { stamp, hash });
    return hash;
  }
}
