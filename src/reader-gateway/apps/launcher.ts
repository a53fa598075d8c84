/** The program that starts applications (native/launch), and what it can do on this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SingulateError } from '../../shared/errors.js';
import { builtFiles } from '../../shared/native-file.js';
import { isRoot } from './users.js';

const FILE = 'singulate-launch';
const PROBE_MS = 10_000;
const YES = 'namespaces: yes';

export interface Launcher {
  path: string;
  /** Why applications have no processes, mounts and /tmp of their own; undefined = they have. */
  noNamespaces: string | undefined;
}

let found: Promise<Launcher> | undefined;

/** Asks once in the life of the service. @throws STATE if it is not there or does not run. */
export function findLauncher(): Promise<Launcher> {
  found ??= look().catch((error) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function look(): Promise<Launcher> {
  const [path] = builtFiles(FILE);
  if (path === undefined) throw new SingulateError('STATE', `this reader has no ${FILE}`);
  if (!isRoot()) return { path, noNamespaces: 'the service is not root' };
  const options = { timeout: PROBE_MS, env: {} };
  const { stdout } = await promisify(execFile)(path, ['--probe'], options);
  const answer = stdout.trim();
  return { path, noNamespaces: answer === YES ? undefined : answer.replace(/^namespaces: /, '') };
}
