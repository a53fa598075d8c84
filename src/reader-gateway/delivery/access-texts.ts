/** What came of access commands and of reads of memory banks, as texts and words of an event. */
import { AccessResult, type AccessResultInput } from '../../contract/messages.js';

/** Gen2 error codes of a tag (Gen2 Annex I). */
const TAG_ERRORS: Readonly<Record<number, string>> = {
  0: 'other error',
  1: 'not supported',
  2: 'insufficient privileges',
  3: 'memory overrun',
  4: 'memory locked',
  5: 'crypto suite error',
  6: 'command not encapsulated',
  7: 'response buffer overflow',
  8: 'security timeout',
  11: 'insufficient power',
  15: 'non-specific error',
};

/** Why it did not succeed; undefined if it did. */
export function failureOf(result: AccessResultInput): string | undefined {
  const { Status } = AccessResult;
  switch (result.status ?? Status.DONE) {
    case Status.DONE:
      return undefined;
    case Status.TAG_ERROR: {
      const code = result.error ?? 0;
      return TAG_ERRORS[code] ?? `tag error ${code}`;
    }
    case Status.NO_REPLY:
      return 'no reply';
    case Status.SKIPPED:
      return 'skipped';
    case Status.NO_TIME:
      return 'no time';
    default:
      return 'unknown';
  }
}

/**
 * One text for each access command: the words of a READ in hexadecimal, SUCCESS of others, or
 * FAILED with the reason.
 * @param results Of the operations of all commands, in their order.
 */
export function accessTexts(
  commands: readonly { type: string; count: number }[],
  results: readonly AccessResultInput[],
): string[] {
  let at = 0;
  return commands.map(({ type, count }) => {
    const own = results.slice(at, at + count);
    at += count;
    for (const result of own) {
      const failure = failureOf(result);
      if (failure !== undefined) return `FAILED: ${failure}`;
    }
    if (own.length < count) return 'FAILED: skipped';
    return type === 'READ' ? own.map((result) => toHex(result.data)).join('') : 'SUCCESS';
  });
}

/** The words of a bank, or why they could not be read. */
export function bankWords(
  results: readonly AccessResultInput[],
  from: number,
  count: number,
): { hex: string } | { failure: string } {
  let hex = '';
  for (let i = from; i < from + count; i++) {
    const result = results[i];
    const failure = result === undefined ? 'skipped' : failureOf(result);
    if (failure !== undefined) return { failure };
    hex += toHex(result?.data);
  }
  return { hex };
}

export function toHex(bytes: Uint8Array | null | undefined): string {
  if (bytes === null || bytes === undefined) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
