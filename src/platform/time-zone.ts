/** The time zone of this process. */
import { readFileSync, readlinkSync } from 'node:fs';

const LINK = '/etc/localtime';
const FILE = '/etc/timezone';
/** What Linux systems have that were never told a zone. */
const NONE = 'UTC';
/** As in the folder of zones; rules spelled out in TZ (`CET-1CEST`) are no name. */
const NAME = /^[A-Za-z_]+([/+-][A-Za-z0-9_+-]+)*$/;

/**
 * Its IANA name: the machine's, unless TZ says another one. Not asked of Intl: opening that takes 8 MB
 * of memory for good.
 */
export function readTimeZone(): string {
  const { TZ } = process.env;
  const zone = TZ ? TZ.replace(/^:/, '') : (ofLink() ?? ofFile() ?? NONE);
  return NAME.test(zone) ? zone : NONE;
}

function ofLink(): string | undefined {
  try {
    return /\/zoneinfo\/(?:(?:posix|right)\/)?(.+)$/.exec(readlinkSync(LINK))?.[1];
  } catch {
    return undefined;
  }
}

function ofFile(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8').trim();
  } catch {
    return undefined;
  }
}
