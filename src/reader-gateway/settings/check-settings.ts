/**
 * What is wrong with a file of settings, as far as it can be known without the radio: all at once,
 * each with its path. Pure.
 */
import {
  errorMessage,
  invalid,
  isSingulateError,
  seenFrom,
  type Violation,
} from '../../shared/errors.js';
import { type Migration, migrate, VERSION_KEY } from '../../shared/file-format.js';
import { type EndpointConfig, ReaderConfig } from '../api/config.js';
import { LogConfig } from '../api/logs.js';
import { ReaderSettings } from '../api/reader-settings.js';
import { Anything, Type } from '../api/schema.js';
import { assertRequest, findRequestViolations, joinPath } from '../api/validate.js';
import { assertOneLevelEach } from '../logs/logs.js';
import { compileMode } from '../mode/compile.js';
import type { RadioFacts } from '../mode/radio-facts.js';
import { replaceConfig } from '../state/config-change.js';
import { replaceMasks } from '../state/secrets.js';

/** A radio that can do whatever any radio of that kind can. */
const ANY_RADIO: RadioFacts = {
  antennas: Array.from({ length: 32 }, (_, index) => index + 1),
  beams: [],
  minTransmitPowerCdbm: 0,
  maxTransmitPowerCdbm: 3600,
  linkProfiles: Array.from({ length: 255 }, () => 'M4-250'),
  hasSelects: true,
  hasAccess: true,
  hasRssiLimit: true,
  region: '',
  maxEirpCdbm: 0,
  channelWidthKhz: 0,
  readerModel: 'fixed-8-rssi',
};
const ANY_ARRAY: RadioFacts = {
  ...ANY_RADIO,
  antennas: [1],
  beams: [38],
  readerModel: 'array-38',
};

/** Of the mode its compiler knows which fields there are. */
const SETTINGS_SHAPE = Type.Object(
  { ...ReaderSettings.properties, mode: Type.Optional(Anything()) },
  { additionalProperties: false },
);

/** In the place of one that is masked. */
const ANY_PASSWORD = '00000001';

export function prefixed(part: string, violations: readonly Violation[]): Violation[] {
  return violations.map(({ field, message }) => {
    const [, first = '', rest = ''] = /^([^.[]*)(.*)$/.exec(field) ?? [];
    const path = first === '' ? part : joinPath(part, first);
    return { field: `${path}${rest}`, message };
  });
}

/** From each version of a file of settings to the next; there was only one ever. */
export const SETTINGS_MIGRATIONS: readonly Migration[] = [];

/** A file of settings of whatever version as one of this version. @throws INVALID for a newer one. */
export function currentSettings(file: unknown): unknown {
  try {
    return migrate(file, SETTINGS_MIGRATIONS).content;
  } catch (error) {
    throw invalid([{ field: VERSION_KEY, message: errorMessage(error) }]);
  }
}

/** The violations that `check` throws; there is nothing else that it may throw. */
export async function violationsOf(check: () => unknown): Promise<Violation[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return violationsIn(error);
  }
}

function violationsOfSync(check: () => unknown): Violation[] {
  try {
    check();
    return [];
  } catch (error) {
    return violationsIn(error);
  }
}

/** @throws what is no INVALID error. */
export function violationsIn(error: unknown): Violation[] {
  if (!isSingulateError(error, 'INVALID')) throw error;
  const { violations, message } = error;
  return violations.length > 0 ? [...violations] : [{ field: '', message }];
}

/** Of an operating mode on whatever radio; what only the present one knows is not found. */
export function modeProblems(mode: unknown): Violation[] {
  const given = replaceMasks(mode, ANY_PASSWORD);
  const fixed = compileMode(given, ANY_RADIO);
  if (fixed.ok) return [];
  const array = compileMode(given, ANY_ARRAY);
  if (array.ok) return [];
  const [one, other] = [fixed.violations, array.violations];
  return [...(other.length < one.length ? other : one)];
}

/** Masked secrets are no problem: they keep what is stored where the file is imported. */
export function configProblems(config: unknown): Violation[] {
  return violationsOfSync(() => {
    assertRequest(ReaderConfig, config);
    // A mask stands for itself. What a reader brings along is not known here.
    replaceConfig(config as ReaderConfig, config, {});
  });
}

function logProblems(logs: unknown): Violation[] {
  return violationsOfSync(() => {
    assertRequest(LogConfig, logs);
    assertOneLevelEach(logs as LogConfig);
  });
}

export function settingsProblems(settings: unknown): Violation[] {
  const shape = findRequestViolations(SETTINGS_SHAPE, settings);
  const parts = (typeof settings === 'object' && settings !== null ? settings : {}) as Record<
    string,
    unknown
  >;
  const meaning = [
    ...(parts.config === undefined ? [] : prefixed('config', configProblems(parts.config))),
    ...(parts.logs === undefined ? [] : prefixed('logs', logProblems(parts.logs))),
    ...(parts.mode === undefined ? [] : prefixed('mode', modeProblems(parts.mode))),
  ];
  const known = new Set(shape.map(({ field }) => field));
  return [...shape, ...meaning.filter(({ field }) => !known.has(field))];
}

/** Of the body of an import of connections alone. */
export function endpointProblems(endpointConfig: unknown): Violation[] {
  const config = { 'READER-GATEWAY': { endpointConfig: endpointConfig as EndpointConfig } };
  return seenFrom('READER-GATEWAY', configProblems(config));
}
