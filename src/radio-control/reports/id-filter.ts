/** Which tags are reported at all, by their id (proto IdFilter; interface field tagIdFilter). */
import { RECORD } from '../record.js';

export type IdFilterSettings = { exclude: boolean } & (
  | { match: 'prefix' | 'suffix'; digits: string }
  | { match: 'regex'; expression: RegExp }
);

/** @param id The EPC as lower-case hexadecimal digits. */
export function passesId(settings: IdFilterSettings, id: string): boolean {
  return matches(settings, id) !== settings.exclude;
}

export function recordId(record: Buffer, offset: number): string {
  const start = offset + RECORD.epc;
  return record.toString('hex', start, start + (record[offset + RECORD.epcBytes] as number));
}

function matches(settings: IdFilterSettings, id: string): boolean {
  switch (settings.match) {
    case 'prefix':
      return id.startsWith(settings.digits);
    case 'suffix':
      return id.endsWith(settings.digits);
    case 'regex':
      return settings.expression.test(id);
  }
}
