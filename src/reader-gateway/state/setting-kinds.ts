/** What can be set on a reader, each in a file of its own. */
import type { Migration } from '../../shared/file-format.js';
import type { SettingKind } from '../../shared/setting.js';
import { type CableLoss, CableLosses } from '../api/cable-loss.js';
import { LogConfig } from '../api/logs.js';
import { OperatingMode } from '../api/mode.js';
import { NameAndDescription } from '../api/name-and-description.js';
import { ChosenRegion } from '../api/reader-settings.js';
import { type Static, type TSchema, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';

export const CableFile = Type.Object({ ports: CableLosses });
export type CableFile = Static<typeof CableFile>;

/** Version 1 had the ports at its top, where nothing else could be. */
export const CABLE_MIGRATIONS: readonly Migration[] = [(ports) => ({ ports })];

/** The mode of a reader that was never told one. */
export const FACTORY_MODE: OperatingMode = { type: 'SIMPLE' };

/** The operating mode. */
export const MODE: SettingKind<OperatingMode> = {
  file: 'mode.json',
  check: checked(OperatingMode),
  unset: FACTORY_MODE,
};

/** The cables between the reader and its antennas. */
export const CABLES: SettingKind<CableFile> = {
  file: 'cable-loss.json',
  check: checked(CableFile),
  unset: { ports: {} },
  migrations: CABLE_MIGRATIONS,
};

/** The region that was chosen for the radio; undefined: it has the one that it came with. */
export const REGION: SettingKind<ChosenRegion | undefined> = {
  file: 'region.json',
  check: checked(ChosenRegion),
  unset: undefined,
};

/** What people call the reader; undefined: it was never told. */
export const DESCRIPTION: SettingKind<NameAndDescription | undefined> = {
  file: 'name.json',
  check: checked(NameAndDescription),
  unset: undefined,
};

/** What shall be logged; what was never set is not there. */
export const LOGS: SettingKind<LogConfig> = {
  file: 'logs.json',
  check: checked(LogConfig),
  unset: {},
};

const NO_CABLE: CableLoss = { cableLength: 0, cableLossPerHundredFt: 0 };

export function cableOf(cables: CableLosses, port: number): CableLoss {
  return cables[String(port)] ?? NO_CABLE;
}

/** The check of a file that is just what a schema says. */
export function checked<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  return (value) => {
    assertValid(schema, value);
    return value as Static<T>;
  };
}
