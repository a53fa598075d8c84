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

/** What is no PFX at all is not worth a thread. */
const NO_PFX = 'is not a PFX (PKCS#12) file';
/** INTEGER 3, of one octet: the version that every PFX has. */
const VERSION = Buffer.from([0x02, 0x01, 0x03]);
const SEQUENCE = 0x30;

/** @throws INVALID that names `field`, or pfxPassword if that is what is wrong. */
export async function openPfx(
  bytes: Uint8Array,
  password: string | undefined,
  field: string,
): Promise<PfxContent> {
  if (!beginsAsPfx(bytes)) throw invalid([{ field, message: NO_PFX }]);
  const answer = await inThread({ bytes, password });
  if (answer.result === 'ok') return answer;
  if (answer.result === 'wrong password') {
    const message =
      password === undefined ? 'is required: the PFX has one' : 'is not the password of the PFX';
    throw invalid([{ field: 'pfxPassword', message }]);
  }
  throw invalid([{ field, message: answer.reason }]);
}

/** A sequence, of whichever form of length, that begins with the version. */
function beginsAsPfx(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes;
  const more = length > 0x80 ? length - 0x80 : 0;
  return tag === SEQUENCE && VERSION.equals(bytes.subarray(2 + more, 2 + more + VERSION.length));
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
