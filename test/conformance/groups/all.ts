/** All groups; an operation that is in none of them fails conformance.test.ts with its name. */
import type { Group } from '../operation-case.js';
import { applications } from './applications.js';
import { certificates } from './certificates.js';
import { facts } from './facts.js';
import { logs } from './logs.js';
import { os } from './os.js';
import { reading } from './reading.js';
import { system } from './system.js';

export const GROUPS: Readonly<Record<string, Group>> = {
  reading,
  facts,
  system,
  logs,
  certificates,
  applications,
  os,
};
