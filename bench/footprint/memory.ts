/** Resident memory of processes, as the kernel counts it. */
import { readFileSync } from 'node:fs';

export interface Memory {
  /** Everything that is resident; pages that the services share count for each of them. */
  rssMb: number;
  /** Resident, with shared pages divided among those who share them; null where the kernel does not say. */
  pssMb: number | null;
}

const BYTES_OF_KB = 1024;
const BYTES_OF_MB = 1_000_000;

export function memoryOf(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return { rssMb: megabytes(text, 'Rss'), pssMb: megabytes(text, 'Pss') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EPERM') throw error;
    return { rssMb: megabytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS'), pssMb: null };
  }
}

export function sum(...all: Memory[]): Memory {
  return all.reduce((a, b) => ({
    rssMb: a.rssMb + b.rssMb,
    pssMb: a.pssMb === null || b.pssMb === null ? null : a.pssMb + b.pssMb,
  }));
}

function megabytes(text: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  if (found === null) throw new Error(`the kernel does not tell ${name} of a process`);
  return (Number(found[1]) * BYTES_OF_KB) / BYTES_OF_MB;
}

/** Of a straight line through the points by least squares; per unit of x. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((total, point) => total + of(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const spread = points.reduce((total, point) => total + (point.x - x) ** 2, 0);
  const together = points.reduce((total, point) => total + (point.x - x) * (point.y - y), 0);
  return spread === 0 ? 0 : together / spread;
}
