/** Processor load of this machine. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { MS_PER_TICK, PROC } from './proc.js';

export interface CpuPercent {
  user: number;
  system: number;
}

interface CpuTicks {
  user: number;
  system: number;
  total: number;
}

/** Milliseconds. */
function readTicks(proc: string): CpuTicks {
  return kernelTicks(proc) ?? runtimeTicks();
}

function kernelTicks(proc: string): CpuTicks | undefined {
  try {
    const found = /^cpu +(.*)$/m.exec(readFileSync(join(proc, 'stat'), 'utf8'));
    const ticks = (found?.[1] ?? '').split(' ').map((one) => Number(one) * MS_PER_TICK);
    const [user = 0, nice = 0, sys = 0, idle = 0, wait = 0, irq = 0, softIrq = 0] = ticks;
    if (!(user + idle > 0)) return undefined;
    const total = user + nice + sys + idle + wait + irq + softIrq;
    return { user: user + nice, system: sys + irq + softIrq, total };
  } catch {
    return undefined;
  }
}

function runtimeTicks(): CpuTicks {
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
  readonly #proc: string;
  #last: CpuTicks = { user: 0, system: 0, total: 0 };
  #percent: CpuPercent = { user: 0, system: 0 };

  constructor(proc = PROC) {
    this.#proc = proc;
  }

  read(): CpuPercent {
    const now = readTicks(this.#proc);
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
