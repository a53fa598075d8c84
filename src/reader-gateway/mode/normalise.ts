/** Spellings of the operating mode that public clients use, in the spelling of the schema. */
import type { Violation } from '../../shared/errors.js';
import { show } from '../api/validate.js';

/** The interface's name, and the one of its public clients. */
const OTHER_NAMES: readonly [ours: string, theirs: string][] = [
  ['tagIdFilter', 'filter'],
  ['select', 'selects'],
  ['access', 'accesses'],
];

/** Which of the settings objects a type has. */
export const SETTINGS_OF: Readonly<Record<string, string>> = {
  INVENTORY: 'inventorySettings',
  PORTAL: 'portalSettings',
  DIRECTIONALITY: 'directionalitySettings',
};

export interface Normalised {
  /** With the names of interface.md only. Values and shapes stay as they were given. */
  mode: unknown;
  /** Name of interface.md -> name that was given, where they differ. */
  spelling: ReadonlyMap<string, string>;
  violations: Violation[];
  /** Empty settings of another type, by the names that were given: they are left out. */
  meaningless: Violation[];
}

export function normaliseMode(given: unknown): Normalised {
  const spelling = new Map<string, string>();
  const violations: Violation[] = [];
  const meaningless: Violation[] = [];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { mode: given, spelling, violations, meaningless };
  }
  const mode: Record<string, unknown> = { ...given };
  const rename = (theirs: string, ours: string) => {
    if (mode[theirs] === undefined) return;
    if (mode[ours] !== undefined) {
      violations.push({ field: theirs, message: `cannot be set together with ${ours}` });
    } else {
      mode[ours] = mode[theirs];
      spelling.set(ours, theirs);
    }
    delete mode[theirs];
  };
  for (const [ours, theirs] of OTHER_NAMES) rename(theirs, ours);
  const { type } = mode;
  const known = typeof type === 'string' && Object.hasOwn(SETTINGS_OF, type);
  const settings = known ? SETTINGS_OF[type] : undefined;
  if (settings !== undefined) {
    rename('modeSpecificSettings', settings);
  } else if (mode.modeSpecificSettings !== undefined) {
    const message = `has no meaning with type ${typeof type === 'string' ? type : show(type)}`;
    const list = isEmpty(mode.modeSpecificSettings) ? meaningless : violations;
    list.push({ field: 'modeSpecificSettings', message });
    delete mode.modeSpecificSettings;
  }
  for (const [other, key] of Object.entries(SETTINGS_OF)) {
    if (typeof type !== 'string' || type === other || !isEmpty(mode[key])) continue;
    meaningless.push({ field: key, message: misplaced(type, other) });
    delete mode[key];
  }
  if ('query' in mode) mode.query = fixQuery(mode.query);
  return { mode, spelling, violations, meaningless };
}

/** What is said of settings of the type `other`. */
export function misplaced(type: string, other: string): string {
  return `has no meaning with type ${type}, only with ${other}`;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}

function fixQuery(query: unknown): unknown {
  if (Array.isArray(query)) return query.map(fixQuery);
  if (typeof query !== 'object' || query === null) return query;
  const { tagpopulation, ...rest } = query as Record<string, unknown>;
  if (tagpopulation === undefined || 'tagPopulation' in rest) return query;
  return { ...rest, tagPopulation: tagpopulation };
}
