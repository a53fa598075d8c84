/** The time zones of the interface: their names for people, and the IANA zones behind them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';

const FILE = join(PACKAGE_ROOT, 'src/reader-gateway/time-zones/time-zones.json');

interface ZoneEntry {
  name: string;
  /** Its name in CLDR's table of Windows zones; otherwise zone is given. */
  windows?: string;
  zone?: string;
  /** Short names, and the zone of each place. */
  places: Record<string, string>;
}

interface NamedZone {
  name: string;
  zone: string;
}

interface Tables {
  entries: readonly ZoneEntry[];
  /** IANA zone of every name that is taken. */
  zones: Map<string, string>;
  /** Display name of IANA zones. */
  names: Map<string, string>;
  byWindows: Map<string, string>;
}

type WindowsIana = typeof import('windows-iana');

// Read when the first client asks: a start needs none of it.
const require = createRequire(import.meta.url);
let tables: Tables | undefined;
const windowsIana = () => require('windows-iana') as WindowsIana;

function load(): Tables {
  if (tables !== undefined) return tables;
  const { zones: entries } = JSON.parse(readFileSync(FILE, 'utf8')) as { zones: ZoneEntry[] };
  const zones = new Map<string, string>();
  const names = new Map<string, string>();
  const byWindows = new Map<string, string>();
  for (const entry of entries) {
    const zone = zoneOf(entry);
    zones.set(entry.name, zone);
    names.set(zone, entry.name);
    if (entry.windows !== undefined) byWindows.set(entry.windows, entry.name);
  }
  for (const { name, places } of entries) {
    for (const [place, zone] of Object.entries(places)) {
      zones.set(place, zone);
      if (!names.has(zone)) names.set(zone, name);
    }
  }
  tables = { entries, zones, names, byWindows };
  return tables;
}

/** CLDR lists old and new names of a zone: one that a place of the entry goes by is still in use. */
function zoneOf({ name, windows, zone, places }: ZoneEntry): string {
  if (zone !== undefined) return zone;
  const listed: readonly string[] = windowsIana().findIana(windows as never);
  const inUse = Object.values(places);
  const found =
    listed.slice(0, 1).find((one) => inUse.includes(one)) ??
    inUse.find((one) => listed.includes(one)) ??
    listed[0];
  if (found === undefined) throw new Error(`${windows} of ${name} is no time zone of CLDR`);
  return found;
}

/** Every display name in the order of the interface, each with its IANA zone and its places. */
export function allZones(): { name: string; zone: string; places: NamedZone[] }[] {
  const { zones, entries } = load();
  return entries.map(({ name, places }) => ({
    name,
    zone: zones.get(name) as string,
    places: Object.entries(places).map(([place, of]) => ({ name: place, zone: of })),
  }));
}

/** The 95 names for people, in the order of the interface. */
export function displayNames(): string[] {
  return [...load().zones.keys()].filter((name) => name.startsWith('('));
}

/** The names of places, which are taken as well. */
export function shortNames(): string[] {
  return [...load().zones.keys()].filter((name) => !name.startsWith('('));
}

/** IANA zone of a display name or short name; undefined for any other text. */
export function zoneOfName(name: string): string | undefined {
  return load().zones.get(name);
}

/** Display name of an IANA zone; the zone's own name if the interface has none for it. */
export function nameOfZone(zone: string): string {
  const { names, byWindows } = load();
  const known = names.get(canonical(zone));
  if (known !== undefined) return known;
  for (const windows of windowsIana().findWindows(zone as never)) {
    const name = byWindows.get(windows);
    if (name !== undefined) return name;
  }
  return zone;
}

/** `UTC` is what Linux systems call it that were never told a zone. */
function canonical(zone: string): string {
  return zone === 'UTC' || zone === 'Universal' ? 'Etc/UTC' : zone;
}
