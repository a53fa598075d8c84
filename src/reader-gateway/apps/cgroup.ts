/** A control group (v2) for each application, where the service may make one: it ends all in it at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PREFIX = 'singulate-app-';
const ROUNDS = 100;
const ROUND_MS = 20;

export interface GroupLimits {
  /** Of all processes together. */
  memoryBytes: number;
  /** Processes and threads. */
  processes: number;
}

export class AppCgroup {
  readonly folder: string;

  /** @returns undefined where there are none, or the service may not make one. */
  static async make(name: string, limits: GroupLimits): Promise<AppCgroup | undefined> {
    const own = ownGroup();
    if (own === undefined) return undefined;
    const group = new AppCgroup(join(own, `${PREFIX}${name}-${process.pid}`));
    try {
      await mkdir(group.folder).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        await group.kill();
        await mkdir(group.folder);
      });
      await group.#limit('memory.max', limits.memoryBytes);
      await group.#limit('pids.max', limits.processes);
      return group;
    } catch {
      return undefined;
    }
  }

  /** Removes those of services that are gone, and ends what they left. */
  static async sweep(): Promise<void> {
    const own = ownGroup();
    if (own === undefined) return;
    for (const entry of readdirSync(own)) {
      const pid = entry.startsWith(PREFIX) ? /-(\d+)$/.exec(entry)?.[1] : undefined;
      if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
      await new AppCgroup(join(own, entry)).kill().catch(() => {});
    }
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Ends all that is in it, and removes it. */
  async kill(): Promise<void> {
    await writeFile(join(this.folder, 'cgroup.kill'), '1');
    for (let round = 0; ; round++) {
      const events = await readFile(join(this.folder, 'cgroup.events'), 'utf8');
      if (/^populated 0$/m.test(events) || round === ROUNDS) break;
      await sleep(ROUND_MS);
    }
    await rmdir(this.folder);
  }

  /** Only where the controller is on. */
  async #limit(file: string, value: number): Promise<void> {
    const path = join(this.folder, file);
    if (existsSync(path)) await writeFile(path, String(value));
  }
}

/** The folder of the group that this process is in, if groups can be killed there. */
function ownGroup(): string | undefined {
  try {
    const [, mount] =
      readFileSync('/proc/self/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, , type]) => type === 'cgroup2') ?? [];
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    if (mount === undefined || path === undefined) return undefined;
    const folder = join(mount, path);
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}
