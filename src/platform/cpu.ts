/** Processor load of this machine. */
import { cpus } from 'node:os';

export interface CpuPercent {
  user: number;
  system: number;
}

interface CpuTicks {
  user: number;
  system: number;
  total: number;
}

function readTicks(): CpuTicks {
  const sum: CpuTicks = { user: 0, system: 0, total: 0 };
  for (const { times } of cpus()) {
    sum.user += times.user + times.nice;
    sum.system += times.sys + times.irq;
    sum.total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return sum;
}

/** The load between two calls; the first call gives the load since the machine started. */
export class CpuMeter {
  #last: CpuTicks = { user: 0, system: 0, total: 0 };
  #percent: CpuPercent = { user: 0, system: 0 };

  read(): CpuPercent {
    const now = readTicks();
    const total = now.total - this.#last.total;
    // The kernel counts in steps of 10 ms: a shorter time says nothing, so the last answer stays.
    if (total < 100) return this.#percent;
    this.#percent = {
      user: Math.round((100 * (now.user - this.#last.user)) / total),
      system: Math.round((100 * (now.system - this.#last.system)) / total),
    };
    this.#last = now;
    return this.#percent;
  }
}
