/** Memory, files and sockets of the reader's processes. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processesOf } from '../e2e/processes.js';

const KINDS = {
  'radio-control': /radio-control/,
  'reader-gateway': /reader-gateway/,
  command: /cli(\/main)?\.js/,
};
export type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

export interface Figures {
  processes: number;
  rssMb: number;
  files: number;
  sockets: number;
}

/** Of all processes of a kind together. */
export type Sample = Record<Kind | 'others', Figures>;

const NONE: Figures = { processes: 0, rssMb: 0, files: 0, sockets: 0 };

export function takeSample(stateDir: string): Sample {
  const sample: Sample = {
    'radio-control': { ...NONE },
    'reader-gateway': { ...NONE },
    command: { ...NONE },
    others: { ...NONE },
  };
  for (const { pid, command } of processesOf(stateDir)) {
    const kind = KIND_NAMES.find((name) => KINDS[name].test(command)) ?? 'others';
    try {
      const sum = sample[kind];
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const open = openFiles(pid);
      sum.processes++;
      sum.rssMb += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
      sum.files += open.length;
      sum.sockets += open.filter((target) => target.startsWith('socket:')).length;
    } catch {
      // It ended meanwhile.
    }
  }
  return sample;
}

/** What each of its file descriptors is. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(`${folder}/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** The largest of each figure over the time. */
export class Peaks {
  readonly peak: Sample;
  readonly #timer: NodeJS.Timeout;

  constructor(stateDir: string, everyMs = 2000) {
    this.peak = takeSample(stateDir);
    this.#timer = setInterval(() => this.#add(takeSample(stateDir)), everyMs);
  }

  #add(sample: Sample): void {
    for (const kind of Object.keys(sample) as (keyof Sample)[]) {
      const [most, now] = [this.peak[kind], sample[kind]];
      for (const figure of Object.keys(now) as (keyof Figures)[]) {
        most[figure] = Math.max(most[figure], now[figure]);
      }
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
