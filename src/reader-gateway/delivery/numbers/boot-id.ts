/** Tells a start of the machine from the one before. */
import { readFileSync } from 'node:fs';

/** @returns Hexadecimal digits and dashes; empty if the system does not say. */
export function machineBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
