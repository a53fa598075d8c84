/**
 * Gives back to the system what a service has in memory of Node.js and of libraries and does not use:
 * a start touches twice the code that the steady state does (docs/footprint.md).
 */
import type { Logger } from './log.js';
import { loadNative } from './native-file.js';

/** By then what a service loads after it is ready has been loaded. */
const FIRST_MS = 5_000;
/** What a rare request needed goes too. */
const AGAIN_MS = 600_000;

interface Native {
  /** @returns bytes that were taken out of this process. */
  releaseProgramPages(): number;
}

/** From now on, until the process ends. */
export function releaseProgramPages(log: Logger): void {
  let native: Native | undefined;
  const release = () => {
    try {
      native ??= loadNative() as Native;
      log.debug({ bytes: native.releaseProgramPages() }, 'pages of the program released');
    } catch (error) {
      // The service does without; only its memory is larger.
      log.debug({ error: String(error) }, 'pages of the program stay');
    }
  };
  setTimeout(release, FIRST_MS).unref();
  setInterval(release, AGAIN_MS).unref();
}
