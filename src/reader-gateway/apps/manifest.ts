/** manifest.json of a package: what the application is and how it is started. */

import { access, constants, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { jsonProblem } from '../../shared/json-problem.js';
import { type Static, TextEnum, Type } from '../api/schema.js';
import { APP_NAME_PATTERN, APP_NAME_TEXT } from '../api/user-apps.js';
import { findViolations, show } from '../api/validate.js';
import { packageError } from './package/package-error.js';
import { findProgram } from './programs.js';

export const MANIFEST_FILE = 'manifest.json';

/** Programs of the reader that an application may be written for. */
const INTERPRETERS = ['node', 'python3'] as const;

export const AppManifest = Type.Object({
  name: Type.String({ pattern: APP_NAME_PATTERN, description: APP_NAME_TEXT }),
  version: Type.String({
    pattern: '^[0-9A-Za-z][0-9A-Za-z.+~:-]{0,63}$',
    description: 'a version of up to 64 characters',
  }),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  /** The program and its arguments: a program of the package, or node or python3. */
  start: Type.Array(Type.String({ minLength: 1, maxLength: 1000, pattern: '^[^\\u0000]*$' }), {
    minItems: 1,
    maxItems: 64,
  }),
  restart: Type.Optional(TextEnum(['always', 'on-failure', 'never'])),
  memoryMb: Type.Optional(Type.Integer({ minimum: 16, maximum: 1024 })),
  processes: Type.Optional(Type.Integer({ minimum: 16, maximum: 256 })),
  openFiles: Type.Optional(Type.Integer({ minimum: 32, maximum: 4096 })),
});
export type AppManifest = Static<typeof AppManifest>;

/** @param folder Of the application. @throws INVALID */
export async function parseManifest(text: string, folder: string): Promise<AppManifest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw packageError(`is not JSON: ${jsonProblem(error)}`, MANIFEST_FILE);
  }
  const violations = [...findViolations(AppManifest, value), ...unknownFields(value)];
  if (violations.length > 0) {
    const texts = violations.map(({ field, message }) => `${field || 'it'}: ${message}`);
    throw packageError(`is wrong: ${texts.join('; ')}`, MANIFEST_FILE);
  }
  const manifest = value as AppManifest;
  await programOf(manifest, folder);
  return manifest;
}

/** A field that means nothing here would be believed to hold (`user`, say). */
function unknownFields(value: unknown): { field: string; message: string }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const known = Object.keys(AppManifest.properties);
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      field: show(field),
      message: `there is no such field, allowed: ${known.join(', ')}`,
    }));
}

/** The program to run. @throws INVALID if there is none. */
export async function programOf(manifest: AppManifest, folder: string): Promise<string> {
  const [name = ''] = manifest.start;
  const refuse = (why: string) => packageError(`start[0]: ${why}`, MANIFEST_FILE);
  if (name === 'node') return process.execPath;
  if ((INTERPRETERS as readonly string[]).includes(name)) {
    const program = findProgram(name);
    if (program === undefined) throw refuse(`this reader has no ${name}`);
    return program;
  }
  const allowed = `allowed: ${INTERPRETERS.join(', ')}, or an executable file of the package`;
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, name));
    if (!path.startsWith(root + sep)) throw new Error('outside');
    await access(path, constants.X_OK);
    return path;
  } catch {
    throw refuse(`${JSON.stringify(name)} is not one of them; ${allowed}`);
  }
}
