/**
 * Opens PFX (PKCS#12) files. In a thread of its own: the file says how often its password is
 * hashed, and a large number there must hold up no reads, and not last for ever either.
 */
import { Worker } from 'node:worker_threads';
import { errorMessage, invalid } from '../../shared/errors.js';

/** All that is in it, PEM; keys are not encrypted any more. */
export interface PfxContent {
  certificates: string[];
  keys: string[];
}

export type PfxAnswer =
  | ({ result: 'ok' } & PfxContent)
  | { result: 'wrong password' }
  | { result: 'unusable'; reason: string };

export interface PfxTask {
  bytes: Uint8Array;
  password: string | undefined;
}

const LIMIT_MS = 15_000;

/** @throws INVALID that names `field`, or pfxPassword if that is what is wrong. */
export async function openPfx(
  bytes: Uint8Array,
  password: string | undefined,
  field: string,
): Promise<PfxContent> {
  const answer = await inThread({ bytes, password });
  if (answer.result === 'ok') return answer;
  if (answer.result === 'wrong password') {
    const message =
      password === undefined ? 'is required: the PFX has one' : 'is not the password of the PFX';
    throw invalid([{ field: 'pfxPassword', message }]);
  }
  throw invalid([{ field, message: answer.reason }]);
}

function inThread(task: PfxTask): Promise<PfxAnswer> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pfx-worker.js', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      execArgv: [],
    });
    const timer = setTimeout(
      () => end('takes too long to open: its iteration count is too high'),
      LIMIT_MS,
    );
    const end = (answer: PfxAnswer | string) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(typeof answer === 'string' ? { result: 'unusable', reason: answer } : answer);
    };
    worker.once('message', end);
    worker.once('error', (error) => end(`cannot be opened: ${errorMessage(error)}`));
    worker.once('exit', () => end('cannot be opened'));
  });
}
