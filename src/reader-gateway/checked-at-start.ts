/** The schemas that a start needs, for the build to compile: those of the files in the state folder. */
import type { Form } from './api/compile-schema.js';
import { ReaderConfig } from './api/config.js';
import { LogConfig } from './api/logs.js';
import { OperatingMode } from './api/mode.js';
import { NameAndDescription } from './api/name-and-description.js';
import { ChosenRegion } from './api/reader-settings.js';
import type { TSchema } from './api/schema.js';
import { Registry } from './apps/registry.js';
import { AuthState } from './auth/login-store.js';
import { RunState } from './state/run-store.js';
import { CableFile } from './state/setting-kinds.js';
import { UpdateRecord } from './update/update-record.js';

export const CHECKED_AT_START: readonly { schema: TSchema; form: Form }[] = [
  { schema: OperatingMode, form: 'open' },
  { schema: OperatingMode, form: 'closed' },
  { schema: ReaderConfig, form: 'open' },
  { schema: AuthState, form: 'open' },
  { schema: RunState, form: 'open' },
  { schema: CableFile, form: 'open' },
  { schema: ChosenRegion, form: 'open' },
  { schema: NameAndDescription, form: 'open' },
  { schema: LogConfig, form: 'open' },
  { schema: UpdateRecord, form: 'open' },
  { schema: Registry, form: 'open' },
];
