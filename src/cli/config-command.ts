/** `singulate config`: settings of a reader as files. It works on the state dir, not over REST. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import {
  checkFile,
  exportFromState,
  importIntoState,
  resetState,
} from '../reader-gateway/settings/offline.js';
import { settingsTemplate } from '../reader-gateway/settings/template.js';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { configError, errorMessage, isSingulateError } from '../shared/errors.js';
import type { ConfigRequest, GivenOptions } from './command-line.js';
import type { Output } from './output.js';
import { resolveSettings } from './settings.js';
import { radioSocket } from './state-dir.js';
import { takeLock } from './state-lock.js';

type Stdout = Output['stdout'];

/** @returns 1 if what was asked about, or for, is not right. @throws CONFIG */
export async function runConfigCommand(
  { action, file = '', withSecrets, yes }: ConfigRequest,
  options: GivenOptions,
  { stdout }: Output,
): Promise<number> {
  switch (action) {
    case 'template':
      stdout.write(settingsTemplate());
      return 0;
    case 'check':
      return check(file, stdout);
    case 'export':
      return exportTo(
        file === '' ? undefined : file,
        withSecrets,
        await stateDirOf(options),
        stdout,
      );
    case 'import':
      return importFrom(file, await stateDirOf(options), stdout);
    default:
      return reset(yes, await stateDirOf(options), stdout);
  }
}

async function check(file: string, stdout: Stdout): Promise<number> {
  const { kind, problems } = checkFile(await readJsonc(file));
  for (const { field, message } of problems) {
    stdout.write(`${file}: ${field === '' ? '' : `${field}: `}${message}\n`);
  }
  if (problems.length > 0) {
    stdout.write(`${file}: ${kind}: ${problems.length} wrong\n`);
    return 1;
  }
  stdout.write(`${file}: ${kind}: right\n`);
  return 0;
}

async function exportTo(
  file: string | undefined,
  withSecrets: boolean,
  stateDir: string,
  stdout: Stdout,
): Promise<number> {
  if (withSecrets) assertPrivate(file);
  const text = `${JSON.stringify(await exportFromState(stateDir, withSecrets), null, 2)}\n`;
  if (file === undefined) stdout.write(text);
  // Only its owner may read it, whether there are secrets in it or not.
  else await writeFileAtomic(resolve(file), text);
  return 0;
}

function assertPrivate(file: string | undefined): void {
  if (file === undefined) {
    throw configError('--with-secrets needs a FILE: secrets are not printed');
  }
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const mode = stats.mode & 0o777;
  if (!stats.isFile() || (mode & 0o077) !== 0) {
    throw configError(
      `--with-secrets: ${file} is open to others (mode ${mode.toString(8).padStart(4, '0')}); ` +
        'allowed: a file of mode 0600, or one that is not there yet',
    );
  }
}

async function importFrom(file: string, stateDir: string, stdout: Stdout): Promise<number> {
  const settings = await readJsonc(file);
  const release = await takeStateDir(stateDir);
  try {
    await importIntoState(stateDir, settings);
  } catch (error) {
    if (!isSingulateError(error, 'INVALID')) throw error;
    for (const { field, message } of error.violations) {
      stdout.write(`${file}: ${field === '' ? '' : `${field}: `}${message}\n`);
    }
    stdout.write(`${file}: nothing was imported\n`);
    return 1;
  } finally {
    release();
  }
  stdout.write(`${file}: imported, for the next start\n`);
  return 0;
}

async function reset(yes: boolean, stateDir: string, stdout: Stdout): Promise<number> {
  const release = await takeStateDir(stateDir);
  try {
    if (!yes && !(await isConfirmed(stateDir))) {
      stdout.write('nothing was reset\n');
      return 1;
    }
    await resetState(stateDir);
  } finally {
    release();
  }
  stdout.write(`${stateDir}: reset; the login, the network settings and the OS stay\n`);
  return 0;
}

async function isConfirmed(stateDir: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw configError(
      'config reset asks before it does it, and there is no terminal; allowed: --yes',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const text = `Settings, certificates, applications and logs in ${stateDir} are removed. Type "reset": `;
    return (await terminal.question(text)).trim() === 'reset';
  } finally {
    terminal.close();
  }
}

/** @returns Gives it back. @throws CONFIG if the services run on it, however they were started. */
async function takeStateDir(stateDir: string): Promise<() => void> {
  const release = takeLock(stateDir);
  if (!(await answers(radioSocket(stateDir)))) return release;
  release();
  throw configError(
    `--state-dir: ${stateDir} is in use by running services; stop them, or use PUT /cloud/config/import or reset`,
  );
}

async function answers(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** A state dir that is there: nothing of this makes one. */
async function stateDirOf(options: GivenOptions): Promise<string> {
  const { stateDir } = await resolveSettings(options, { env: process.env, isTerminal: false });
  if (statSync(stateDir, { throwIfNoEntry: false })?.isDirectory()) return stateDir;
  throw configError(`--state-dir: ${stateDir} is not there`);
}

/** JSON, also with comments and with commas at the end of a list. */
async function readJsonc(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw configError(`${file} cannot be read: ${errorMessage(error)}`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const what = printParseErrorCode(first.error);
  throw configError(`${file}:${before.length}:${column}: not JSON: ${what}`);
}
