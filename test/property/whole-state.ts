/** Everything that a refused request must leave as it was. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../conformance/operation-case.js';

/** Events come and go, whatever is asked: which numbers they have is not set by anybody. */
const EVENT_NUMBERS = '/event-numbers';

type Watched = Pick<World, 'reader' | 'radio'>;

/**
 * What a file system says about the time of a change is rough: two changes may have the same one.
 * What was looked at so soon after its last change is looked at again.
 */
const ROUGH_MS = 100;

interface Known<T> {
  stamp: string;
  /** False: it may be changed without a change of its stamp. */
  isOld: boolean;
  content: T;
}

interface Entries {
  folders: string[];
  files: string[];
  /** Sockets. */
  others: string[];
}

/**
 * Content is only read again of files and folders that were touched: a request that is refused at
 * once must not cost more than the look at its state.
 */
export class WholeState {
  readonly #folders = new Map<string, Known<Entries>>();
  readonly #files = new Map<string, Known<string>>();

  constructor(private readonly watched: Watched) {}

  read(): string {
    const { reader, radio } = this.watched;
    const { config, modes, machine, apps, update, cables, description } = reader.gateway.context;
    const held = [
      // All that holds is made of it and of what never changes.
      config.stored,
      modes.present,
      machine.hostName,
      process.env.TZ,
      apps.list().map(({ appname, autostart }) => [appname, autostart]),
      update.status,
      cables.present.ports,
      description.present,
      radio.starts.length,
      radio.changes.length,
      radio.stops,
      radio.regionChanges,
      radio.region,
      radio.channelsKhz,
      radio.outputs,
      radio.logLevels.length,
      radio.packetLogs.length,
      radio.state,
    ];
    return `${this.#folder(reader.stateDir)}${held.map((part) => JSON.stringify(part)).join('\n')}`;
  }

  /** Empty folders are no content: the first use of a part may make its own. */
  #folder(path: string): string {
    const { folders, files, others } = known(this.#folders, path, () => entriesOf(path)) ?? NONE;
    let text = '';
    for (const file of files) {
      if (file.endsWith(EVENT_NUMBERS)) continue;
      text += `${file} ${known(this.#files, file, () => hashOf(file))}\n`;
    }
    for (const other of others) text += `${other}\n`;
    for (const folder of folders) text += this.#folder(folder);
    return text;
  }
}

const NONE: Entries = { folders: [], files: [], others: [] };

/** @returns undefined if it went away meanwhile. */
function known<T>(all: Map<string, Known<T>>, path: string, look: () => T): T | undefined {
  const nowMs = Date.now();
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const stamp = stampOf(stats);
  const before = all.get(path);
  if (before?.isOld && before.stamp === stamp) return before.content;
  const isOld = nowMs - Math.max(stats.mtimeMs, stats.ctimeMs) > ROUGH_MS;
  const content = look();
  all.set(path, { stamp, isOld, content });
  return content;
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function entriesOf(folder: string): Entries {
  const entries = readdirSync(folder, { withFileTypes: true });
  const pathsOf = (wanted: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter(wanted)
      .map(({ name }) => join(folder, name))
      .sort();
  return {
    folders: pathsOf((entry) => entry.isDirectory()),
    files: pathsOf((entry) => entry.isFile()),
    others: pathsOf((entry) => !entry.isDirectory() && !entry.isFile()),
  };
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
