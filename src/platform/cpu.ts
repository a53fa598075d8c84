/** Processor load of this machine. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

export interface CpuPercent {
  user: number;
  system: number;
}

/** Hundredths of a second, of all processors. */
interface CpuTicks {
  user: number;
  system: number;
  total: number;
}

/** @param root Of the file system that holds /proc. */
function readTicks(root: string): CpuTicks {
  try {
    const [line = ''] = readFileSync(join(root, 'proc/stat'), 'utf8').split('\n', 1);
    // What guests take is part of user and nice.
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
      line.split(/\s+/).slice(1).map(Number);
    const inSystem = system + irq + softirq;
    const total = user + nice + inSystem + idle + iowait + steal;
    return { user: user + nice, system: inSystem, total };
  } catch {
    return ticksOfRuntime();
  }
}

/** Of a machine without /proc. */
function ticksOfRuntime(): CpuTicks {
  const sum: CpuTicks = { user: 0, system: 0, total: 0 };
  for (const { times } of cpus()) {
    sum.user += (times.user + times.nice) / 10;
    sum.system += (times.sys + times.irq) / 10;
    sum.total += (times.user + times.nice + times.sys + times.irq + times.idle) / 10;
  }
  return sum;
}

/** The load between two calls; the first call gives the load since the machine started. */
export class CpuMeter {
  #last: CpuTicks = { user: 0, system: 0, total: 0 };
  #percent: CpuPercent = { user: 0, system: 0 };

  constructor(private readonly root = '/') {}

  read(): CpuPercent {
    const now = readTicks(this.root);
    const total = now.total - this.#last.total;
    // A shorter time than some ticks of the kernel says nothing, so the last answer stays.
    if (total < 10) return this.#percent;
    this.#percent = {
      user: Math.round((100 * (now.user - this.#last.user)) / total),
      system: Math.round((100 * (now.system - this.#last.system)) / total),
    };
    this.#last = now;
    return this.#percent;
  }
}
