/** All groups; an operation that is in none of them fails conformance.test.ts with its name. */
import type { Group } from '../operation-case.js';
import { applications } from './applications.js';
import { certificates } from './certificates.js';
import { configuration } from './configuration.js';
import { facts } from './facts.js';
import { lines } from './lines.js';
import { logs } from './logs.js';
import { os } from './os.js';
import { password } from './password.js';
import { readerSettings } from './reader-settings.js';
import { reading } from './reading.js';
import { system } from './system.js';

export const GROUPS: Readonly<Record<string, Group>> = {
  reading,
  facts,
  configuration,
  lines,
  system,
  readerSettings,
  logs,
  certificates,
  applications,
  os,
  password,
};
