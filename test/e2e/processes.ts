/** Which processes belong to a state folder. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessOf {
  pid: number;
  command: string;
}

/** Processes that name the folder in their command, environment or working folder; not this one. */
export function processesOf(folder: string): ProcessOf[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const names = () =>
          readFileSync(`/proc/${pid}/environ`, 'utf8') + readlinkSync(`/proc/${pid}/cwd`);
        return (command + names()).includes(folder) ? [{ pid: Number(pid), command }] : [];
      } catch {
        // It ended meanwhile, or is of somebody else.
        return [];
      }
    });
}
